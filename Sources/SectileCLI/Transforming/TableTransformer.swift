internal import Sectile
internal import SectileInspecting

/// Changes a table in one transaction: by ALTER TABLE where that has a word for it, else by making
/// the table anew.
///
/// Views and triggers follow a new name of a column, as SQLite lets them; where something goes on
/// using what is gone, nothing is changed.
final class TableTransformer {
  private let connection: InspectionConnection
  private let statement: (_ sql: String) throws -> Void
  /// The values that became others by new types.
  private(set) var changedValues: [ValueChanges.Change] = []

  /// Creates a transformer.
  ///
  /// - Parameters:
  ///   - connection: A connection that may write.
  ///   - statement: Hears each statement that changes something, before it runs.
  init(
    on connection: InspectionConnection, statement: @escaping (_ sql: String) throws -> Void
  ) {
    self.connection = connection
    self.statement = statement
  }

  /// Changes a table.
  ///
  /// - Parameters:
  ///   - table: The table's name.
  ///   - changes: What is to become of it.
  ///   - isDryRun: Whether all is undone at the end.
  /// - Throws: ``CommandFailure`` for what cannot be done; ``StoreError``. Nothing is changed then.
  func run(_ table: String, _ changes: TableTransformation, isDryRun: Bool) throws {
    let name = try check(table, changes)
    // Dropping the old table must not reach the rows that refer to it.
    try run("PRAGMA foreign_keys = OFF")
    try run("BEGIN IMMEDIATE")
    do {
      let orphans = try orphans()
      // Where something was broken before, nobody can tell whether more is.
      let wasSound = try soundness(name) == nil
      try change(name, changes)
      let newName = changes.tableName ?? name
      if wasSound, let problem = try soundness(newName) {
        throw CommandFailure(
          .data, "a view, index or trigger would use a name that is gone: \(problem)",
          hint: "Drop or change that first; nothing was changed.")
      }
      let broken = try self.orphans() - orphans
      if broken > 0 {
        throw CommandFailure(
          .data, "\(CountText.text(broken, "row")) would refer to a row that does not exist",
          hint: "Change those rows first; nothing was changed.")
      }
    } catch {
      _ = try? connection.run("ROLLBACK") { _ in }
      throw error
    }
    if isDryRun {
      try statement("COMMIT")
      try connection.run("ROLLBACK") { _ in }
    } else {
      try run("COMMIT")
    }
  }

  private func run(_ sql: String) throws {
    try statement(sql)
    try connection.prepare(sql).run()
  }

  /// Looks whether the request makes sense, and returns the table's name as the schema writes it.
  private func check(_ table: String, _ changes: TableTransformation) throws -> String {
    guard let schema = try TableSchema(of: table, in: connection) else {
      throw CommandFailure(
        .data, "there is no table '\(table)' in \(connection.path)",
        hint: Spelling.closest(
          to: table, in: try TableListing.all(in: connection).map(\.name)
        ).map { "Did you mean \($0)?" } ?? "sectile sqlite \(connection.path) lists the tables.")
    }
    guard schema.kind == .table, !schema.name.lowercased().hasPrefix("sqlite_") else {
      throw CommandFailure(
        .data,
        "\(schema.name) is a \(schema.kind.rawValue) table or view, which has no columns to change",
        hint: "Drop it and create it again.")
    }
    let columns = schema.columns.map(\.name)
    let names = columns.map { $0.lowercased() }
    for column in changes.columns where !names.contains(column.lowercased()) {
      throw CommandFailure(
        .data, "\(schema.name) has no column '\(column)'",
        hint: Spelling.question(for: column, in: columns)
          + "Its columns are: \(columns.joined(separator: ", ")).")
    }
    let dropped = Set(changes.drops.map { $0.lowercased() })
    if let both = (changes.columns.filter { dropped.contains($0.lowercased()) })
      .dropFirst(changes.drops.count).first
    {
      throw CommandFailure(.usage, "\(both) is dropped and changed at the same time")
    }
    return schema.name
  }

  // MARK: - Changing

  private func change(_ name: String, _ changes: TableTransformation) throws {
    try rename(changes.renames, of: name)
    let changes = changes.renamed()
    let isPlain = try changes.isPlain && alter(name, changes)
    if !isPlain {
      changedValues = try TableRebuilder(on: connection, run: run).rebuild(name, changes)
    }
    if let newName = changes.tableName, newName != name {
      try refusing("ALTER TABLE \(SQLName.quote(name)) RENAME TO \(SQLName.quote(newName))")
    }
  }

  /// Renames columns; some may change their names with each other.
  private func rename(_ renames: [(old: String, new: String)], of table: String) throws {
    let table = SQLName.quote(table)
    let leaving = Set(renames.map { $0.old.lowercased() })
    var second: [(String, String)] = []
    for (number, rename) in renames.enumerated() where rename.old != rename.new {
      var new = rename.new
      if leaving.contains(new.lowercased()) {
        new = "sectile_renamed_\(number)"
        second.append((new, rename.new))
      }
      try refusing(
        "ALTER TABLE \(table) RENAME COLUMN \(SQLName.quote(rename.old)) TO \(SQLName.quote(new))")
    }
    for (old, new) in second {
      try refusing(
        "ALTER TABLE \(table) RENAME COLUMN \(SQLName.quote(old)) TO \(SQLName.quote(new))")
    }
  }

  /// Adds and drops columns as ALTER TABLE can; returns false, and changes nothing, where it
  /// cannot.
  private func alter(_ name: String, _ changes: TableTransformation) throws -> Bool {
    let table = SQLName.quote(name)
    let statements =
      changes.additions.map { "ALTER TABLE \(table) ADD COLUMN \($0)" }
      + changes.drops.map { "ALTER TABLE \(table) DROP COLUMN \(SQLName.quote($0))" }
    if statements.isEmpty { return true }
    try connection.run("SAVEPOINT sectile_alter") { _ in }
    defer { _ = try? connection.run("RELEASE sectile_alter") { _ in } }
    do {
      for sql in statements { try connection.prepare(sql).run() }
    } catch let error as StoreError where error.code == .statementFailed || error.isConstraint {
      try connection.run("ROLLBACK TO sectile_alter") { _ in }
      return false
    }
    for sql in statements { try statement(sql) }
    return true
  }

  /// Runs a statement; what SQLite says against it is about the request.
  private func refusing(_ sql: String) throws {
    do {
      try run(sql)
    } catch let error as StoreError where error.code == .statementFailed {
      throw CommandFailure(.data, error.plainText, hint: "Nothing was changed.")
    }
  }

  // MARK: - Checks

  private func orphans() throws -> Int {
    var count = 0
    do {
      try connection.run("PRAGMA foreign_key_check") { _ in count += 1 }
    } catch let error as StoreError where error.code == .statementFailed {
      throw CommandFailure(
        .data, "foreign keys cannot be checked: \(error.plainText)", hint: "Nothing was changed.")
    }
    return count
  }

  /// Returns what SQLite finds wrong with views and triggers, for which it looks before a table
  /// gets another name; nil for nothing.
  private func soundness(_ table: String) throws -> String? {
    try connection.run("SAVEPOINT sectile_check") { _ in }
    defer {
      _ = try? connection.run("ROLLBACK TO sectile_check; RELEASE sectile_check") { _ in }
    }
    do {
      try connection.run(
        "ALTER TABLE \(SQLName.quote(table)) RENAME TO \"sectile check of a name\""
      ) { _ in }
      return nil
    } catch let error as StoreError where error.code == .statementFailed {
      return error.plainText
    }
  }
}
