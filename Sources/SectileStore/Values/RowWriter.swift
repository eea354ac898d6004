internal import GRDBSQLite
public import SectileCore

/// Writes the values of one row, column after column, in the order of the entity's schema.
///
/// ```swift
/// func write(to row: inout RowWriter) throws {
///   try row.append(id)
///   try row.append(name)
/// }
/// ```
///
/// Values are bound to the parameters of a statement. Text and bytes go through a scratch area that
/// is used again for every row, so that SQLite need not allocate a copy of each.
public struct RowWriter: ~Copyable {
  @usableFromInline internal let statement: OpaquePointer
  @usableFromInline internal var position: CInt
  @usableFromInline internal let hasForms: Bool
  internal let layout: RowLayout
  private let columnCount: Int
  private let connection: OpaquePointer?
  /// Whether a row that is refused is taken back by a savepoint of its own.
  private let hasSavepoints: Bool
  private let scratch: UnsafeMutableRawBufferPointer
  private var used = 0

  /// How much text and blob of one row is bound without a copy by SQLite.
  package static let scratchByteCount = 1024

  /// Creates a writer that binds to parameters 1, 2, … of a statement.
  ///
  /// - Parameters:
  ///   - statement: A prepared statement.
  ///   - layout: The names that errors show.
  ///   - scratch: Memory that outlives the step of the statement.
  ///   - hasSavepoints: Whether ``finishRow()`` takes a row that is refused back by a savepoint of
  ///     its own.
  package init(
    statement: OpaquePointer, layout: RowLayout, scratch: UnsafeMutableRawBufferPointer,
    hasSavepoints: Bool = false
  ) {
    self.statement = statement
    self.layout = layout
    hasForms = !layout.forms.isEmpty
    columnCount = layout.columns.count
    connection = sqlite3_db_handle(statement)
    self.scratch = scratch
    self.hasSavepoints = hasSavepoints
    position = 1
  }

  /// Returns to the first parameter, for the next row.
  ///
  /// What was bound before must have been stepped.
  package mutating func rewind() {
    position = 1
    used = 0
  }

  /// Appends the value of the next column.
  ///
  /// - Throws: A ``StoreError`` with the code `encodingFailed` if SQLite cannot hold the value.
  @inlinable
  public mutating func append<Value: StorableValue>(_ value: Value) throws(StoreError) {
    do throws(ColumnValueError) {
      if hasForms, nextForm != .standard {
        try append(stored: try value.storedValue(in: nextForm))
      } else {
        try value.write(to: &self)
      }
    } catch {
      throw failure(error)
    }
  }

  /// The form of the next column.
  @usableFromInline
  internal var nextForm: ColumnEncoding {
    let offset = Int(position) - 1
    return layout.forms.indices.contains(offset) ? layout.forms[offset] : .standard
  }

  // MARK: - Storage classes

  /// Appends an integer; for implementations of ``StorableValue/write(to:)``.
  public mutating func append(integer value: Int64) throws(ColumnValueError) {
    try advance(sqlite3_bind_int64(statement, position, value))
  }

  /// Appends a real number; for implementations of ``StorableValue/write(to:)``.
  ///
  /// - Throws: An error for NaN, which SQLite would store as NULL.
  public mutating func append(real value: Double) throws(ColumnValueError) {
    guard !value.isNaN else {
      throw ColumnValueError("NaN cannot be stored, SQLite would make it NULL")
    }
    try advance(sqlite3_bind_double(statement, position, value))
  }

  /// Appends text; for implementations of ``StorableValue/write(to:)``.
  public mutating func append(text value: String) throws(ColumnValueError) {
    if let code = value.utf8.withContiguousStorageIfAvailable({ bytes in bind(text: bytes) }) {
      try advance(code)
    } else {
      try append(textInPieces: value)
    }
  }

  /// Appends text that is not stored in one piece of UTF-8, such as Objective-C's.
  private mutating func append(textInPieces value: String) throws(ColumnValueError) {
    var value = value
    let code = value.withUTF8 { bytes in bind(text: bytes) }
    try advance(code)
  }

  /// Appends bytes; for implementations of ``StorableValue/write(to:)``.
  public mutating func append(blob value: [UInt8]) throws(ColumnValueError) {
    let code = value.withUnsafeBytes { bytes in bind(blob: bytes) }
    try advance(code)
  }

  /// Appends a value in its storage class; for implementations of ``StorableValue/write(to:)``.
  public mutating func append(stored value: StoredValue) throws(ColumnValueError) {
    switch value {
    case .null:
      try advance(sqlite3_bind_null(statement, position))
    case .integer(let number): try append(integer: number)
    case .real(let number): try append(real: number)
    case .text(let text): try append(text: text)
    case .blob(let bytes): try append(blob: bytes)
    }
  }

  // MARK: - Binding

  @inline(__always)
  internal mutating func bind(text bytes: UnsafeBufferPointer<UInt8>) -> CInt {
    let (start, destructor) = place(UnsafeRawBufferPointer(bytes))
    return sqlite3_bind_text64(
      statement, position, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
      destructor, UInt8(SQLITE_UTF8))
  }

  internal mutating func bind(blob bytes: UnsafeRawBufferPointer) -> CInt {
    let (start, destructor) = place(bytes)
    return sqlite3_bind_blob64(statement, position, start, UInt64(bytes.count), destructor)
  }

  /// Copies bytes to the scratch area if there is room, else leaves the copying to SQLite.
  @inline(__always)
  private mutating func place(
    _ bytes: UnsafeRawBufferPointer
  ) -> (start: UnsafeRawPointer, destructor: sqlite3_destructor_type?) {
    guard let source = bytes.baseAddress, let base = scratch.baseAddress else {
      // An empty buffer may have no address, and a null pointer would bind NULL.
      return (UnsafeRawPointer(statement), nil)
    }
    guard bytes.count <= scratch.count - used else { return (source, copied) }
    let target = base + used
    target.copyMemory(from: source, byteCount: bytes.count)
    used += bytes.count
    return (UnsafeRawPointer(target), nil)
  }

  // MARK: - Errors

  /// Moves to the next column, unless SQLite refused the value of this one.
  @inline(__always)
  internal mutating func advance(_ code: CInt) throws(ColumnValueError) {
    guard code == SQLITE_OK else { throw refusal(code) }
    position += 1
  }

  private func refusal(_ code: CInt) -> ColumnValueError {
    switch code {
    case SQLITE_TOOBIG: return ColumnValueError("the value is longer than SQLite's limit")
    case SQLITE_RANGE: return ColumnValueError("the schema has no such column")
    default: return ColumnValueError(String(cString: sqlite3_errstr(code)))
    }
  }

  @usableFromInline
  internal func failure(_ error: ColumnValueError) -> StoreError {
    // A value that was refused left the position on its own column.
    let offset = Int(position) - 1
    let name = offset < layout.columns.count ? layout.columns[offset] : "(column \(offset + 1))"
    return StoreError(
      .encodingFailed, message: "\(layout.table).\(name) cannot be written: \(error.reason).",
      hint: error.hint ?? "Give the property a value that its column can hold.",
      storedValue: error.value)
  }

  /// Checks that every column has been written.
  package func checkIsComplete() throws(StoreError) {
    guard Int(position) - 1 == columnCount else { throw isIncomplete() }
  }

  private func isIncomplete() -> StoreError {
    StoreError(
      .encodingFailed,
      message:
        "A row of \(layout.table) has \(columnCount) columns, \(position - 1) were written.",
      hint: "Let write(to:) append exactly the attributes of the schema, in their order.")
  }

  // MARK: - Rows

  /// Runs the statement with the row that was written, and begins the next row.
  ///
  /// - Returns: How many rows of the table were changed.
  @usableFromInline
  package mutating func finishRow() throws(StoreError) -> Int {
    try checkIsComplete()
    if hasSavepoints { try run("SAVEPOINT sectile_row") }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    guard code == SQLITE_DONE else { throw refusal(ofRow: code) }
    let changed = Int(sqlite3_changes(connection))
    sqlite3_reset(statement)
    if hasSavepoints { try run("RELEASE sectile_row") }
    rewind()
    return changed
  }

  /// The error for a row that SQLite refused; nothing of the row is left.
  private func refusal(ofRow code: CInt) -> StoreError {
    let error = RawStatement.failure(code, of: statement)
    guard hasSavepoints else { return error }
    sqlite3_reset(statement)
    // Where the error has ended the whole transaction, the savepoint is gone with it.
    sqlite3_exec(connection, "ROLLBACK TO sectile_row; RELEASE sectile_row", nil, nil, nil)
    return error
  }

  private func run(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw RawStatement.failure(code, of: statement) }
  }
}
