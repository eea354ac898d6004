import GRDB
import SectileCore

/// Writes single rows of a plan's table.
struct RowStatements {
  private let table: String
  private let keyColumns: [String]
  private let keyCollations: KeyCollations
  /// The columns that can be written, in lower case.
  private let writable: Set<String>

  init(of plan: FetchPlan, _ schema: TableSchema, in db: Database) throws(StoreError) {
    table = plan.table
    keyColumns = plan.keyColumns
    keyCollations = try KeyCollations(of: keyColumns, in: schema, on: db)
    writable = Set(
      schema.columns.filter { $0.origin == .written }.map { $0.name.lowercased() })
  }

  /// Deletes a row.
  func delete(_ key: RowKey, in db: Database) throws {
    let statement = try RawStatement.cached(
      "DELETE FROM \(SQLName.table(table)) WHERE \(hasKey(from: 1))", on: db)
    try statement.bind(key, from: 1)
    try run(statement, key, in: db)
  }

  /// Updates a row to the columns of an item, its key included where that is another one.
  func update<Item>(
    _ key: RowKey, to item: Item, by format: RowFormat<Item>, in db: Database
  ) throws where Item: Identifiable, Item.ID: EntityKey {
    let keepsKey = RowKey(of: item.id, forms: format.keyForms) == key
    let columns = format.columns.indices.filter { column in
      let name = format.columns[column]
      return writable.contains(name.lowercased()) && !(keepsKey && keyColumns.contains(name))
    }
    // A row that is all key stays as it is.
    guard !columns.isEmpty else { return }
    let assignments = columns.map { "\(SQLName.quote(format.columns[$0])) = ?\($0 + 1)" }
    let count = format.columns.count
    try format.withBound(
      item, columns,
      to: try RawStatement.cached(
        "UPDATE \(SQLName.table(table)) SET \(assignments.joined(separator: ", "))"
          + " WHERE \(hasKey(from: count + 1))", on: db)
    ) { statement in
      try statement.bind(key, from: count + 1)
      try run(statement, key, in: db)
    }
  }

  /// Inserts a row for an item, with other values in some columns.
  func insert<Item>(
    _ item: Item, by format: RowFormat<Item>, with values: [RowPlacing.ColumnValue],
    in db: Database
  ) throws {
    var names = format.columns
    for value in values where !names.contains(value.column) { names.append(value.column) }
    let columns = names.indices.filter { writable.contains(names[$0].lowercased()) }
    let list = columns.map { SQLName.quote(names[$0]) }.joined(separator: ", ")
    let marks = columns.map { "?\($0 + 1)" }.joined(separator: ", ")
    try format.withBound(
      item, columns.filter(format.columns.indices.contains),
      to: try RawStatement.cached(
        "INSERT INTO \(SQLName.table(table)) (\(list)) VALUES (\(marks))", on: db)
    ) { statement in
      for value in values {
        if let position = names.firstIndex(of: value.column), columns.contains(position) {
          try statement.bind(value.value, at: position + 1)
        }
      }
      while try statement.step() {}
    }
  }

  /// Sets some columns of a row.
  func set(_ values: [RowPlacing.ColumnValue], of key: RowKey, in db: Database) throws {
    let assignments = values.enumerated().map { "\(SQLName.quote($1.column)) = ?\($0 + 1)" }
    let statement = try RawStatement.cached(
      "UPDATE \(SQLName.table(table)) SET \(assignments.joined(separator: ", "))"
        + " WHERE \(hasKey(from: values.count + 1))", on: db)
    try statement.bind(values.map(\.value))
    try statement.bind(key, from: values.count + 1)
    try run(statement, key, in: db)
  }

  private func hasKey(from first: Int) -> String {
    keyCollations.compared(keyColumns.map { SQLName.quote(table, $0) }).enumerated()
      .map { "\($1) = ?\(first + $0)" }.joined(separator: " AND ")
  }

  private func run(_ statement: RawStatement, _ key: RowKey, in db: Database) throws {
    try statement.run()
    guard db.changesCount > 0 else { throw StoreError.editConflict(table: table, key: key) }
    guard db.changesCount == 1 else { throw StoreError.severalRows(of: table) }
  }
}
