internal import Sectile
internal import SectileInspecting

/// One side of a comparison: the rows of a table, one after the other in the order of their key.
final class DiffSide {
  /// The file.
  let file: DiffFile
  /// What the schema says about the table.
  let shape: TableShape

  /// What stands for columns that the table does not have: SQL by their names in lower case.
  var defaults: [String: String] = [:]

  private var statement: InspectionStatement?
  private var keyCount = 0
  /// Where the columns are in a row of the statement.
  private var columnPlaces: [Int] = []
  private var checksKey = false
  private var last: [ExactValue]?
  /// Whether there is a row to look at; not after the last one.
  private(set) var hasRow = false
  /// How many rows come before it.
  private(set) var position = 0

  /// The path of the file.
  var path: String { file.path }

  /// Opens a file, and holds on to one state of it.
  ///
  /// - Throws: ``CommandFailure`` where there is no such table; ``StoreError``.
  convenience init(path: String, table: String) throws {
    try self.init(DiffFile(path: path), table: table)
  }

  /// Takes a table of a file.
  ///
  /// - Throws: ``CommandFailure`` where there is no such table; ``StoreError``.
  init(_ file: DiffFile, table: String) throws {
    self.file = file
    shape = try TableShape(of: table, in: file.path, on: file.connection)
  }

  /// Starts reading, and goes to the first row; may be called again.
  ///
  /// - Parameters:
  ///   - key: The columns that tell rows apart.
  ///   - columns: The columns to compare.
  ///   - filter: Which rows are wanted.
  ///   - checksKey: Whether to look for rows with one key, which the schema does not rule out.
  /// - Throws: ``StoreError`` for SQL that SQLite refuses; see ``advance()``.
  func start(
    key: [String], columns: [String], filter: String? = nil, checksKey: Bool = true
  ) throws {
    // A column of the key is read once: SQLite reads no more columns than a table may have.
    let keyPlaces = Dictionary(
      key.enumerated().map { ($0.element.lowercased(), $0.offset) }
    ) { first, _ in first }
    let others = columns.filter { keyPlaces[$0.lowercased()] == nil }
    let names = (key + others).map { defaults[$0.lowercased()] ?? SQLName.quote($0) }
    try checkCount(of: names)
    // The order of `StoredValue`, whatever the columns' collations are.
    let order = key.map { "\(SQLName.quote($0)) COLLATE \(file.collation)" }
    let condition = filter.map { " WHERE (\($0)\n)" } ?? ""
    let statement = try file.connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(SQLName.quote(shape.name))\(condition) "
        + "ORDER BY \(order.joined(separator: ", "))")
    guard statement.columnNames.count == names.count else {
      throw CommandFailure(
        .data, "--where is not one condition: \(filter ?? "")",
        hint: "Write one SQL expression, and check its parentheses.")
    }
    keyCount = key.count
    var place = key.count
    columnPlaces = columns.map { column in
      if let known = keyPlaces[column.lowercased()] { return known }
      defer { place += 1 }
      return place
    }
    self.checksKey = checksKey
    self.statement = statement
    position = -1
    last = nil
    try statement.start()
    try advance()
  }

  /// Goes to the next row.
  ///
  /// - Throws: ``CommandFailure`` where two rows have one key; ``StoreError``.
  func advance() throws {
    position += 1
    guard let statement else { return }
    hasRow = try statement.step()
    guard checksKey, hasRow else { return }
    let key = (0..<keyCount).map { statement.exactValue(at: $0) }
    if last == key {
      throw CommandFailure(
        .data, "\(path): several rows have the key \(Self.text(key))",
        hint: "Name the columns that tell rows apart with --key.")
    }
    last = key
  }

  /// The row that is looked at; nil after the last one.
  var row: DiffRow? {
    guard hasRow, let statement else { return nil }
    return DiffRow(
      key: (0..<keyCount).map { statement.exactValue(at: $0) },
      values: columnPlaces.map { statement.exactValue(at: $0) })
  }

  /// Returns a negative number, zero or a positive number, as the key of this side's row comes
  /// before, with or after that of the other side's.
  func order(to other: DiffSide) -> Int {
    guard let statement, let theirs = other.statement else { return 0 }
    for column in 0..<keyCount {
      let order = statement.order(at: column, to: theirs)
      if order != 0 { return order }
    }
    return 0
  }

  /// Returns the places of the columns whose values differ, ascending.
  func changes(from other: DiffSide) -> [Int] {
    guard let statement, let theirs = other.statement else { return [] }
    return columnPlaces.indices.filter { !statement.isSame(at: columnPlaces[$0], as: theirs) }
  }

  /// Refuses a row of more columns than SQLite reads at once.
  private func checkCount(of names: [String]) throws {
    let limit = file.connection.columnCountLimit
    guard names.count > limit else { return }
    throw CommandFailure(
      .data, "a comparison of \(shape.name) reads \(names.count) columns of a row",
      hint: "SQLite reads at most \(limit) at once: compare fewer, with --columns or "
        + "--ignore-columns, or by another --key.")
  }

  private static func text(_ key: [ExactValue]) -> String {
    key.map { value in
      switch value {
      case .value(let value): value.description
      case .invalidText(let bytes): StoredValue.blob(bytes).description
      }
    }.joined(separator: ", ")
  }
}
