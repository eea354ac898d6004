internal import GRDBSQLite
public import SectileCore

/// One column of the row a statement stands on, read strictly.
///
/// Each accessor accepts the storage classes it names and nothing else: SQLite's silent casts
/// (`'abc'` to 0) never happen. A column is valid until its statement moves on; read it at once.
@frozen
public struct StoredColumn {
  @usableFromInline internal let statement: OpaquePointer
  @usableFromInline internal let index: CInt
  /// How the column holds a UUID, a date or a decimal number, as it is declared.
  public let form: ColumnEncoding

  @inlinable
  package init(statement: OpaquePointer, index: CInt, form: ColumnEncoding = .standard) {
    self.statement = statement
    self.index = index
    self.form = form
  }

  /// SQLite's value, which is looked up once and then asked for its type and what it holds.
  ///
  /// What asks it takes no mutex; here a connection belongs to one thread at a time.
  private var stored: OpaquePointer? { sqlite3_column_value(statement, index) }

  /// Whether the column is NULL.
  public var isNull: Bool { sqlite3_column_type(statement, index) == SQLITE_NULL }

  /// Returns the integer of a column that holds one.
  public func integer() throws(ColumnValueError) -> Int64 {
    let value = stored
    guard sqlite3_value_type(value) == SQLITE_INTEGER else {
      throw mismatch(expected: "an integer")
    }
    return sqlite3_value_int64(value)
  }

  /// Returns the number of a column that holds a real or an integer.
  ///
  /// SQLite keeps an integral real as an integer in columns without REAL affinity, so an integer
  /// is a real here, provided that a `Double` represents it exactly.
  public func real() throws(ColumnValueError) -> Double {
    let value = stored
    switch sqlite3_value_type(value) {
    case SQLITE_FLOAT:
      return sqlite3_value_double(value)
    case SQLITE_INTEGER:
      if let number = Double(exactly: sqlite3_value_int64(value)) { return number }
      throw mismatch(expected: "a number that a Double represents exactly")
    default:
      throw mismatch(expected: "a real number")
    }
  }

  /// Returns the text of a column that holds valid UTF-8; zero characters inside are kept.
  public func text() throws(ColumnValueError) -> String {
    let value = stored
    guard sqlite3_value_type(value) == SQLITE_TEXT else {
      throw mismatch(expected: "text")
    }
    guard let start = sqlite3_value_text(value) else {
      throw ColumnValueError("there was no memory for the text")
    }
    let count = Int(sqlite3_value_bytes(value))
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let text = StoredText.decode(bytes) else {
      throw ColumnValueError("expected text, found \(count) bytes that are not UTF-8")
    }
    return text
  }

  /// Returns the bytes of a column that holds a blob.
  public func blob() throws(ColumnValueError) -> [UInt8] {
    try withBlob { bytes in [UInt8](bytes) }
  }

  /// Calls `body` with the bytes of a column that holds a blob; they are valid inside it only.
  public func withBlob<Result>(
    _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(ColumnValueError) -> Result {
    let value = stored
    guard sqlite3_value_type(value) == SQLITE_BLOB else {
      throw mismatch(expected: "a blob")
    }
    let start = sqlite3_value_blob(value)
    let count = Int(sqlite3_value_bytes(value))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// Returns the value in the storage class it has.
  public func value() throws(ColumnValueError) -> StoredValue {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: return .text(try text())
    default: return .blob(try blob())
    }
  }

  /// Returns an error that says what was expected, and of what kind and length the value is that
  /// this column holds.
  ///
  /// The value itself is in ``ColumnValueError/value``.
  ///
  /// - Parameters:
  ///   - expected: A noun with its article, such as `a colour`.
  ///   - hint: What to do about it; nil for the usual hint.
  /// - Returns: The error, to be thrown.
  public func mismatch(expected: String, hint: String? = nil) -> ColumnValueError {
    ColumnValueError(
      "expected \(expected), found \(summary)", hint: hint, value: try? value())
  }

  /// The kind and the length of the value, never the value itself: it may be anybody's secret.
  internal var summary: String {
    switch sqlite3_column_type(statement, index) {
    case SQLITE_NULL: return "NULL"
    case SQLITE_INTEGER: return "an integer"
    case SQLITE_FLOAT: return "a real number"
    case SQLITE_TEXT:
      guard let text = try? text() else { return "text that is not UTF-8" }
      return "a text of \(text.count) character\(text.count == 1 ? "" : "s")"
    default:
      let count = sqlite3_column_bytes(statement, index)
      return "a blob of \(count) byte\(count == 1 ? "" : "s")"
    }
  }

  /// The beginning of a text, quoted, control characters escaped.
  internal static func excerpt(_ text: String) -> String {
    let limit = 40
    let start = text.prefix(limit)
    return String(start).debugDescription + (start.endIndex == text.endIndex ? "" : "…")
  }
}
