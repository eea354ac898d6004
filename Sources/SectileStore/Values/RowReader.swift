internal import GRDBSQLite
internal import SectileCore

/// Reads the values of one row, column after column, in the order of the entity's schema.
///
/// ```swift
/// init(row: inout RowReader) throws {
///   id = try row.next()
///   name = try row.next()
/// }
/// ```
///
/// Reading is strict; ``StorableValue`` says which column fits which type. What does not fit is a
/// ``StoreError`` with the code `decodingFailed` that names the table, the column, the key of the
/// row and what was found.
public struct RowReader: ~Copyable {
  @usableFromInline internal let statement: OpaquePointer
  @usableFromInline internal let firstColumn: CInt
  @usableFromInline internal let endColumn: CInt
  @usableFromInline internal var position: CInt
  @usableFromInline internal let hasForms: Bool
  internal let layout: RowLayout

  /// Creates a reader of the columns that a layout names, the first of them at `firstColumn`.
  package init(statement: OpaquePointer, firstColumn: Int = 0, layout: RowLayout) {
    self.statement = statement
    self.firstColumn = CInt(firstColumn)
    endColumn = CInt(firstColumn + layout.columns.count)
    position = CInt(firstColumn)
    hasForms = !layout.forms.isEmpty
    self.layout = layout
  }

  /// Returns to the first column, for the next row of the same statement.
  @inlinable
  package mutating func rewind() {
    position = firstColumn
  }

  /// Moves on to the next row of the statement, and to its first column.
  ///
  /// - Returns: False if there is no further row.
  @usableFromInline
  package mutating func nextRow() throws(StoreError) -> Bool {
    position = firstColumn
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw RawStatement.failure(code, of: statement)
    }
  }

  /// Reads the next column.
  ///
  /// - Throws: A ``StoreError`` with the code `decodingFailed` if the column does not fit the type.
  @inlinable
  @inline(__always)
  public mutating func next<Value: StorableValue>(
    _ type: Value.Type = Value.self
  ) throws(StoreError) -> Value {
    let column = try nextColumn()
    do throws(ColumnValueError) {
      return try Value(stored: column)
    } catch {
      throw failure(error, at: column)
    }
  }

  /// Passes over the next column.
  public mutating func skip() throws(StoreError) {
    _ = try nextColumn()
  }

  @inlinable
  @inline(__always)
  internal mutating func nextColumn() throws(StoreError) -> StoredColumn {
    guard position < endColumn else { throw tooManyReads() }
    let column = StoredColumn(
      statement: statement, index: position, form: hasForms ? nextForm : .standard)
    position += 1
    return column
  }

  @usableFromInline
  internal var nextForm: ColumnEncoding { layout.forms[Int(position - firstColumn)] }

  // MARK: - Errors

  @usableFromInline
  internal func tooManyReads() -> StoreError {
    StoreError(
      .decodingFailed,
      message: "A row of \(layout.table) has \(layout.columns.count) columns, and more were read.",
      hint: "Let init(row:) read exactly the attributes of the schema, in their order.")
  }

  @usableFromInline
  internal func failure(_ error: ColumnValueError, at column: StoredColumn) -> StoreError {
    let name = layout.columns[Int(column.index - firstColumn)]
    return StoreError(
      .decodingFailed,
      message: "\(layout.table).\(name) of a row: \(error.reason).",
      hint: error.hint ?? "Correct the stored value, or change the type of the property.",
      storedValue: error.value, rowKey: rowKey)
  }

  /// The key of the current row; nil where one of its columns holds text that is not UTF-8.
  private var rowKey: [StoredValue]? {
    try? layout.keyOffsets.map { offset in
      try StoredColumn(statement: statement, index: firstColumn + CInt(offset)).value()
    }
  }
}
