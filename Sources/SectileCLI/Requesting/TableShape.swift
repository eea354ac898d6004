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
  ///   - query: Runs a query with values for its marks.
  /// - Throws: ``CommandFailure`` for a name the schema does not have; what the query throws.
  init(
    of table: String, in file: String,
    query: (_ sql: String, _ values: [StoredValue]) throws -> [[StoredValue]]
  ) throws {
    let found = try query(
      """
      SELECT name, type, wr FROM pragma_table_list
      WHERE schema = 'main' AND name = ? COLLATE NOCASE
      """, [.text(table)])
    guard let first = found.first, case .text(let name) = first[0] else {
      throw CommandFailure(
        .data, "there is no table '\(table)' in \(file)",
        hint: try Self.hint(in: file, query: query))
    }
    self.name = name
    isView = first[1] == .text("view")
    let columns = try query(
      "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", [.text(name)])
    let names = columns.map { Self.text($0[0]) }
    self.columns = names
    columnsInLowerCase = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
    let hasRowID = first[1] == .text("table") && first[2] == .integer(0)
    rowIDName =
      hasRowID
      ? ["rowid", "oid", "_rowid_"].first { !names.map { $0.lowercased() }.contains($0) } : nil
    let declared = columns.compactMap { row -> (Int64, String)? in
      guard case .integer(let position) = row[1], position > 0 else { return nil }
      return (position, Self.text(row[0]))
    }
    let primary = declared.sorted { $0.0 < $1.0 }.map(\.1)
    keyColumns = primary.isEmpty ? try Self.uniqueColumns(of: name, query: query) : primary
  }

  /// The columns of the first unique index all of whose columns refuse NULL.
  private static func uniqueColumns(
    of table: String, query: (String, [StoredValue]) throws -> [[StoredValue]]
  ) throws -> [String] {
    let rows = try query(
      """
      SELECT i.name, c.name FROM pragma_index_list(?1) AS i, pragma_index_info(i.name) AS c
      WHERE i."unique" AND NOT i.partial AND NOT EXISTS (
        SELECT 1 FROM pragma_index_info(i.name) AS x
        LEFT JOIN pragma_table_xinfo(?1) AS t ON t.name = x.name
        WHERE t."notnull" IS NOT 1)
      ORDER BY i.seq, c.seqno
      """, [.text(table)])
    return rows.filter { $0[0] == rows[0][0] }.map { text($0[1]) }
  }

  private static func hint(
    in file: String, query: (String, [StoredValue]) throws -> [[StoredValue]]
  ) throws -> String {
    let names = try query(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name
      """, []
    ).map { text($0[0]) }
    if names.isEmpty { return "The file has no tables." }
    let shown = names.prefix(8).joined(separator: ", ")
    return "There are: \(shown)\(names.count > 8 ? " and \(names.count - 8) more" : "")."
  }

  private static func text(_ value: StoredValue) -> String {
    if case .text(let text) = value { text } else { "" }
  }
}
