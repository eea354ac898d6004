internal import Sectile

/// Puts rows with the same columns into a table.
final class RowInserter {
  /// What to do about a row that is there already.
  enum ConflictPolicy: String, CaseIterable {
    /// It is a bad row.
    case error
    /// The one that is there stays.
    case skip
    /// The one that is there gets the new values.
    case update
  }

  /// What became of a row.
  enum Outcome {
    case inserted
    case updated
    /// It was there with the same values.
    case unchanged
    /// It was there, and stayed as it was.
    case skipped
  }

  private let connection: InspectionConnection
  private let tableName: String
  private let sources: [ImportedColumn]
  private let policy: ConflictPolicy
  private let insertion: InspectionStatement
  private let update: InspectionStatement?

  /// Creates an inserter.
  ///
  /// - Parameters:
  ///   - target: The table.
  ///   - columns: Its columns that rows have values for, and where the values come from.
  ///   - policy: What to do about a row that is there already.
  ///   - key: The columns that tell whether it is.
  ///   - connection: The connection.
  /// - Throws: ``CommandFailure`` for a key that the rows do not have; ``StoreError``.
  init(
    into target: ImportTarget, columns: [ImportedColumn], policy: ConflictPolicy, key: [String],
    on connection: InspectionConnection
  ) throws {
    self.connection = connection
    self.policy = policy
    tableName = target.name
    sources = columns
    let names = columns.map { SQLName.quote($0.name) }
    let marks = (1...columns.count).map { "?\($0)" }
    var sql =
      "INSERT OR ABORT INTO main.\(SQLName.quote(target.name)) (\(names.joined(separator: ", "))) "
      + "VALUES (\(marks.joined(separator: ", ")))"
    switch policy {
    case .error: break
    case .skip: sql += " ON CONFLICT DO NOTHING"
    case .update:
      let keys = key.map { SQLName.quote($0) }
      sql += " ON CONFLICT (\(keys.joined(separator: ", "))) DO NOTHING"
    }
    insertion = try Self.prepare(sql, key, target, connection)
    let updateSQL =
      policy == .update ? try Self.update(target, columns, names, key, connection) : nil
    if let updateSQL {
      update = try connection.prepare(updateSQL)
    } else {
      update = nil
    }
  }

  /// Puts a row of separated values into the table.
  ///
  /// - Parameters:
  ///   - row: The fields.
  ///   - rules: What they mean.
  ///   - computed: The values of columns that are computed.
  /// - Returns: What became of it.
  /// - Throws: ``StoreError``; the statement then has no effect.
  func insert(
    _ row: SeparatedRow, by rules: FieldRules, computed: ImportedValues
  ) throws -> Outcome {
    try insert { statement in
      for (position, column) in sources.enumerated() {
        guard case .input(let source) = column.source else {
          try Self.set(computed, column, at: position, of: statement)
          continue
        }
        let field = row[source]
        switch rules.value(of: field, for: column.affinity) {
        case .text: try statement.setText(field.bytes, at: position)
        case .value(let value): try statement.set(value, at: position)
        case .bytes(let bytes): try statement.setTextCopy(bytes, at: position)
        }
      }
    }
  }

  /// Puts a row of values that have types into the table; see ``insert(_:by:computed:)``.
  func insert(_ row: ImportedValues, computed: ImportedValues) throws -> Outcome {
    try insert { statement in
      for (position, column) in sources.enumerated() {
        switch column.source {
        case .input: try Self.set(row, column, at: position, of: statement)
        case .computed: try Self.set(computed, column, at: position, of: statement)
        }
      }
    }
  }

  private static func set(
    _ values: ImportedValues, _ column: ImportedColumn, at position: Int,
    of statement: InspectionStatement
  ) throws {
    let source = column.source.position
    let value = values.values[source]
    if case .blob(let bytes) = value, values.invalidText.contains(source) {
      try statement.setTextCopy(bytes, at: position)
    } else {
      try statement.set(column.affinity.converted(value), at: position)
    }
  }

  private func insert(_ setValues: (InspectionStatement) throws -> Void) throws -> Outcome {
    try setValues(insertion)
    try insertion.runWithSetValues()
    // Without a conflict to be passed over, what did not fail was inserted.
    if policy == .error || connection.lastChangeCount > 0 { return .inserted }
    guard policy == .update else { return .skipped }
    guard let update else { return .unchanged }
    try setValues(update)
    try update.runWithSetValues()
    let count = connection.lastChangeCount
    guard count <= 1 else {
      throw CommandFailure(
        .data, "\(count) rows of \(tableName) have the key of one row of the input",
        hint: "Name the columns of another unique index with --key.")
    }
    return count > 0 ? .updated : .unchanged
  }

  /// The statement that gives a row its new values where it has others; nil where all columns are
  /// the key's.
  private static func update(
    _ target: ImportTarget, _ columns: [ImportedColumn], _ names: [String], _ key: [String],
    _ connection: InspectionConnection
  ) throws -> String? {
    let collations = try KeyCollations(of: key, in: target.schema, on: connection)
    let keys = key.map { $0.lowercased() }
    var conditions: [String] = []
    var settings: [String] = []
    var differences: [String] = []
    for (offset, column) in columns.enumerated() {
      let name = names[offset]
      let mark = "?\(offset + 1)"
      if let position = keys.firstIndex(of: column.name.lowercased()) {
        conditions.append("\(collations.compared(name, at: position)) = \(mark)")
      } else {
        settings.append("\(name) = \(mark)")
        differences.append("\(name) COLLATE BINARY IS NOT \(mark)")
      }
    }
    guard conditions.count == Set(keys).count else {
      throw CommandFailure(
        .data, "the input does not have all columns of the key: \(key.joined(separator: ", "))",
        hint: "Updating needs them to find the row; name others with --key.")
    }
    if settings.isEmpty { return nil }
    return
      "UPDATE OR ABORT main.\(SQLName.quote(target.name)) SET \(settings.joined(separator: ", ")) "
      + "WHERE \(conditions.joined(separator: " AND ")) "
      + "AND (\(differences.joined(separator: " OR ")))"
  }

  private static func prepare(
    _ sql: String, _ key: [String], _ target: ImportTarget, _ connection: InspectionConnection
  ) throws -> InspectionStatement {
    do {
      return try connection.prepare(sql)
    } catch {
      guard error.message.contains("ON CONFLICT clause does not match") else { throw error }
      throw CommandFailure(
        .data,
        "no primary key or unique index of \(target.name) is (\(key.joined(separator: ", ")))",
        hint: "CREATE UNIQUE INDEX makes one; --key names other columns.")
    }
  }
}
