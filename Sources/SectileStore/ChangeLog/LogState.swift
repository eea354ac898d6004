package import GRDB
internal import SectileCore

/// What a file says about its change log.
package struct LogState: Hashable, Sendable {
  /// The newest form of the log's tables that is understood, where values are kept; files with a
  /// newer one are treated as if they had no log.
  ///
  /// Versions that do not know of values must not put the triggers that keep them in order.
  static let format: Int64 = 2
  /// The form of a log whose file has never kept values.
  static let plainFormat: Int64 = 1

  /// The identity of the log: random, another one for each that is switched on.
  package let store: UInt128
  /// Grows where the log begins anew in one file.
  package let epoch: Int64
  /// Up to where rows were removed.
  package let pruned: LogPoint
  /// Whether tables that are created get their triggers by themselves.
  package let followsAllTables: Bool
  /// The tables whose changes are logged.
  package let tables: [LoggedTable]

  /// Reads what a file says; nil where it has no log, or one of a newer format.
  ///
  /// - Parameter db: The connection; what is read is of one state of the file only inside a
  ///   transaction.
  /// - Throws: What reading throws.
  package init?(in db: Database) throws {
    try self.init(in: db, tables: LoggedTable.all(in:))
  }

  /// Reads what a file says, and its tables in another way; nil where it has no log, or one of a
  /// newer format.
  ///
  /// - Parameters:
  ///   - db: The connection; what is read is of one state of the file only inside a transaction.
  ///   - readTables: Reads the tables. To find out whether all of their triggers are there takes
  ///     longer than all the rest; see ``LoggedTables`` for more information.
  /// - Throws: What reading throws.
  init?(in db: Database, tables readTables: (Database) throws -> [LoggedTable]) throws {
    guard try Self.isThere(in: db) else { return nil }
    // Another format has other columns.
    guard
      let statement = try? RawStatement.prepare(
        "SELECT store, epoch, pruned_to, pruned_salt, format, all_tables FROM main.sectile_log_state",
        on: db)
    else { return nil }
    guard try statement.step(), statement.castInteger(at: 4) <= Self.format,
      case .blob(let store) = try statement.columnValue(at: 0), store.count == 16
    else { return nil }
    self.store = Self.identity(of: store)
    epoch = statement.castInteger(at: 1)
    pruned = LogPoint(
      sequence: statement.castInteger(at: 2), salt: statement.castInteger(at: 3))
    followsAllTables = statement.castInteger(at: 5) != 0
    tables = try readTables(db)
  }

  /// Whether a file has a log that can be read.
  ///
  /// - Throws: What reading throws.
  static func isReadable(in db: Database) throws -> Bool {
    try LogState(in: db, tables: { _ in [] }) != nil
  }

  /// Whether the triggers are not those that the tables need, or a table lacks them.
  ///
  /// - Throws: What reading the schema throws.
  func needsRepair(in db: Database) throws -> Bool {
    if tables.contains(where: { !$0.isIntact }) { return true }
    guard followsAllTables else { return false }
    let known = Set(tables.map { $0.name.lowercased() })
    return try TableSchema.all(in: db).contains { table in
      guard !known.contains(table.name.lowercased()),
        case .tracked = try LogTriggers.of(table, id: 0, in: db)
      else { return false }
      return true
    }
  }

  /// Whether a file has the tables of a log, of whatever format.
  ///
  /// - Throws: What reading throws.
  package static func isThere(in db: Database) throws -> Bool {
    let statement = try RawStatement.cached(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = 'sectile_log_state'",
      on: db)
    defer { statement.reset() }
    return try statement.step()
  }

  /// The table of a name, in any case, where its changes are logged completely.
  func table(named name: String) -> LoggedTable? {
    let name = name.lowercased()
    return tables.first { $0.isIntact && $0.name.lowercased() == name }
  }

  /// The tables whose changes are logged completely, by their names in lower case.
  var tablesByName: [String: LoggedTable] {
    Dictionary(
      tables.lazy.filter(\.isIntact).map { ($0.name.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the identity that bytes of the file stand for.
  static func identity(of bytes: [UInt8]) -> UInt128 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Returns the bytes that stand for an identity in the file.
  static func bytes(of store: UInt128) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: store >> UInt128(8 * $0)) }
  }
}
