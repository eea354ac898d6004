internal import SectileCore

/// A column of a table that refers to a column of another, or of its own.
struct ForeignKeyReference {
  /// The table that refers.
  let table: TableSchema
  /// The column that refers.
  let column: TableSchema.Column
  /// The column that is referred to.
  let target: TableSchema.Column

  /// Reads what refers to a table.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  /// - Complexity: O(*n*) in the tables that refer to something.
  static func all(
    to target: TableSchema, in source: some SchemaSource
  ) throws(StoreError) -> [ForeignKeyReference] {
    let rows = try source.schemaRows(
      """
      SELECT referring.name, list."from", list."to", list.seq
      FROM main.sqlite_schema AS referring, pragma_foreign_key_list(referring.name, 'main') AS list
      WHERE referring.type = 'table' AND referring.sql LIKE '%references%'
        AND list."table" = ? COLLATE NOCASE
      ORDER BY referring.name, list.id, list.seq
      """, [.text(target.name)])
    let keys = target.keyColumns
    var references: [ForeignKeyReference] = []
    for row in rows {
      guard case .integer(let number) = row[3],
        let table = try TableSchema(of: row[0].schemaText, in: source),
        let column = table.column(named: row[1].schemaText)
      else { continue }
      // Without a name the primary key is meant.
      let implied = keys.indices.contains(Int(number)) ? keys[Int(number)] : ""
      let name = row[2] == .null ? implied : row[2].schemaText
      guard let found = target.column(named: name) else { continue }
      references.append(ForeignKeyReference(table: table, column: column, target: found))
    }
    return references
  }
}

extension TableSchema {
  fileprivate func column(named name: String) -> Column? {
    columns.first { $0.name.lowercased() == name.lowercased() }
  }
}
