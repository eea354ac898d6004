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
  package var isReadOnly: Bool { sqlite3_stmt_readonly(statement) != 0 }
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
  /// How often SQLite had prepared it anew when the names were read.
  private var preparationCount: Int32 = 0
  private var isAtFirstStep = false

  init(_ statement: OpaquePointer, on connection: InspectionConnection) {
    self.statement = statement
    self.connection = connection
    columnNames = Self.columnNames(of: statement)
    parameterCount = Int(sqlite3_bind_parameter_count(statement))
    sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }

  private static func columnNames(of statement: OpaquePointer) -> [String] {
    (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
    }
  }

  /// Reads the names again where SQLite has prepared the statement anew.
  func noteStep() {
    guard isAtFirstStep else { return }
    isAtFirstStep = false
    let count = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0)
    if count == preparationCount { return }
    preparationCount = count
    columnNames = Self.columnNames(of: statement)
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
      guard bind(value, at: Int32(offset + 1)) == SQLITE_OK else {
        throw connection.failure(sql: sql)
      }
    }
    for offset in invalidText where offset < values.count {
      guard case .blob(let bytes) = values[offset] else { continue }
      guard bytes.withUnsafeBytes({ bindText($0, at: Int32(offset + 1)) }) == SQLITE_OK else {
        throw connection.failure(sql: sql)
      }
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
    let start = UnsafeRawBufferPointer(bytes).bindMemory(to: CChar.self).baseAddress
    // Without an address it would be NULL.
    try check(
      sqlite3_bind_text64(
        statement, Int32(position + 1), start ?? Self.noText, UInt64(bytes.count), nil,
        UInt8(SQLITE_UTF8)))
  }

  /// Sets the text of a `?` mark by its bytes, which may not be UTF-8; see ``set(_:at:)``.
  package func setTextCopy(_ bytes: [UInt8], at position: Int) throws(StoreError) {
    try check(bytes.withUnsafeBytes { bindText($0, at: Int32(position + 1)) })
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

  /// An address for the empty text.
  nonisolated(unsafe) private static let noText: UnsafePointer<CChar> = {
    let start = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    start.initialize(to: 0)
    return UnsafePointer(start)
  }()

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
    let start = sqlite3_column_text(statement, Int32(column))
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  private func bind(_ value: StoredValue, at position: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, position)
    case .integer(let number): return sqlite3_bind_int64(statement, position, number)
    case .real(let number): return sqlite3_bind_double(statement, position, number)
    case .text(var text):
      return text.withUTF8 { bindText(UnsafeRawBufferPointer($0), at: position) }
    case .blob(let bytes):
      if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, position, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(
          statement, position, $0.baseAddress, UInt64($0.count), Self.transient)
      }
    }
  }

  private func bindText(_ bytes: UnsafeRawBufferPointer, at position: Int32) -> Int32 {
    // An empty buffer may have no address, which would mean NULL.
    guard let start = bytes.bindMemory(to: CChar.self).baseAddress else {
      return sqlite3_bind_text(statement, position, "", 0, Self.transient)
    }
    return sqlite3_bind_text64(
      statement, position, start, UInt64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
  }

  /// Tells SQLite to copy what it is given.
  private static var transient: sqlite3_destructor_type? {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
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
