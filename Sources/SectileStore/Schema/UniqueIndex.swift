internal import SectileCore

/// An index that lets no two rows have the same values: of UNIQUE, PRIMARY KEY or CREATE UNIQUE
/// INDEX.
///
/// The row id has none, though it is unique.
struct UniqueIndex {
  /// A column of the index.
  struct Term {
    /// What stands in it.
    enum Value {
      /// A column of the table.
      case column(TableSchema.Column)
      /// An expression, as CREATE INDEX has it, without its direction.
      case expression([SQLPiece])
    }

    /// What stands in it.
    let value: Value
    /// How text in it compares.
    let collation: TextCollation
  }

  /// The columns, in order.
  let terms: [Term]
  /// Which rows it is of: what stands behind WHERE; nil for all.
  let condition: [SQLPiece]?
  /// Whether it is that of the primary key.
  let isKey: Bool
  /// The statement that creates it; nil for one that the table itself declares.
  let creation: String?

  /// Reads the unique indexes of a table, in the order of their names.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  static func all(
    of table: TableSchema, in source: some SchemaSource
  ) throws(StoreError) -> [UniqueIndex] {
    let rows = try source.schemaRows(
      """
      SELECT list.name, list.origin, column.name, column.coll,
        (SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = list.name)
      FROM pragma_index_list(?1, 'main') AS list, pragma_index_xinfo(list.name, 'main') AS column
      WHERE list."unique" AND column.key
      ORDER BY list.name, column.seqno
      """, [.text(table.name)])
    var indexes: [UniqueIndex] = []
    var rest = rows[...]
    while let first = rest.first {
      let columns = rest.prefix { $0[0] == first[0] }
      rest = rest.dropFirst(columns.count)
      indexes.append(UniqueIndex(Array(columns), of: table))
    }
    return indexes
  }

  private init(_ rows: [[StoredValue]], of table: TableSchema) {
    let creation = rows[0][4].schemaText
    let list = SQLPiece.list(in: SQLPiece.pieces(of: creation)[...])
    let parts = list?.parts ?? []
    terms = rows.enumerated().map { position, row in
      let column = table.columns.first { row[2] != .null && $0.name == row[2].schemaText }
      let value: Term.Value =
        if let column { .column(column) } else if position < parts.count {
          .expression(Self.withoutDirection(parts[position]))
        } else { .expression([]) }
      return Term(value: value, collation: TextCollation(named: row[3].schemaText))
    }
    let after = list?.after.drop { !$0.isWord("WHERE") } ?? []
    condition = after.isEmpty ? nil : Array(after.dropFirst())
    isKey = rows[0][1].schemaText == "pk"
    self.creation = creation.isEmpty ? nil : creation
  }

  private static func withoutDirection(_ part: ArraySlice<SQLPiece>) -> [SQLPiece] {
    var pieces = Array(part)
    while let last = pieces.last, last.kind == .space { pieces.removeLast() }
    if let last = pieces.last, last.isWord("ASC") || last.isWord("DESC") { pieces.removeLast() }
    return pieces
  }
}
