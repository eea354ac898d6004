import GRDB
import SectileCore

/// The column that says where the rows of a reorderable request stand, as it is stored.
///
/// *Below* is where the numbers are smaller, whichever way the list runs. Rows of one number stand
/// in the order of their keys, as they do in the list.
struct PositionColumn {
  /// A row, and its number.
  struct Row {
    let key: RowKey
    let position: StoredValue
  }

  /// Where a row is beside another.
  enum Side {
    case below, above

    var opposite: Side { self == .below ? .above : .below }
  }

  /// The rows that numbers are compared with: all that have this value in a column.
  struct Scope {
    let column: SQLFragment
    let value: StoredValue
  }

  let table: String
  let column: String
  let keyColumns: [String]
  let keyCollations: KeyCollations
  let isDescending: Bool
  /// Nil for all rows of the table.
  let scope: Scope?
  let db: Database

  /// Returns the number of a row, and another of its columns; nil where there is no such row.
  func position(
    of key: RowKey, and other: SQLFragment? = nil
  ) throws -> (position: StoredValue, other: StoredValue?)? {
    let more = other.map { ", \($0.sql)" } ?? ""
    let statement = try RawStatement.cached(
      "SELECT \(SQLName.quote(table, column))\(more) FROM \(SQLName.table(table)) WHERE \(hasKey)",
      on: db)
    defer { statement.finish() }
    try statement.bind(key.values)
    guard try statement.step() else { return nil }
    return (
      statement.column(0).value ?? .text(""),
      try other.map { _ in try statement.columnValue(at: 1) }
    )
  }

  /// Returns the rows next to one, the nearest first, whoever shows them.
  ///
  /// - Parameters:
  ///   - side: On which side of it.
  ///   - row: The row; nil for the end of all on the other side.
  ///   - key: A row that is left out: the one that is about to move.
  ///   - count: How many are wanted at most.
  /// - Returns: The rows.
  /// - Throws: What reading throws.
  func rows(_ side: Side, of row: Row?, without key: RowKey?, count: Int) throws -> [Row] {
    var found: [Row] = []
    for condition in conditions(side, of: row) where found.count < count {
      found += try read(
        condition, side, without: key, count: count - found.count)
    }
    return found
  }

  /// Gives rows their numbers.
  ///
  /// - Parameters:
  ///   - labels: The numbers, by row.
  ///   - isUnique: Whether no two rows may have one number, not even for a moment.
  ///   - moved: The row that gets its number next; its old one may be among those of the others.
  /// - Throws: What constraints refuse; `notEditable` where there are no numbers left to use
  ///   meanwhile.
  func write(
    _ labels: [(key: RowKey, label: Int64)], isUnique: Bool, before moved: RowKey?
  ) throws {
    if labels.isEmpty { return }
    let statement = try RawStatement.cached(
      "UPDATE \(SQLName.table(table)) SET \(SQLName.quote(column)) = ?"
        + " WHERE \(hasKey)", on: db)
    func write(_ key: RowKey, _ label: Int64) throws {
      try statement.bind(.integer(label), at: 1)
      try statement.bind(key, from: 2)
      try statement.run()
    }
    if isUnique {
      let keys = labels.map(\.key) + [moved].compactMap { $0 }
      let start = try freeLabels(keys.count)
      for (offset, key) in keys.enumerated() { try write(key, start + Int64(offset)) }
    }
    for row in labels { try write(row.key, row.label) }
  }

  // MARK: - Statements

  private var hasKey: String {
    keyCollations.compared(keys).map { "\($0) = ?" }.joined(separator: " AND ")
  }

  private var keys: [String] { keyColumns.map { SQLName.quote(table, $0) } }

  /// What rows of one number are ordered by: the key, and where two keys can be equal by their
  /// columns, their bytes.
  private var keyOrder: [String] {
    guard !keyCollations.columnsTellRowsApart else { return keys }
    return keys + keys.map { "\($0) COLLATE \(SQLName.quote(TextCollation.binary.name))" }
  }

  /// What rows on one side of another meet, the nearest first: one index search each.
  private func conditions(_ side: Side, of row: Row?) -> [SQLFragment] {
    guard let row else { return [SQLFragment("TRUE")] }
    let name = SQLName.quote(table, column)
    let order = keyOrder
    let marks = order.map { _ in "?" }.joined(separator: ", ")
    // Keys go up where the list does.
    let sign = (side == .above) == isDescending ? "<" : ">"
    let ties = SQLFragment(
      order.count == 1
        ? "\(name) IS ? AND \(order[0]) \(sign) ?"
        : "\(name) IS ? AND (\(order.joined(separator: ", "))) \(sign) (\(marks))",
      [row.position] + row.key.values
        + (order.count > keyColumns.count ? row.key.values : []))
    switch (side, row.position) {
    case (.above, .null): return [ties, SQLFragment("\(name) IS NOT NULL")]
    case (.below, .null): return [ties]
    case (.above, _): return [ties, SQLFragment("\(name) > ?", [row.position])]
    case (.below, _):
      return [
        ties, SQLFragment("\(name) < ?", [row.position]), SQLFragment("\(name) IS NULL"),
      ]
    }
  }

  private func read(
    _ condition: SQLFragment, _ side: Side, without key: RowKey?, count: Int
  ) throws -> [Row] {
    let keys = keys
    let direction = side == .above ? "" : " DESC"
    let keyDirection = (side == .above) == isDescending ? " DESC" : ""
    var (sql, values) = (condition.sql, condition.values)
    if let scope {
      sql += " AND \(scope.column.sql) IS ?"
      values += scope.column.values + [scope.value]
    }
    if let key {
      sql += " AND NOT (\(hasKey))"
      values += key.values
    }
    let order =
      ["\(SQLName.quote(table, column))\(direction)"] + keyOrder.map { $0 + keyDirection }
    let statement = try RawStatement.cached(
      "SELECT \((keys + [SQLName.quote(table, column)]).joined(separator: ", "))"
        + " FROM \(SQLName.table(table)) WHERE \(sql)"
        + " ORDER BY \(order.joined(separator: ", ")) LIMIT \(count)", on: db)
    defer { statement.finish() }
    try statement.bind(values)
    var rows: [Row] = []
    while try statement.step() {
      rows.append(
        Row(
          key: try statement.key(at: keys.indices),
          position: statement.column(keys.count).value ?? .text("")))
    }
    return rows
  }

  /// Returns the first of so many numbers that no row of the table has.
  private func freeLabels(_ count: Int) throws -> Int64 {
    let name = SQLName.quote(table, column)
    let statement = try RawStatement.cached(
      "SELECT CAST(max(\(name)) AS INTEGER), CAST(min(\(name)) AS INTEGER) FROM \(SQLName.table(table))"
        + " WHERE typeof(\(name)) IN ('integer', 'real')", on: db)
    defer { statement.finish() }
    guard try statement.step(), case .integer(let most)? = statement.column(0).value,
      case .integer(let least)? = statement.column(1).value
    else { return 0 }
    // A real is cut off, hence two.
    if most < .max - Int64(count) - 2 { return most + 2 }
    if least > .min + Int64(count) + 2 { return least - Int64(count) - 2 }
    throw StoreError(
      .notEditable,
      message: "\(table).\(column) has no numbers left to put rows in another order.",
      hint: "Give the rows numbers that are closer to zero.")
  }
}
