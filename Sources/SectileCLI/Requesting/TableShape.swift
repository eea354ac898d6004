internal import Sectile

/// What the schema says about a table or view.
struct TableShape {
  /// The name as the schema writes it.
  let name: String
  /// Whether it is a stored query.
  let isView: Bool
  /// The columns, generated ones included.
  let columns: [String]
  /// The columns by their names in lower case; a table may have thousands.
  let columnsInLowerCase: [String: String]
  /// What the row id is called where there is one and no column has taken all of its names.
  let rowIDName: String?
  /// The columns of the declared primary key; else of a unique index without NULL; else none.
  let keyColumns: [String]

  /// Reads the schema.
  ///
  /// - Parameters:
  ///   - table: The name, in any case.
  ///   - file: What messages call the database.
  ///   - source: The connection.
  /// - Throws: ``CommandFailure`` for a name the schema does not have; ``StoreError``.
  init(of table: String, in file: String, on source: some SchemaSource) throws {
    guard let schema = try TableSchema(of: table, in: source) else {
      throw CommandFailure(
        .data, "there is no table '\(table)' in \(file)", hint: try Self.hint(on: source))
    }
    name = schema.name
    isView = schema.kind == .view
    columns = schema.columns.filter { $0.origin != .hidden }.map(\.name)
    columnsInLowerCase = Dictionary(columns.map { ($0.lowercased(), $0) }) { first, _ in first }
    rowIDName = schema.rowIDNames.first
    let declared = schema.keyColumns
    keyColumns = declared.isEmpty ? try Self.uniqueColumns(of: schema, on: source) : declared
  }

  /// The columns of the first unique index all of whose columns refuse NULL.
  private static func uniqueColumns(
    of schema: TableSchema, on source: some SchemaSource
  ) throws -> [String] {
    let rows = try source.schemaRows(
      """
      SELECT i.seq, c.name
      FROM pragma_index_list(?1, 'main') AS i, pragma_index_info(i.name, 'main') AS c
      WHERE i."unique" AND NOT i.partial ORDER BY i.seq, c.seqno
      """, [.text(schema.name)])
    let filled = Set(schema.columns.filter(\.isNotNull).map { StoredValue.text($0.name) })
    var indexes: [[[StoredValue]]] = []
    for row in rows {
      if indexes.last?[0][0] == row[0] {
        indexes[indexes.count - 1].append(row)
      } else {
        indexes.append([row])
      }
    }
    let first = indexes.first { $0.allSatisfy { filled.contains($0[1]) } } ?? []
    return first.map { if case .text(let name) = $0[1] { name } else { "" } }
  }

  private static func hint(on source: some SchemaSource) throws -> String {
    let names = try TableListing.all(in: source).map(\.name)
    if names.isEmpty { return "The file has no tables." }
    let shown = names.prefix(8).joined(separator: ", ")
    return "There are: \(shown)\(names.count > 8 ? " and \(names.count - 8) more" : "")."
  }
}
