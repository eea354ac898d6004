package import Sectile

/// What the schema says about a table or view, or SQLite about a query.
package struct TableShape: Hashable, Sendable {
  /// The name as the schema writes it.
  package let name: String
  /// Whether it is a stored query.
  package let isView: Bool
  /// Whether it is a query that somebody has written into a request.
  package let isQuery: Bool
  /// The columns, generated ones included.
  package let columns: [String]
  /// The columns by their names in lower case; a table may have thousands.
  private let columnsInLowerCase: [String: String]
  /// What the row id is called where there is one and no column has taken all of its names.
  package let rowIDName: String?
  /// The columns of the declared primary key; else of a unique index without NULL; else none.
  ///
  /// Of a view or a query, those that its text says tell rows apart, where somebody has looked for
  /// them.
  package private(set) var keyColumns: [String]

  /// Reads the schema.
  ///
  /// - Parameters:
  ///   - table: The name, in any case.
  ///   - file: What messages call the database.
  ///   - source: The connection.
  /// - Throws: ``RequestError`` for a name the schema does not have; `StoreError`.
  package init(of table: String, in file: String, on source: some SchemaSource) throws {
    guard let schema = try TableSchema(of: table, in: source) else {
      throw RequestError(
        .noSuchTable, "there is no table '\(table)' in \(file)",
        hint: try Self.hint(for: table, on: source))
    }
    name = schema.name
    isView = schema.kind == .view
    isQuery = false
    columns = schema.columns.filter { $0.origin != .hidden }.map(\.name)
    columnsInLowerCase = Dictionary(columns.map { ($0.lowercased(), $0) }) { first, _ in first }
    rowIDName = schema.rowIDNames.first
    let declared = schema.keyColumns
    keyColumns = declared.isEmpty ? try Self.uniqueColumns(of: schema, on: source) : declared
  }

  /// Creates the shape of a query, without a key.
  ///
  /// - Parameters:
  ///   - name: What its rows are called.
  ///   - columns: Its columns.
  init(query name: String, columns: [String]) {
    self.name = name
    isView = false
    isQuery = true
    self.columns = columns
    columnsInLowerCase = Dictionary(columns.map { ($0.lowercased(), $0) }) { first, _ in first }
    rowIDName = nil
    keyColumns = []
  }

  /// Returns the same with some columns as the key, if it has all of them and no key so far.
  func withKey(_ names: [String]?) -> TableShape {
    var shape = self
    let key = (names ?? []).compactMap { column(named: $0) }
    if keyColumns.isEmpty, key.count == names?.count { shape.keyColumns = key }
    return shape
  }

  /// Returns the name of a column as the schema writes it; nil where there is none.
  package func column(named name: String) -> String? {
    columnsInLowerCase[name.lowercased()]
  }

  /// Returns the columns that were named, as the schema writes them, or all of them where none was.
  ///
  /// - Throws: ``RequestError`` for a column that is not there.
  package func columns(named names: [String]) throws(RequestError) -> [String] {
    if names.isEmpty { return columns }
    var found: [String] = []
    for name in names {
      guard let column = column(named: name) else { throw missing(column: name) }
      found.append(column)
    }
    return found
  }

  /// Why its rows cannot be told apart, where nothing is named that does and there is no key.
  package var reasonAgainstKey: String {
    if isQuery { return "it is not certain by which columns the rows of the query are told apart" }
    return isView || rowIDName != nil
      ? "\(name) declares no primary key, so its rows cannot be told apart"
      : "\(name) declares no primary key, and columns have the names of its row id, so its rows "
        + "cannot be told apart"
  }

  /// Returns what is wrong with naming a column that is not there.
  func missing(column name: String) -> RequestError {
    RequestError(
      .noSuchColumn, "\(self.name) has no column '\(name)'",
      hint: Spelling.question(for: name, in: columns) + columnList, of: self)
  }

  /// A sentence that lists the columns.
  package var columnList: String { "Its columns are: \(columns.joined(separator: ", "))." }

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

  private static func hint(for table: String, on source: some SchemaSource) throws -> String {
    let names = try TableListing.all(in: source).map(\.name)
    if names.isEmpty { return "The file has no tables." }
    if let name = Spelling.closest(to: table, in: names) { return "Did you mean \(name)?" }
    let shown = names.prefix(8).joined(separator: ", ")
    return "There are: \(shown)\(names.count > 8 ? " and \(names.count - 8) more" : "")."
  }
}
