internal import Sectile
internal import SectileInspecting

/// The columns by which one definition of a table has more than another, where ALTER TABLE can add
/// them.
struct AddedColumns {
  /// The statements that add them.
  let statements: [String]
  /// What rows that are there already get, by the columns' names in lower case.
  let defaults: [String: ExactValue]

  /// Tries on an empty database whether adding columns makes one definition of the other; nil where
  /// it does not, or where that depends on the rows.
  ///
  /// - Parameters:
  ///   - old: The table before.
  ///   - new: The table after.
  /// - Throws: ``StoreError`` where there is no memory.
  init?(from old: SchemaEntry, to new: SchemaEntry) throws {
    guard !old.isVirtual, !new.isVirtual, let before = TableDefinition(old.sql),
      let after = TableDefinition(new.sql), after.columns.count > before.columns.count
    else { return nil }
    let connection = try InspectionConnection.inMemory()
    var statements: [String] = []
    var defaults: [String: ExactValue] = [:]
    do {
      try connection.prepare(old.sql).run()
      try connection.run("CREATE TABLE temp.probe (x); INSERT INTO probe VALUES (1)") { _ in }
      for column in after.columns[before.columns.count...] {
        // Whether rows pass a check shows where they are.
        if column.pieces.contains(where: { $0.isWord("CHECK") }) { return nil }
        let definition = column.text
        let statement = "ALTER TABLE \(SQLName.quote(old.name)) ADD COLUMN \(definition)"
        try connection.prepare(statement).run()
        statements.append(statement)
        if column.isGenerated { continue }
        try connection.prepare("ALTER TABLE temp.probe ADD COLUMN \(definition)").run()
        let name = SQLName.quote(column.name)
        let value = try connection.prepare("SELECT \(name) FROM temp.probe").runExactly([])
        defaults[column.name.lowercased()] = value?.first ?? .null
      }
      let made = try SchemaEntry.all(in: connection).first { $0.isNamesake(of: old) }
      guard let made, made.isSame(as: new) else { return nil }
    } catch let error as StoreError where error.code == .statementFailed || error.isConstraint {
      return nil
    }
    self.statements = statements
    self.defaults = defaults
  }

  /// Returns the values as SQL, by the columns' names in lower case.
  ///
  /// - Parameter file: The file whose statements they are for.
  /// - Returns: A literal for each column.
  /// - Throws: ``StoreError``.
  func literals(for file: DiffFile) throws -> [String: String] {
    let literals = try SQLLiterals(file.connection)
    return try defaults.mapValues { try literals.text(of: $0) }
  }
}
