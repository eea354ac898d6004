/// The SQL texts of the operations on one entity.
///
/// Parameters are numbered by column, so that one way of writing an entity serves all of them.
/// Names are quoted: `INSERT INTO "main"."package" ("id", "name") VALUES (?1, ?2)`.
package final class EntityStatements: Sendable {
  /// `"id", "name"`, the columns in the order of the schema.
  package let columnList: String
  /// `"main"."package"`.
  package let quotedTable: String
  /// `"id" = ?1`, the key's columns as they compare, with parameters from 1.
  package let keyCondition: String
  /// Inserts a row, and fails if its key exists.
  package let insert: String
  /// Updates the row with the entity's key.
  package let update: String
  /// Inserts a row, or updates the one that has its key.
  package let save: String
  /// Deletes the row with a key.
  package let delete: String
  /// Selects the row with a key.
  package let fetchOne: String
  /// Selects 1 if a row has a key.
  package let exists: String

  private let insertTail: String

  /// Writes the texts for a table.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - columns: The columns, in the order of the schema.
  ///   - primaryKey: The columns of the key.
  ///   - collations: How the table compares them.
  package init(
    table: String, columns: [String], primaryKey: [String], collations: KeyCollations = .own
  ) {
    let quoted = columns.map(Self.quote)
    let others = columns.filter { !primaryKey.contains($0) }.map(Self.quote)
    let keys = primaryKey.map(Self.quote)
    let comparedKeys = collations.compared(keys)
    let parameters = Dictionary(
      uniqueKeysWithValues: zip(quoted, 1...).map { ($0, "?\($1)") })
    func parameter(of column: String) -> String { parameters[column, default: "NULL"] }

    quotedTable = SQLName.table(table)
    columnList = quoted.joined(separator: ", ")
    keyCondition = zip(comparedKeys, 1...).map { "\($0) = ?\($1)" }.joined(separator: " AND ")
    let marks = quoted.map(parameter).joined(separator: ", ")
    insertTail = "INTO \(quotedTable) (\(columnList)) VALUES (\(marks))"
    insert = "INSERT \(insertTail)"

    // A row that is all key is "updated" to itself, which still tells whether it exists.
    let assigned = others.isEmpty ? keys : others
    let assignments = assigned.map { "\($0) = \(parameter(of: $0))" }.joined(separator: ", ")
    let rowCondition = zip(comparedKeys, keys).map { "\($0) = \(parameter(of: $1))" }
      .joined(separator: " AND ")
    update = "UPDATE \(quotedTable) SET \(assignments) WHERE \(rowCondition)"

    let resolution =
      others.isEmpty
      ? "DO NOTHING"
      : "DO UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    save = "\(insert) ON CONFLICT (\(keys.joined(separator: ", "))) \(resolution)"

    delete = "DELETE FROM \(quotedTable) WHERE \(keyCondition)"
    fetchOne = "SELECT \(columnList) FROM \(quotedTable) WHERE \(keyCondition)"
    exists = "SELECT 1 FROM \(quotedTable) WHERE \(keyCondition)"
  }

  /// The text that inserts a row under a policy for rows that exist.
  package func insert(onConflict policy: InsertConflictPolicy) -> String {
    switch policy.kind {
    case .abort: insert
    case .ignore: "INSERT OR IGNORE \(insertTail)"
    case .replace: "INSERT OR REPLACE \(insertTail)"
    case .update: save
    }
  }

  /// A name in double quotes.
  package static func quote(_ name: String) -> String {
    guard name.contains("\"") else { return "\"\(name)\"" }
    return "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
