internal import Sectile

/// Carries out what a patch says about the schema.
struct SchemaPatcher {
  let connection: InspectionConnection
  let policy: ConflictPolicy
  let conflict: (_ text: String) throws -> Void

  /// Makes, changes or removes an entry.
  ///
  /// - Returns: Whether it was done without a conflict.
  /// - Throws: ``CommandFailure`` for a statement that makes something else; ``StoreError``.
  func apply(_ action: PatchLine.SchemaAction, _ entry: SchemaEntry) throws -> Bool {
    let current = try SchemaEntry.all(in: connection, withShadows: true).first {
      $0.isNamesake(of: entry)
    }
    switch action {
    case .create: return try create(entry, current)
    case .alter: return try alter(entry)
    case .drop: return try drop(entry, current)
    }
  }

  private func label(_ entry: SchemaEntry) -> String { "\(entry.kind.rawValue) \(entry.name)" }

  private func create(_ entry: SchemaEntry, _ current: SchemaEntry?) throws -> Bool {
    try Self.check(entry)
    guard let current else {
      try connection.prepare(entry.sql).run()
      return true
    }
    try conflict("\(label(entry)) cannot be made: it is there already")
    // A table is not replaced: its rows would go unseen.
    if policy == .force && entry.kind != .table && !current.isSame(as: entry) {
      try connection.run(current.removal) { _ in }
      try connection.prepare(entry.sql).run()
    }
    return false
  }

  private func alter(_ entry: SchemaEntry) throws -> Bool {
    let start = ["ALTER", "TABLE", entry.name.uppercased(), "ADD", "COLUMN"]
    guard SQLPiece.essence(of: entry.sql).starts(with: start) else {
      throw CommandFailure(
        .data, "a statement of the patch does not add a column to '\(entry.name)'")
    }
    do {
      try connection.prepare(entry.sql).run()
      return true
    } catch let error as StoreError where error.code == .statementFailed || error.isConstraint {
      try conflict("\(label(entry)) gets no column: \(error.plainText)")
      return false
    }
  }

  private func drop(_ entry: SchemaEntry, _ current: SchemaEntry?) throws -> Bool {
    let label = label(entry)
    guard let current else {
      try conflict("\(label) cannot be removed: it is not there")
      return false
    }
    let problem = try problem(removing: current, expected: entry)
    if let problem {
      try conflict("\(label) cannot be removed: \(problem)")
      if policy != .force { return false }
    }
    try connection.run(current.removal) { _ in }
    return problem == nil
  }

  private func problem(removing current: SchemaEntry, expected: SchemaEntry) throws -> String? {
    if !current.isSame(as: expected) { return "it is made by another statement" }
    guard current.kind == .table, !current.keepsNoRows else { return nil }
    // The patch has deleted the rows it knows.
    var hasRows = false
    try connection.run("SELECT 1 FROM \(SQLName.table(current.name)) LIMIT 1") { _ in
      hasRows = true
    }
    return hasRows ? "it holds rows that the patch does not know" : nil
  }

  /// Refuses a statement that makes something else than it says, so that a patch can do no more
  /// than change the file it is applied to.
  private static func check(_ entry: SchemaEntry) throws {
    let words = SQLPiece.essence(of: entry.sql)
    let isRight =
      words.first == "CREATE" && words.prefix(3).contains(entry.kind.rawValue.uppercased())
      && words.prefix(8).contains(entry.name.uppercased())
    guard isRight else {
      throw CommandFailure(
        .data, "a statement of the patch does not make the \(entry.kind.rawValue) '\(entry.name)'")
    }
  }
}
