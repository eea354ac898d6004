internal import Sectile
internal import SectileInspecting

/// A table whose rows a patch changes, each found by its key.
final class TargetTable {
  /// The table's name.
  let name: String
  /// The columns that tell rows apart.
  let key: [String]
  /// The columns that somebody writes, and the row id where it is the key.
  let columns: [String]

  private let connection: InspectionConnection
  private let columnsInLowerCase: Set<String>
  private let generated: Set<String>
  /// The key's columns whose own collation takes other texts for the same.
  private let isFolding: [Bool]
  private var statements: [String: InspectionStatement] = [:]

  /// Looks a table up.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - key: The columns that tell rows apart.
  ///   - connection: A connection that may write.
  /// - Throws: ``CommandFailure`` for a table or key that is not there; ``StoreError``.
  init(_ name: String, key: [String], on connection: InspectionConnection) throws {
    guard let schema = try TableSchema(of: name, in: connection), schema.kind != .view else {
      let tables = try TableListing.all(in: connection).filter { $0.kind != .view }.map(\.name)
      throw CommandFailure(
        .data, "there is no table '\(name)' in \(connection.path)",
        hint: Spelling.question(for: name, in: tables)
          + "--table names the table where it is called otherwise than in the patch.")
    }
    self.connection = connection
    self.name = schema.name
    let written = schema.columns.filter { $0.origin == .written }.map(\.name)
    let rowIDs = schema.rowIDNames
    let extra = key.filter { name in rowIDs.contains(name.lowercased()) }
    columns = extra + written
    columnsInLowerCase = Set(columns.map { $0.lowercased() })
    generated = Set(schema.columns.filter(\.isGenerated).map { $0.name.lowercased() })
    self.key = key
    isFolding = key.map { name in
      schema.columns.contains {
        $0.name.lowercased() == name.lowercased() && $0.collation != .binary
      }
    }
    for column in key where !columnsInLowerCase.contains(column.lowercased()) {
      throw missing(column)
    }
    if key.isEmpty {
      throw CommandFailure(.data, "the patch does not say what tells the rows of \(name) apart")
    }
  }

  private func missing(_ column: String) -> CommandFailure {
    CommandFailure(
      .data, "\(name) in \(connection.path) has no column '\(column)'",
      hint: Spelling.question(for: column, in: columns)
        + "Its columns are: \(columns.joined(separator: ", ")).")
  }

  /// Returns a row as the table takes it: without what it computes itself.
  ///
  /// - Parameters:
  ///   - row: A row of the patch.
  ///   - id: What it is told apart by, which need not be among its columns.
  /// - Returns: The row.
  /// - Throws: ``CommandFailure`` for a column that is not there.
  func writable(_ row: PatchRow, id: [ExactValue]? = nil) throws -> PatchRow {
    var result = row.filter { !generated.contains($0.lowercased()) }
    for name in result.names where !columnsInLowerCase.contains(name.lowercased()) {
      throw missing(name)
    }
    guard let id else { return result }
    for (name, value) in zip(key, id)
    where !result.names.contains(where: { $0.lowercased() == name.lowercased() }) {
      result.names.append(name)
      result.values.append(value)
    }
    return result
  }

  /// Returns the values that a row has; nil where there is no such row.
  func values(of id: [ExactValue], _ names: [String]) throws -> [ExactValue]? {
    let list = names.isEmpty ? "1" : list(names)
    return try statement("SELECT \(list) FROM \(SQLName.table(name))", id).runExactly(bound(id))
  }

  /// Inserts a row.
  ///
  /// - Throws: ``StoreError``, with a code of a constraint where it does not fit.
  func insert(_ row: PatchRow) throws { try insertion(of: row).runExactly(row.values) }

  /// Inserts a row, and deletes those that have its unique values.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - kept: The keys of rows that are not deleted for it.
  /// - Returns: The keys of the rows that were deleted.
  /// - Throws: ``StoreError``, with a code of a constraint where it does not fit all the same.
  func insert(_ row: PatchRow, keeping kept: Set<[ExactValue]>) throws -> [[ExactValue]] {
    var removed: [[ExactValue]] = []
    while true {
      do {
        try insert(row)
        return removed
      } catch let error as StoreError where error.code == .uniqueConstraint {
        guard let id = try rowInTheWay(of: row), !kept.contains(id), try delete(id) else {
          throw error
        }
        removed.append(id)
      }
    }
  }

  /// Returns the key of a row that has a unique value of a new one, by whatever index.
  private func rowInTheWay(of row: PatchRow) throws -> [ExactValue]? {
    let first = SQLName.quote(key[0])
    let probe = try prepared(
      "\(Self.start(of: row, in: name)) ON CONFLICT DO UPDATE SET \(first) = \(first) "
        + "RETURNING \(list(key))")
    // SQLite names the row by leaving it as it is; triggers of a change log must not tell of that.
    try connection.run("SAVEPOINT sectile_probe") { _ in }
    defer {
      _ = try? connection.run("ROLLBACK TO sectile_probe; RELEASE sectile_probe") { _ in }
    }
    return try probe.runExactly(row.values)
  }

  private func insertion(of row: PatchRow) throws -> InspectionStatement {
    try prepared(Self.start(of: row, in: name))
  }

  /// A table may declare that new rows replace others, or are passed over; a patch says all that
  /// happens.
  private static func start(of row: PatchRow, in table: String) -> String {
    let marks = Array(repeating: "?", count: row.names.count).joined(separator: ", ")
    let names = row.names.map(SQLName.quote).joined(separator: ", ")
    return "INSERT OR ABORT INTO \(SQLName.table(table)) (\(names)) VALUES (\(marks))"
  }

  /// Gives a row other values.
  ///
  /// - Throws: ``StoreError``, with a code of a constraint where they do not fit;
  ///   ``CommandFailure`` where several rows have the key.
  func update(_ id: [ExactValue], to row: PatchRow) throws {
    if row.names.isEmpty { return }
    let settings = row.names.map { "\(SQLName.quote($0)) = ?" }.joined(separator: ", ")
    let statement = try statement(
      "UPDATE OR ABORT \(SQLName.table(name)) SET \(settings)", id)
    try statement.runExactly(row.values + bound(id))
    try refuseSeveral(id)
  }

  /// Deletes a row; returns whether there was one.
  ///
  /// - Throws: ``StoreError``; ``CommandFailure`` where several rows have the key.
  @discardableResult
  func delete(_ id: [ExactValue]) throws -> Bool {
    try statement("DELETE FROM \(SQLName.table(name))", id).runExactly(bound(id))
    try refuseSeveral(id)
    return connection.lastChangeCount > 0
  }

  /// A key that a person named need not be unique in this file.
  private func refuseSeveral(_ id: [ExactValue]) throws {
    let count = connection.lastChangeCount
    guard count > 1 else { return }
    throw CommandFailure(
      .data, "\(count) rows of \(name) have the key \(keyText(id)); nothing was written",
      hint: "The patch is for a table in which one row has it.")
  }

  /// Returns a row in words.
  func text(of id: [ExactValue]) -> String {
    "\(name) \(keyText(id))"
  }

  private func keyText(_ id: [ExactValue]) -> String {
    id.map { ValueText.json($0) }.joined(separator: ", ")
  }

  private func list(_ names: [String]) -> String {
    names.map(SQLName.quote).joined(separator: ", ")
  }

  /// The values of a key that are bound: all but NULL, some twice.
  private func bound(_ id: [ExactValue]) -> [ExactValue] {
    zip(id, isFolding).flatMap { value, isFolding in
      value == .null ? [] : isFolding ? [value, value] : [value]
    }
  }

  private func statement(_ start: String, _ id: [ExactValue]) throws -> InspectionStatement {
    guard id.count == key.count else {
      throw CommandFailure(
        .data,
        "a row of \(name) has an id of \(CountText.text(id.count, "value")); "
          + "the key has \(CountText.text(key.count, "column"))")
    }
    let conditions = key.indices.map { position in
      let name = SQLName.quote(key[position])
      if id[position] == .null { return "\(name) IS NULL" }
      // The column's own collation finds the row by an index, and may find others.
      return "\(name) = ?" + (isFolding[position] ? " AND \(name) COLLATE BINARY = ?" : "")
    }
    return try prepared("\(start) WHERE \(conditions.joined(separator: " AND "))")
  }

  private func prepared(_ sql: String) throws -> InspectionStatement {
    if let statement = statements[sql] { return statement }
    // A patch whose lines all have other columns does not fill the memory.
    if statements.count > 200 { statements = [:] }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }
}
