internal import GRDB
internal import GRDBSQLite
internal import SectileCore

extension Statement {
  /// Binds the first values to this statement's marks and drops them.
  ///
  /// GRDB's own binding cuts text at its first NUL.
  func bind(_ values: inout ArraySlice<StoredValue>) throws(StoreError) {
    // Tells GRDB that the arguments are seen to, and resets the statement.
    setUncheckedArguments([])
    let count = Int(sqlite3_bind_parameter_count(sqliteStatement))
    guard values.count >= count else {
      throw .valueCount(sql: sql)
    }
    for position in 0..<count {
      let code = values.removeFirst().bind(to: sqliteStatement, at: CInt(position) + 1)
      guard code == SQLITE_OK else {
        throw .sqlite(code, on: sqlite3_db_handle(sqliteStatement), sql: sql)
      }
    }
  }

  /// Reads a column of the current row.
  func storedValue(at column: Int, row: Int) throws(StoreError) -> StoredValue {
    let position = CInt(column)
    switch sqlite3_column_type(sqliteStatement, position) {
    case SQLITE_INTEGER:
      return .integer(sqlite3_column_int64(sqliteStatement, position))
    case SQLITE_FLOAT:
      return .real(sqlite3_column_double(sqliteStatement, position))
    case SQLITE_TEXT:
      // The pointer comes first: asking for the size first could convert the value.
      let start = sqlite3_column_text(sqliteStatement, position)
      let count = Int(sqlite3_column_bytes(sqliteStatement, position))
      let bytes = UnsafeBufferPointer(start: start, count: count)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw StoreError(
          .invalidText,
          message: "column \(columnNames[column]), row \(row): text of \(count) bytes is not UTF-8",
          hint: "Read it with CAST(… AS BLOB), or repair the row. The statement is: \(sql)")
      }
      return .text(text)
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(sqliteStatement, position)
      let count = Int(sqlite3_column_bytes(sqliteStatement, position))
      return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default:
      return .null
    }
  }
}

extension StoredValue {
  /// Binds a copy of this value to a mark, counted from one, and returns SQLite's result code.
  func bind(to statement: OpaquePointer, at position: CInt) -> CInt {
    // SQLITE_TRANSIENT, a macro Swift does not import: SQLite copies the bytes.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch self {
    case .null:
      return sqlite3_bind_null(statement, position)
    case .integer(let integer):
      return sqlite3_bind_int64(statement, position, integer)
    case .real(let real):
      return sqlite3_bind_double(statement, position, real)
    case .text(var text):
      return text.withUTF8 { bytes in
        // An empty buffer may have no address, which would bind NULL.
        guard let start = bytes.baseAddress else {
          return sqlite3_bind_text(statement, position, "", 0, copying)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
          sqlite3_bind_text64(
            statement, position, start, UInt64(bytes.count), copying, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else {
        return sqlite3_bind_zeroblob(statement, position, 0)
      }
      return bytes.withUnsafeBytes { bytes in
        sqlite3_bind_blob64(
          statement, position, bytes.baseAddress, UInt64(bytes.count), copying)
      }
    }
  }
}

extension StoreError {
  static func valueCount(sql: String) -> StoreError {
    StoreError(
      .valueCount, message: "There are not as many values as ? marks: \(sql)",
      hint: "Give one value for each ? mark, in order.")
  }
}
