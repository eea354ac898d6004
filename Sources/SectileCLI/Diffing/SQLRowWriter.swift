internal import Sectile
internal import SectileInspecting

/// Writes the differences of a table's rows as SQL statements.
///
/// Where rows may take each other's values of a unique index, those that go or change there are
/// deleted in a first pass, and come with the second.
final class SQLRowWriter: DiffWriting {
  private let part: DiffPart
  private let literals: SQLLiterals
  private let uniqueColumns: Set<String>?
  private let statement: (_ sql: String) throws -> Void
  private let resolution: String
  private let insertion: String
  private let keyIsRowID: Bool
  private let collations: [Bool]
  private var pass = 0

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - part: The table.
  ///   - literals: Writes values.
  ///   - overridesTable: Whether statements say that nothing is replaced and nothing passed over,
  ///     where the table may declare otherwise.
  ///   - uniqueColumns: The columns, in lower case, whose values rows may take from each other; nil
  ///     for any.
  ///   - statement: Writes a statement.
  init(
    _ part: DiffPart, literals: SQLLiterals, overridesTable: Bool, uniqueColumns: Set<String>?,
    statement: @escaping (_ sql: String) throws -> Void
  ) {
    self.part = part
    self.literals = literals
    self.uniqueColumns = uniqueColumns
    self.statement = statement
    resolution = overridesTable ? "OR ABORT " : ""
    let columns = Set(part.diff.columns.map { $0.lowercased() })
    keyIsRowID = !part.diff.key.allSatisfy { columns.contains($0.lowercased()) }
    collations = part.diff.key.map { name in
      part.schema.columns.first { $0.name.lowercased() == name.lowercased() }?.collation ?? .binary
        != .binary
    }
    let names = (keyIsRowID ? part.diff.key : []) + part.diff.columns
    insertion =
      "INSERT \(resolution)INTO \(SQLName.quote(part.name))"
      + "(\(names.map(SQLName.quote).joined(separator: ","))) VALUES("
  }

  private var deletesFirst: Bool { uniqueColumns.map { !$0.isEmpty } ?? true }

  var passCount: Int { deletesFirst ? 2 : 1 }

  func begin() throws {}

  func beginPass(_ pass: Int) throws { self.pass = pass }

  func write(_ difference: RowDifference) throws {
    let deletes = !deletesFirst || pass == 0
    let inserts = !deletesFirst || pass == 1
    switch difference {
    case .delete(_, let row):
      if deletes { try delete(row) }
    case .insert(_, let row):
      if inserts { try insert(row) }
    case .update(_, _, let before, let after, let changed):
      let isUnique = changed.contains { column in
        uniqueColumns?.contains(part.diff.columns[column].lowercased()) ?? true
      }
      if isUnique {
        if deletes { try delete(before) }
        if inserts { try insert(after) }
      } else if inserts {
        try update(before, after, changed)
      }
    }
  }

  func finish(_ summary: DiffSummary) throws {}

  private func delete(_ row: DiffRow) throws {
    try statement("DELETE FROM \(SQLName.quote(part.name)) WHERE \(condition(row))")
  }

  private func insert(_ row: DiffRow) throws {
    let values = (keyIsRowID ? row.key : []) + row.values
    try statement(insertion + values.map(literals.text).joined(separator: ",") + ")")
  }

  private func update(_ before: DiffRow, _ after: DiffRow, _ changed: [Int]) throws {
    let settings = try changed.map { column in
      "\(SQLName.quote(part.diff.columns[column]))=\(try literals.text(of: after.values[column]))"
    }
    try statement(
      "UPDATE \(resolution)\(SQLName.quote(part.name)) SET \(settings.joined(separator: ",")) "
        + "WHERE \(condition(before))")
  }

  /// What is true of one row alone.
  private func condition(_ row: DiffRow) throws -> String {
    try zip(part.diff.key, row.key).enumerated().map { position, pair in
      let name = SQLName.quote(pair.0)
      if pair.1 == .null { return "\(name) IS NULL" }
      let value = try literals.text(of: pair.1)
      // The column's own collation finds the row by an index, and may find others.
      return collations[position]
        ? "\(name)=\(value) AND \(name) COLLATE BINARY=\(value)" : "\(name)=\(value)"
    }.joined(separator: " AND ")
  }
}
