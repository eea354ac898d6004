/// What the generated columns of a table are computed from.
struct GeneratedColumns {
  private let expressions: [String: [SQLPiece]]
  private let columns: [TableSchema.Column]

  /// Takes the statement that created the table apart.
  init(of table: TableSchema, creation: String?) {
    columns = table.columns
    var expressions: [String: [SQLPiece]] = [:]
    let definitions = SQLPiece.list(in: SQLPiece.pieces(of: creation ?? "")[...])?.parts ?? []
    for column in table.columns where column.isGenerated {
      // A definition begins with the name. `AS` is a word of no other constraint of a column.
      let definition = definitions.first { definition in
        definition.first { $0.kind != .space }?.isName(column.name) ?? false
      }
      let expression = definition?.drop { !$0.isWord("AS") } ?? []
      expressions[column.name] =
        SQLPiece.list(in: expression)?.parts.flatMap { $0 } ?? Array(definition ?? [])
    }
    self.expressions = expressions
  }

  /// Returns the columns that are named in some pieces, and those that generated ones among them
  /// are computed from.
  func named(in pieces: [SQLPiece]) -> [TableSchema.Column] {
    expanded(columns.filter { column in pieces.contains { $0.isColumn(column.name) } })
  }

  /// Returns columns, and those that generated ones among them are computed from, in the table's
  /// order.
  func expanded(_ wanted: [TableSchema.Column]) -> [TableSchema.Column] {
    var found = Set(wanted)
    var open = wanted
    while let column = open.popLast() {
      guard let pieces = expressions[column.name] else { continue }
      for other in columns where pieces.contains(where: { $0.isColumn(other.name) }) {
        if found.insert(other).inserted { open.append(other) }
      }
    }
    return columns.filter(found.contains)
  }
}
