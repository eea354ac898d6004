internal import Sectile
internal import SectileInspecting

/// Makes a table anew with another definition, by the steps that SQLite's documentation gives for
/// changes that ALTER TABLE has no word for.
///
/// What belongs to the table comes back: indexes, triggers, row ids, what AUTOINCREMENT has
/// counted. Foreign keys of other tables go on referring to it.
struct TableRebuilder {
  private let connection: InspectionConnection
  private let run: (_ sql: String) throws -> Void

  /// Creates a rebuilder.
  ///
  /// - Parameters:
  ///   - connection: A connection with an open transaction, in which foreign keys do not act.
  ///   - run: Runs a statement that changes something.
  init(on connection: InspectionConnection, run: @escaping (_ sql: String) throws -> Void) {
    self.connection = connection
    self.run = run
  }

  /// Rebuilds a table.
  ///
  /// - Parameters:
  ///   - name: The table.
  ///   - changes: What is to become of it.
  /// - Returns: The values that became others, where that is allowed.
  /// - Throws: ``CommandFailure`` for what cannot be done; ``StoreError``.
  func rebuild(
    _ name: String, _ changes: TableTransformation
  ) throws -> [ValueChanges.Change] {
    guard let schema = try TableSchema(of: name, in: connection),
      let entry = try SchemaEntry.all(in: connection).first(where: {
        $0.kind == .table && $0.name == schema.name
      }), var definition = TableDefinition(entry.sql)
    else { throw CommandFailure(.data, "the statement that makes \(name) is not understood") }
    try refuseUsedColumns(changes.drops, schema, definition)
    try DefinitionEditor(changes: changes, table: schema.name).edit(&definition)
    try refuseNull(in: changes.key ?? [], of: schema)
    let changed = try ValueChanges(on: connection).changes(of: changes.types, in: schema)
    if !changed.isEmpty && !changes.allowsChanges { throw Self.refuse(changed, schema.name) }

    let sequence = try sequence(of: schema.name)
    let copy = try unusedName(for: schema.name)
    let belongings = try SchemaEntry.all(in: connection).filter {
      $0.table.lowercased() == schema.name.lowercased()
        && ($0.kind == .index || $0.kind == .trigger)
    }
    try run(definition.sql(name: copy))
    try copyRows(from: schema, to: copy)
    try run("DROP TABLE \(SQLName.quote(schema.name))")
    try run("PRAGMA legacy_alter_table = ON")
    try run("ALTER TABLE \(SQLName.quote(copy)) RENAME TO \(SQLName.quote(schema.name))")
    try run("PRAGMA legacy_alter_table = OFF")
    // A change log names keys: where they become other columns, the next commit of a store makes
    // its triggers.
    let logged = belongings.filter { $0.kind == .trigger && $0.isOfChangeLog }
    // Where old values are kept, triggers name all columns: SQLite would take those that name one
    // that is gone, and refuse all writes from then on.
    let isMadeLater = changes.key != nil || logged.contains { $0.sql.contains(LogTables.values) }
    for entry in belongings where !isMadeLater || !logged.contains(where: entry.isNamesake) {
      try run(entry.sql)
    }
    if let number = logged.first.flatMap({ LogTrigger.tableNumber(ofTriggerNamed: $0.name) }) {
      // No trigger has seen how the rows were copied.
      try run(
        "INSERT INTO \(LogTables.log) (tbl, op, salt) "
          + "VALUES (\(number), \(LogOperation.reset.rawValue), random())")
    }
    let isCounted = definition.columns.contains(where: \.isAutoincrement)
    if let sequence, isCounted { try restore(sequence, of: schema.name) }
    return changed
  }

  // MARK: - Rows

  private func copyRows(from schema: TableSchema, to copy: String) throws {
    guard let new = try TableSchema(of: copy, in: connection) else { return }
    var columns = schema.columns.filter { old in
      old.origin == .written
        && new.columns.contains {
          $0.origin == .written && $0.name.lowercased() == old.name.lowercased()
        }
    }.map(\.name)
    // Row ids stay where no column says otherwise.
    if new.rowIDColumn == nil, schema.rowIDColumn == nil,
      let rowID = schema.rowIDNames.first(where: new.rowIDNames.contains)
    {
      columns.insert(rowID, at: 0)
    }
    if columns.isEmpty {
      throw CommandFailure(.data, "no column of \(schema.name) would be left")
    }
    let list = columns.map(SQLName.quote).joined(separator: ", ")
    let before = try count(schema.name)
    do {
      try run(
        "INSERT INTO \(SQLName.quote(copy)) (\(list)) SELECT \(list) "
          + "FROM \(SQLName.quote(schema.name))")
    } catch let error as StoreError where error.isConstraint || error.code == .statementFailed {
      let text = error.plainText.replacingName(copy, by: schema.name)
      throw CommandFailure(
        .data, "the rows of \(schema.name) do not fit the new definition: \(text)",
        hint: "Change those rows first; nothing was changed.")
    }
    guard try count(copy) == before else {
      throw CommandFailure(
        .data, "the new table has another number of rows than \(schema.name); nothing was changed")
    }
  }

  private func count(_ table: String) throws -> StoredValue? {
    try connection.firstValue("SELECT count(*) FROM \(SQLName.table(table))")
  }

  /// A key takes NULL for a number that is still to be chosen, or lets it stand several times.
  private func refuseNull(in key: [String], of schema: TableSchema) throws {
    for column in key
    where schema.columns.contains(where: { $0.name.lowercased() == column.lowercased() }) {
      let number = try connection.firstValue(
        "SELECT count(*) FROM \(SQLName.table(schema.name)) WHERE \(SQLName.quote(column)) IS NULL")
      guard case .integer(let count) = number, count != 0 else { continue }
      throw CommandFailure(
        .data,
        "\(column) is NULL in \(CountText.text(Int(count), "row")), and so can be no key",
        hint: "Give \(count == 1 ? "that row" : "those rows") a value first.")
    }
  }

  private static func refuse(
    _ changed: [ValueChanges.Change], _ table: String
  ) -> CommandFailure {
    CommandFailure(
      .data,
      "the new type would change values of \(table): "
        + changed.map(\.text).joined(separator: ", "),
      hint: "--allow-changes lets it; '12' and 12 make each other again, '007' and 7 do not.")
  }

  // MARK: - What AUTOINCREMENT has counted

  private func sequence(of table: String) throws -> Int64? {
    guard try TableListing(of: "sqlite_sequence", in: connection) != nil else { return nil }
    let rows = try connection.schemaRows(
      "SELECT seq FROM main.sqlite_sequence WHERE name = ?", [.text(table)])
    if case .integer(let number)? = rows.first?[0] { return number }
    return nil
  }

  private func restore(_ sequence: Int64, of table: String) throws {
    let name = SQLLiterals.quoted(table)
    try run("DELETE FROM sqlite_sequence WHERE name = \(name)")
    try run("INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(sequence))")
  }

  // MARK: - Names

  private func unusedName(for table: String) throws -> String {
    let taken = Set(
      try SchemaEntry.all(in: connection, withShadows: true).map { $0.name.lowercased() })
    var name = "new_\(table)"
    var number = 2
    while taken.contains(name.lowercased()) {
      name = "new_\(table)_\(number)"
      number += 1
    }
    return name
  }

  /// Refuses to drop columns that something goes on using.
  private func refuseUsedColumns(
    _ drops: [String], _ schema: TableSchema, _ definition: TableDefinition
  ) throws {
    for column in drops {
      func refuse(_ user: String) -> CommandFailure {
        CommandFailure(
          .data, "\(column) of \(schema.name) cannot be dropped: \(user) names it",
          hint: "Drop or change that first.")
      }
      if definition.constraints.contains(where: { $0.contains { $0.isName(column) } }) {
        throw refuse("a constraint of the table")
      }
      for other in definition.columns
      where other.name.lowercased() != column.lowercased() && other.names(column) {
        throw refuse("the column \(other.name)")
      }
      // The triggers of a change log that name the column are made anew.
      for entry in try SchemaEntry.all(in: connection)
      where entry.kind != .table && !entry.isOfChangeLog {
        let pieces = SQLPiece.pieces(of: entry.sql)
        if pieces.contains(where: { $0.isName(schema.name) })
          && pieces.contains(where: { $0.isName(column) })
        {
          throw refuse("the \(entry.kind.rawValue) \(entry.name)")
        }
      }
    }
  }
}

extension String {
  /// Returns a message of SQLite about a table under another name.
  fileprivate func replacingName(_ name: String, by other: String) -> String {
    split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.hasPrefix(name + ".") ? other + word.dropFirst(name.count) : String(word)
    }.joined(separator: " ")
  }
}
