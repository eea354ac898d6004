internal import GRDBSQLite
package import SectileCore

/// A statement of an ``InspectionConnection``, ready to run as often as needed.
///
/// ```swift
/// let insertion = try connection.prepare("INSERT INTO tool VALUES (?, ?)")
/// try insertion.run([.integer(1), .text("saw")])
/// ```
package final class InspectionStatement {
  /// The names of the columns it yields; none for a statement without rows.
  ///
  /// Another connection may change the schema after the statement was prepared. SQLite then
  /// prepares it anew when it is started, and the names are those of the rows from
  /// ``start(_:invalidText:)`` on: whoever shows them asks after the first ``next()``.
  package private(set) var columnNames: [String]
  /// How many `?` marks it has.
  package let parameterCount: Int
  /// Its text.
  package let sql: String
  /// Whether it leaves the file as it is, as far as SQLite can tell.
  package var isReadOnly: Bool { raw.isReadOnly }
  /// Whether it is an `EXPLAIN QUERY PLAN`.
  package var isQueryPlan: Bool { sqlite3_stmt_isexplain(statement) == 2 }

  /// Whether text that is not UTF-8 comes as the blob of its bytes, so that nothing of it is lost,
  /// instead of as text with replacement characters.
  package var keepsInvalidText = false
  /// The columns of the row that was just read whose text was not UTF-8, in order; always none
  /// unless ``keepsInvalidText`` is set.
  package private(set) var invalidTextColumns: [Int] = []

  let statement: OpaquePointer
  let connection: InspectionConnection
  /// The same statement, for what needs no rules of its own.
  let raw: RawStatement
  /// How often SQLite had prepared it anew when the names were read.
  private var preparationCount: Int32 = 0
  private var isAtFirstStep = false

  init(_ statement: OpaquePointer, on connection: InspectionConnection) {
    self.statement = statement
    self.connection = connection
    let raw = RawStatement(handle: statement)
    self.raw = raw
    columnNames = raw.columnNames
    parameterCount = raw.parameterCount
    sql = raw.sql
  }

  /// Reads the names again where SQLite has prepared the statement anew.
  func noteStep() {
    guard isAtFirstStep else { return }
    isAtFirstStep = false
    let count = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
    if count == preparationCount { return }
    preparationCount = count
    columnNames = raw.columnNames
  }

  deinit {
    sqlite3_finalize(statement)
    connection.didRun()
  }

  /// Runs the statement.
  ///
  /// - Parameters:
  ///   - values: A value for each `?` mark, in order; marks without a value are NULL.
  ///   - invalidText: The positions of blobs that are bound as text which is not UTF-8.
  ///   - row: Hears each row.
  /// - Throws: ``StoreError``; `valueCount` for more values than marks; or what the closure throws,
  ///   which ends the run.
  package func run(
    _ values: [StoredValue] = [], invalidText: [Int] = [],
    row: (_ values: [StoredValue]) throws -> Void = { _ in }
  ) throws {
    defer { reset() }
    try start(values, invalidText: invalidText)
    while let values = try next() { try row(values) }
  }

  /// Starts the statement; its rows are asked for with ``next()``.
  ///
  /// A read transaction stays open until the last row was asked for, or ``reset()``.
  ///
  /// - Parameters:
  ///   - values: A value for each `?` mark, in order; marks without a value are NULL.
  ///   - invalidText: The positions of blobs that are bound as text which is not UTF-8.
  /// - Throws: ``StoreError``; `valueCount` for more values than marks.
  package func start(
    _ values: [StoredValue] = [], invalidText: [Int] = []
  ) throws(StoreError) {
    guard values.count <= parameterCount else {
      throw StoreError.valueCount(values.count, marks: parameterCount, sql: sql)
    }
    reset()
    for (offset, value) in values.enumerated() {
      try set(value, at: offset)
    }
    for offset in invalidText where offset < values.count {
      guard case .blob(let bytes) = values[offset] else { continue }
      try setTextCopy(bytes, at: offset)
    }
    try connection.willRun(self)
    isAtFirstStep = true
  }

  /// Returns the next row of a statement that was started; nil after the last one.
  ///
  /// - Throws: ``StoreError``.
  package func next() throws(StoreError) -> [StoredValue]? {
    if !invalidTextColumns.isEmpty { invalidTextColumns = [] }
    return try step() ? columnNames.indices.map(value) : nil
  }

  /// Sets the value of a `?` mark, for ``runWithSetValues()``.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - position: The mark's position, from zero.
  /// - Throws: ``StoreError`` where SQLite does not take it.
  package func set(_ value: StoredValue, at position: Int) throws(StoreError) {
    try check(bind(value, at: Int32(position + 1)))
  }

  /// Sets the text of a `?` mark without copying it; see ``set(_:at:)``.
  ///
  /// - Parameters:
  ///   - bytes: The text, in UTF-8 or not. They must stay until the statement has run.
  ///   - position: The mark's position, from zero.
  /// - Throws: ``StoreError`` where SQLite does not take it.
  package func setText(
    _ bytes: UnsafeBufferPointer<UInt8>, at position: Int
  ) throws(StoreError) {
    try check(raw.bindText(bytes, at: Int32(position + 1), isCopied: false))
  }

  /// Sets the text of a `?` mark by its bytes, which may not be UTF-8; see ``set(_:at:)``.
  package func setTextCopy(_ bytes: [UInt8], at position: Int) throws(StoreError) {
    try check(bytes.withUnsafeBufferPointer { raw.bindText($0, at: Int32(position + 1)) })
  }

  /// Runs a statement that yields no rows, with the values that were set.
  ///
  /// The values stay for the next run; whoever runs it again sets all of them.
  ///
  /// - Throws: ``StoreError``.
  package func runWithSetValues() throws(StoreError) {
    try connection.willRun(self)
    defer { connection.didRun() }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    guard code == SQLITE_DONE else {
      let error = connection.failure(sql: sql)
      sqlite3_reset(statement)
      throw error
    }
    sqlite3_reset(statement)
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw connection.failure(sql: sql) }
  }

  /// Ends the statement's run and forgets its values.
  package func reset() {
    sqlite3_reset(statement)
    connection.didRun()
    sqlite3_clear_bindings(statement)
  }

  /// Returns the bytes of a text, or of any value as text, in the row that is being heard.
  ///
  /// ``run(_:row:)`` repairs text that is not UTF-8; whoever must not lose it asks for the bytes.
  ///
  /// - Parameter column: The column's position.
  /// - Returns: The bytes, in UTF-8 where they make sense.
  /// - Precondition: Called in the closure that hears the row.
  package func textBytes(at column: Int) -> [UInt8] {
    raw.withTextBytes(at: column) { [UInt8]($0) }
  }

  private func bind(_ value: StoredValue, at position: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, position)
    case .integer(let number): return sqlite3_bind_int64(statement, position, number)
    case .real(let number): return sqlite3_bind_double(statement, position, number)
    case .text(var text): return text.withUTF8 { raw.bindText($0, at: position) }
    case .blob(let bytes): return bytes.withUnsafeBytes { raw.bindBlob($0, at: position) }
    }
  }

  private func value(at column: Int) -> StoredValue {
    switch exactValue(at: column) {
    case .value(let value): return value
    case .invalidText(let bytes):
      guard keepsInvalidText else { return .text(String(decoding: bytes, as: UTF8.self)) }
      invalidTextColumns.append(column)
      return .blob(bytes)
    }
  }
}
