internal import Sectile

/// One side of a comparison: the rows of a table, one after the other in the order of their key.
final class DiffSide {
  /// The path of the file.
  let path: String
  /// What the schema says about the table.
  let shape: TableShape

  private let connection: InspectionConnection
  private var statement: InspectionStatement?
  private var keyCount = 0
  private var last: [StoredValue]?
  /// The row that is looked at; nil after the last one.
  private(set) var row: DiffRow?
  /// How many rows come before it.
  private(set) var position = 0

  /// Opens a file, and holds on to one state of it.
  ///
  /// - Throws: ``CommandFailure`` where there is no such table; ``StoreError``.
  init(path: String, table: String) throws {
    self.path = path
    connection = try InspectionConnection(path: path)
    // A read transaction, which ends with the connection.
    try connection.prepare("BEGIN").run()
    shape = try TableShape(of: table, in: path, on: connection)
  }

  /// Starts reading, and goes to the first row.
  ///
  /// - Parameters:
  ///   - key: The columns that tell rows apart.
  ///   - columns: The columns to compare.
  ///   - filter: Which rows are wanted.
  /// - Throws: ``StoreError`` for SQL that SQLite refuses; see ``advance()``.
  func start(key: [String], columns: [String], filter: String?) throws {
    let names = (key + columns).map { SQLName.quote($0) }
    // The order of `StoredValue`, whatever the columns' collations are.
    let order = key.map { SQLName.quote($0) + " COLLATE BINARY" }.joined(separator: ", ")
    let condition = filter.map { " WHERE (\($0)\n)" } ?? ""
    let statement = try connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM \(SQLName.quote(shape.name))\(condition) "
        + "ORDER BY \(order)")
    guard statement.columnNames.count == names.count else {
      throw CommandFailure(.data, "--where is no condition: \(filter ?? "")")
    }
    statement.keepsInvalidText = true
    keyCount = key.count
    self.statement = statement
    position = -1
    try statement.start()
    try advance()
  }

  /// Goes to the next row.
  ///
  /// - Throws: ``CommandFailure`` where two rows have one key; ``StoreError``.
  func advance() throws {
    position += 1
    guard let values = try statement?.next() else {
      row = nil
      return
    }
    let key = Array(values.prefix(keyCount))
    if let last {
      switch Self.order(last, key) {
      case 0:
        throw CommandFailure(
          .data,
          "\(path): several rows have the key \(key.map(\.description).joined(separator: ", "))",
          hint: "Name the columns that tell rows apart with --key.")
      case 1...:
        // Text that is not UTF-8 comes as a blob, and sorts as one here only.
        throw CommandFailure(
          .data,
          "\(path): the key \(key.map(\.description).joined(separator: ", ")) is out of order",
          hint: "Text that is not UTF-8 cannot be compared; name another key.")
      default: break
      }
    }
    last = key
    row = DiffRow(key: key, values: Array(values.dropFirst(keyCount)))
  }

  /// Returns a negative number, zero or a positive number, as the left key comes before, with or after
  /// the right one.
  static func order(_ left: [StoredValue], _ right: [StoredValue]) -> Int {
    for (left, right) in zip(left, right) where left != right { return left < right ? -1 : 1 }
    return 0
  }
}
