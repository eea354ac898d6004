internal import GRDB
internal import SectileCore

extension Store.ChangeLog {
  /// What a change log has, and for whom.
  public struct Status: Hashable, Sendable, Codable {
    /// The identity of the log, in hexadecimal.
    public let store: String
    /// The number of the last row.
    public let head: Int64
    /// The number of the oldest row that is there.
    public let oldest: Int64
    /// How many bytes the log takes in the file, old values included; nil where SQLite does not
    /// tell.
    public let byteCount: Int?
    /// Whether tables that are created are followed from then on.
    public let followsAllTables: Bool
    /// The tables that are followed.
    public let tables: [Table]
    /// The tables that are not followed, and why.
    public let untracked: [UnloggedTable]
    /// Who said how far they have read.
    public let readers: [Reader]
    /// What becomes of the lock of writers, in a sentence.
    public let lock: String

    /// A table that is followed.
    public struct Table: Hashable, Sendable, Codable {
      /// Its name.
      public let name: String
      /// The columns by which rows are named.
      public let keys: [String]
      /// The number of the row of the log from which on its changes are known.
      public let since: Int64
      /// Whether its triggers are those that it needs; the next commit of a store puts that in
      /// order.
      public let isIntact: Bool
      /// The number of the row of the log from which on its old values are kept; nil where they are
      /// not.
      ///
      /// See ``Store/ChangeLog/keepValues(of:allowsAdopted:)``.
      public let valuesSince: Int64?
    }

    /// A table that is not followed.
    public struct UnloggedTable: Hashable, Sendable, Codable {
      /// Its name.
      public let name: String
      /// Why, in a sentence.
      public let reason: String
    }

    /// Somebody who said how far they have read.
    public struct Reader: Hashable, Sendable, Codable {
      /// The name that they gave.
      public let name: String
      /// The number of the last row that they have read.
      public let sequence: Int64
      /// Whether what comes behind it is kept for them.
      public let isLive: Bool
    }
  }
}

extension Store.ChangeLog.Status {
  init(
    of state: LogState, lock: WriterLock.State, _ retention: StoreConfiguration.ChangeLogRetention,
    in db: Database
  ) throws {
    let digits = String(state.store, radix: 16)
    store = String(repeating: "0", count: 32 - digits.count) + digits
    head = try LogTail(of: db).head().sequence
    oldest = state.pruned.sequence + 1
    let pages = try? db.schemaRows(
      "SELECT sum(pgsize) FROM dbstat WHERE name IN ('sectile_log', 'sectile_log_value')", []
    ).first?[0]
    byteCount = if case .integer(let count)? = pages { Int(count) } else { nil }
    followsAllTables = state.followsAllTables
    tables = state.tables.map {
      Table(
        name: $0.name, keys: $0.keys, since: $0.since, isIntact: $0.isIntact,
        valuesSince: $0.valuesSince)
    }
    let followed = Set(state.tables.map { $0.name.lowercased() })
    untracked = try TableSchema.all(in: db).compactMap { table in
      guard !LogTables.isOwn(table.name), table.kind != .view,
        !followed.contains(table.name.lowercased())
      else { return nil }
      switch try LogTriggers.of(table, id: 0, in: db) {
      case .untracked(let reason): return UnloggedTable(name: table.name, reason: reason)
      case .tracked: return UnloggedTable(name: table.name, reason: "It was not asked for.")
      }
    }
    let now = LogBookkeeping.milliseconds()
    readers = try LogReaders(of: db).all().map { reader in
      Reader(
        name: reader.name, sequence: reader.sequence,
        isLive: reader.seenAt.map { $0 >= now - retention.lease.milliseconds } ?? false)
    }
    self.lock =
      switch lock {
      case .off: "Writers take no lock."
      case .notNeeded(let release): "SQLite \(release) needs no lock of writers."
      case .engaged(let path): "Writers take the lock \(path)."
      case .unavailable(let reason): "There is no lock of writers: \(reason)"
      }
  }
}
