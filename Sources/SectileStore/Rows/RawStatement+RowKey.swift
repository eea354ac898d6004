import GRDBSQLite
import SectileCore

extension RawStatement {
  /// The key that some columns of the current row are.
  ///
  /// - Throws: `decodingFailed` for text that is not UTF-8.
  @inline(__always)
  func key(at columns: some RandomAccessCollection<Int>) throws(StoreError) -> RowKey {
    if columns.count == 1, let column = columns.first {
      // Most keys are one integer, which need not become a value first.
      if sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER {
        return .integer(sqlite3_column_int64(handle, Int32(column)))
      }
      return RowKey(try columnValue(at: column))
    }
    var values: [StoredValue] = []
    for column in columns { values.append(try columnValue(at: column)) }
    return RowKey(values)
  }

  /// Binds a key to the parameters from `first` on.
  func bind(_ key: RowKey, from first: Int) throws(StoreError) {
    switch key {
    case .integer(let integer): try bind(.integer(integer), at: first)
    case .value(let value): try bind(value, at: first)
    case .values(let values): try bind(values, from: first)
    }
  }
}
