internal import GRDBSQLite
package import SectileCore

extension RawStatement {
  /// A column of the current row, for strict reading.
  package func column(at index: Int) -> StoredColumn {
    StoredColumn(statement: handle, index: CInt(index))
  }

  /// The value of a column of the current row, in the storage class it has.
  ///
  /// - Throws: `decodingFailed` for text that is not UTF-8.
  package func columnValue(at index: Int) throws(StoreError) -> StoredValue {
    do throws(ColumnValueError) {
      return try column(at: index).value()
    } catch {
      throw StoreError(
        .decodingFailed, message: "Column \(columnName(at: index)): \(error.reason), in: \(sql)",
        hint: error.hint, storedValue: error.value)
    }
  }

  /// The values of all columns of the current row.
  package func rowValues() throws(StoreError) -> [StoredValue] {
    var values: [StoredValue] = []
    let count = columnCount
    values.reserveCapacity(count)
    for index in 0..<count {
      values.append(try columnValue(at: index))
    }
    return values
  }

  /// Whether a column of the current row is NULL.
  package func isNull(at index: Int) -> Bool {
    sqlite3_column_type(handle, CInt(index)) == SQLITE_NULL
  }

  /// A column as SQLite casts it to an integer: 0 for what is not a number.
  package func castInteger(at index: Int) -> Int64 {
    sqlite3_column_int64(handle, CInt(index))
  }

  /// Calls `body` with the bytes of a column as SQLite casts it to text; empty for NULL.
  ///
  /// The bytes are valid inside `body` only, and need not be UTF-8.
  package func withTextBytes<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let start = sqlite3_column_text(handle, CInt(index))
    let count = Int(sqlite3_column_bytes(handle, CInt(index)))
    return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
