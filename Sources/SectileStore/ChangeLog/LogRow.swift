internal import GRDB
internal import GRDBSQLite
internal import SectileCore

/// A row of the change log that a statement stands on.
struct LogRow {
  /// The columns that are read, in the order in which they are.
  static let columns = "seq, tbl, op, salt, k0, k1, k2, k3"

  private let statement: RawStatement

  /// Reads the row that a statement stands on, which selects ``columns``.
  init(_ statement: RawStatement) { self.statement = statement }

  /// Which row it is.
  var point: LogPoint {
    LogPoint(sequence: statement.castInteger(at: 0), salt: statement.castInteger(at: 3))
  }

  /// The number of the table; zero where the row is about none.
  var table: Int64 { statement.castInteger(at: 1) }

  /// What happened; nil where that is not known to this version.
  var operation: LogOperation? { LogOperation(rawValue: statement.castInteger(at: 2)) }

  /// A value of the key.
  ///
  /// - Throws: `decodingFailed` for text that is not UTF-8.
  func value(_ position: Int) throws(StoreError) -> StoredValue {
    try statement.columnValue(at: 4 + position)
  }

  /// A value of the key; text that is not UTF-8 as the blob of its bytes.
  func exactValue(_ position: Int) -> StoredValue { statement.exactValue(at: 4 + position) }

  /// The key that some of the values are.
  ///
  /// - Throws: `decodingFailed` for text that is not UTF-8.
  func key(at positions: [Int]) throws(StoreError) -> RowKey {
    if positions.count == 1,
      sqlite3_column_type(statement.handle, CInt(4 + positions[0])) == SQLITE_INTEGER
    {
      return .integer(statement.castInteger(at: 4 + positions[0]))
    }
    var values: [StoredValue] = []
    values.reserveCapacity(positions.count)
    for position in positions { values.append(try value(position)) }
    return RowKey(values)
  }
}

extension RawStatement {
  /// A value of the row; text that is not UTF-8 as the blob of its bytes.
  func exactValue(at column: Int) -> StoredValue {
    if let value = try? columnValue(at: column) { return value }
    let bytes = sqlite3_column_blob(handle, CInt(column))
    let count = Int(sqlite3_column_bytes(handle, CInt(column)))
    return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)))
  }
}
