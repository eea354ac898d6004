import CSQLite
import GRDB
import GRDBSQLite

/// What the pre-update hook shows of rows that were written before a column was added to their
/// table.
///
/// Such rows end before the column, and reading them gives its default. The hook of some versions
/// of SQLite, 3.40 for one, gives NULL instead: a value that is the same object for all of them, so
/// that it can be told from a NULL that was written. What the linked library does is found out by
/// trying.
enum ShortRows {
  /// The default, as reading does.
  case areFilled
  /// NULL, and always the one at this address.
  case areMarked(UInt)
  /// Something else, or any NULL.
  case areUnclear

  /// What the linked library does.
  static let shown = (try? ShortRowTrial().run()) ?? .areUnclear

  /// Whether the value stands for a column that the row is too short for: it is the column's
  /// default, or NULL without one.
  @inline(__always)
  static func hides(_ value: OpaquePointer) -> Bool {
    guard case .areMarked(let address) = shown else { return false }
    return address == UInt(bitPattern: value)
  }
}

/// Looks at what the hook shows of a short row and a long one.
private final class ShortRowTrial {
  private static let schema = """
    CREATE TABLE t (a);
    INSERT INTO t VALUES (1);
    ALTER TABLE t ADD COLUMN b DEFAULT 7;
    ALTER TABLE t ADD COLUMN c DEFAULT 7;
    INSERT INTO t VALUES (2, NULL, NULL);
    """

  // Set by the hook while a statement runs: two columns of the short row, then two of the long one.
  private var values: [(type: Int32, number: Int64, address: UInt)] = []

  func run() throws -> ShortRows {
    try DatabaseQueue().inDatabase { db in
      try db.execute(sql: Self.schema)
      let connection = db.sqliteConnection
      defer { _ = sqlite3_preupdate_hook(connection, nil, nil) }
      _ = sqlite3_preupdate_hook(
        connection,
        { context, connection, operation, _, _, _, _ in
          guard let context, let connection else { return }
          Unmanaged<ShortRowTrial>.fromOpaque(context).takeUnretainedValue().note(
            PreUpdate(connection: connection, operation: operation, oldRowID: 0, newRowID: 0))
        }, Unmanaged.passUnretained(self).toOpaque())
      try RawStatement.prepare("UPDATE t SET a = a", on: db).run()
    }
    return verdict
  }

  private func note(_ row: PreUpdate) {
    for column in [Int32(1), 2] {
      let value = row.value(.before, column)
      values.append(
        (sqlite3_value_type(value), sqlite3_value_int64(value), UInt(bitPattern: value)))
    }
  }

  private var verdict: ShortRows {
    guard values.count == 4, values[2...].allSatisfy({ $0.type == SQLITE_NULL }) else {
      return .areUnclear
    }
    let short = values[..<2]
    if short.allSatisfy({ $0.type == SQLITE_INTEGER && $0.number == 7 }) { return .areFilled }
    let address = short[0].address
    let isMarked =
      short.allSatisfy { $0.type == SQLITE_NULL && $0.address == address }
      && values[2...].allSatisfy { $0.address != address }
    return isMarked ? .areMarked(address) : .areUnclear
  }
}
