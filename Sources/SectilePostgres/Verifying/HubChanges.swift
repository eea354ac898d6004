#if Postgres
  internal import SectileCore
  internal import SectileHub
  internal import Synchronization

  /// Which rows the hub has changed since a position, by a temporary slot that goes with its
  /// connection.
  final class HubChanges: Sendable {
    /// Where it begins.
    struct Begin: Sendable {
      var system: String
      var position: HubPosition
      /// What another transaction begins with to see the hub as it was there, until the stream
      /// begins.
      var snapshot: String
    }

    /// What the stream has told so far.
    private struct Told {
      var begin: Begin?
      var stream: PostgresStream?
      var position = HubPosition.zero
      var keys: [String: Set<RowDigest>] = [:]
    }

    private let connection: PostgresConnection
    private let tables: [String: VerifiedTable]
    private let sources: StreamSources
    private let publication: String
    private let options: PostgresHubOptions
    // The name of no replica's slot, which ends in eight digits.
    private let slot: String

    // MARK: - Mutable state
    //
    // - `told`: guarded by its mutex, and changed by one task.
    private let told = Mutex(Told())

    /// Creates it on a connection for replication, which is its own from then on.
    init(
      _ connection: PostgresConnection, _ tables: [VerifiedTable], publication: String,
      options: PostgresHubOptions
    ) throws {
      sources = try StreamSources(
        tables: tables.map { (synced: $0.table.synced, table: $0.table.table) })
      self.tables = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
      (self.connection, self.publication, self.options) = (connection, publication, options)
      let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
      slot = "sectile_verify_" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Makes the slot, where it was not made, and says where it begins.
    ///
    /// It waits for the transactions that the server has open.
    func begin() async throws -> Begin {
      if let begin = told.withLock({ $0.begin }) { return begin }
      let slot = slot
      let begin = try await connection.run { session in
        try translating("the slot \(slot) cannot be made", sql: "ALTER ROLE … REPLICATION;") {
          // The snapshot is that of a transaction, which may last.
          try session.allowLongTransactions()
          let (system, _) = try session.identify()
          let made = try session.execute(
            """
            CREATE_REPLICATION_SLOT \(PostgresName.quote(slot)) TEMPORARY LOGICAL pgoutput \
            (SNAPSHOT 'export')
            """)
          guard let row = made.rows.first, row.count >= 3,
            let position = row[1].flatMap({ HubPosition($0) }), let snapshot = row[2]
          else { throw ByteReader.malformed("a new slot has no position") }
          return Begin(system: system, position: position, snapshot: snapshot)
        }
      }
      told.withLock { told in
        (told.begin, told.position) = (begin, begin.position)
      }
      return begin
    }

    /// The keys of the rows of a table that the hub has changed from the slot's position to
    /// another, and maybe some beyond.
    ///
    /// - Throws: `HubError`, `unavailable` where a table was truncated.
    func keys(of table: String, upTo end: HubPosition) async throws -> Set<RowDigest> {
      let stream = try await stream()
      while told.withLock({ $0.position }) < end {
        for message in try await stream.next(limit: 1000) { try take(message) }
      }
      return told.withLock { $0.keys[table] ?? [] }
    }

    private func stream() async throws -> PostgresStream {
      if let stream = told.withLock({ $0.stream }) { return stream }
      let position = try await begin().position
      let (slot, publication) = (slot, publication)
      try await connection.run { session in
        try translating("the changes cannot be read", sql: "ALTER ROLE … REPLICATION;") {
          try session.beginCopy(
            """
            START_REPLICATION SLOT \(PostgresName.quote(slot)) LOGICAL \(position) (\
            proto_version '1', publication_names '\(PostgresName.quote(publication))')
            """)
        }
      }
      let stream = PostgresStream(
        connection: connection, assembler: StreamAssembler(sources: sources, after: position),
        options: options)
      told.withLock { $0.stream = stream }
      return stream
    }

    private func take(_ message: HubMessage) throws {
      switch message {
      case .keepAlive(let position): told.withLock { $0.position = max($0.position, position) }
      case .transaction(let transaction):
        for change in transaction.changes {
          guard let table = tables[change.table] else { continue }
          let digests = try change.keys(in: table.table.synced).map { table.digest(ofKey: $0) }
          told.withLock { $0.keys[table.name, default: []].formUnion(digests) }
        }
        told.withLock { $0.position = max($0.position, transaction.position) }
      }
    }

    /// Ends it; the server drops the slot.
    func close() async { await connection.close() }
  }

  extension PostgresSession {
    /// Has the server not end a transaction that lasts, whatever the settings of the role.
    func allowLongTransactions() throws {
      guard serverVersion >= 170000 else { return }
      _ = try execute("SELECT pg_catalog.set_config('transaction_timeout', '0', false)")
    }
  }

  extension HubChange {
    /// The keys of the rows that are others then.
    fileprivate func keys(in table: SyncedTable) throws -> [[StoredValue]] {
      switch self {
      case .insert(_, let row): return [table.key(of: row)]
      case .update(_, let oldKey, let row):
        let key = table.keyPositions.compactMap { row[$0] }
        return [oldKey, key.count == table.key.count ? key : nil].compactMap(\.self)
      case .delete(_, let key): return [key]
      case .truncate(let table):
        throw HubError(
          .unavailable, message: "the table \(table) was emptied while it was compared",
          hint: "Compare it again.")
      }
    }
  }
#endif
