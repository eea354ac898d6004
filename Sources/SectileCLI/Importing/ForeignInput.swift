internal import Sectile
internal import SectileInspecting

/// The rows of a table of another database, or of a query over such, as an input of an import.
///
/// It has a connection of its own, which cannot write, so that what is read is neither changed by
/// the import nor sees what the import writes. All readings see the same state of the files.
final class ForeignInput: ImportReading {
  let name: String
  let isTyped = true
  let isExact = true
  let declaredTypes: [String: String]
  let progressUnit = Progress.Unit.count

  private let connection: InspectionConnection
  private let statement: InspectionStatement
  // MARK: - Mutable state
  //
  // - `checkpoint`: used on the thread that imports.
  private var checkpoint: (_ position: Int, _ count: Int?) throws -> Void = { _, _ in }

  /// Prepares the reading of a table or view.
  ///
  /// - Parameters:
  ///   - table: Its name.
  ///   - name: What messages call it.
  ///   - connection: A connection for reading, whose own file has the table.
  /// - Throws: ``CommandFailure`` where there is no such table; ``StoreError``.
  convenience init(
    table: String, name: String, on connection: InspectionConnection
  ) throws {
    let shape = try TableShape(of: table, in: connection.path, on: connection)
    let schema = try TableSchema(of: shape.name, in: connection)
    let columns = (schema?.columns ?? []).filter { $0.origin == .written }
    if columns.isEmpty {
      throw CommandFailure(
        .data, "\(name) has no columns that could be imported",
        hint: "Columns that SQLite generates are left out; --query may read them.")
    }
    // What a view or a module says of types binds nobody.
    let isTable = schema?.kind.isStored ?? false
    let types = columns.map { ($0.name.lowercased(), Self.type($0.declaredType)) }
    let list = columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
    try self.init(
      "SELECT \(list) FROM main.\(SQLName.quote(shape.name))", name: name,
      declaredTypes: isTable ? Dictionary(types) { first, _ in first } : [:], on: connection)
  }

  /// Prepares the reading of a query.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - connection: A connection for reading.
  /// - Throws: ``CommandFailure`` for what is no query; ``StoreError``.
  convenience init(query: String, on connection: InspectionConnection) throws {
    try self.init(query, name: "the query", declaredTypes: [:], on: connection)
  }

  private init(
    _ sql: String, name: String, declaredTypes: [String: String],
    on connection: InspectionConnection
  ) throws {
    self.name = name
    self.declaredTypes = declaredTypes
    self.connection = connection
    statement = try connection.prepare(sql)
    statement.keepsInvalidText = true
    if statement.columnNames.isEmpty {
      throw CommandFailure(.data, "the statement yields no rows", hint: "Write a SELECT.")
    }
    var seen: Set<String> = []
    for column in statement.columnNames where !seen.insert(column.lowercased()).inserted {
      throw CommandFailure(
        .data, "\(name) has the column '\(column)' twice",
        hint: "Give its columns names of their own with AS.")
    }
  }

  func makeRewindable() throws {}

  func rewind() throws {}

  func watch(_ body: @escaping (_ position: Int, _ count: Int?) throws -> Void) {
    checkpoint = body
  }

  func place(_ number: Int) -> String { "\(name): row \(number)" }

  func read(_ body: (ImportRecord) throws -> Void) throws {
    try checkpoint(0, nil)
    // It ends with the connection; nothing is written that could be lost.
    if !connection.isInTransaction { try connection.prepare("BEGIN").run() }
    try body(.columns(statement.columnNames))
    var number = 0
    defer { statement.reset() }
    try statement.start()
    while let values = try next(after: number) {
      number += 1
      if number & 0xFF == 0 { try checkpoint(number, nil) }
      try body(.row(number: number, values: values, invalidText: statement.invalidTextColumns))
    }
  }

  private func next(after number: Int) throws -> [StoredValue]? {
    do {
      return try statement.next()
    } catch  where error.code == .interrupted {
      // The import itself says what was stopped, and how.
      try checkpoint(number, nil)
      throw error
    }
  }

  /// Returns a declared type for a table that may not be STRICT and takes all values as they are.
  private static func type(_ declared: String) -> String {
    // Only a STRICT table takes it for what it says.
    if declared.uppercased() == "ANY" { return "" }
    // SQLite hands out what was written, quotes and comments among it.
    let isPlain = declared.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: " "):
        true
      default: false
      }
    }
    if isPlain || isPlainWithSize(declared) { return declared }
    return switch ColumnAffinity(declaredType: declared) {
    case .text: "TEXT"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .numeric: "NUMERIC"
    case .blob: "BLOB"
    case .none: ""
    }
  }

  private static func isPlainWithSize(_ type: String) -> Bool {
    type.wholeMatch(of: /[A-Za-z0-9_ ]+\( *[0-9]+ *(, *[0-9]+ *)?\)/) != nil
  }
}
