internal import Sectile

/// The table that rows are imported into, as the schema describes it.
struct ImportTarget {
  /// A column that a value can be put into.
  struct Column {
    let name: String
    let affinity: ColumnAffinity
  }

  /// The table's name, as the schema writes it.
  let name: String
  /// Its columns, without generated ones.
  let columns: [Column]
  /// The columns of the primary key.
  let keyColumns: [String]
  private let generated: Set<String>

  /// Reads the schema; nil where there is no such table.
  ///
  /// - Throws: ``CommandFailure`` for a view; ``StoreError``.
  init?(of table: String, on connection: InspectionConnection) throws {
    let found = try Self.rows(
      connection,
      """
      SELECT name, type, strict FROM pragma_table_list
      WHERE schema = 'main' AND name = ? COLLATE NOCASE
      """, [.text(table)])
    guard let row = found.first else { return nil }
    name = Self.text(row[0])
    if row[1] == .text("view") {
      throw CommandFailure(
        .data, "'\(table)' is a view, and rows go into tables", hint: "Name a table.")
    }
    let isStrict = row[2] == .integer(1)
    let described = try Self.rows(
      connection,
      "SELECT name, type, hidden, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", [.text(name)])
    columns = described.filter { $0[2] == .integer(0) }.map { column in
      let type = Self.text(column[1])
      let keepsAll = isStrict && type.uppercased() == "ANY"
      return Column(
        name: Self.text(column[0]), affinity: keepsAll ? .none : ColumnAffinity(declaredType: type))
    }
    generated = Set(
      described.filter { $0[2] != .integer(0) }.map { Self.text($0[0]).lowercased() })
    keyColumns = described.filter { $0[3] != .integer(0) }.sorted { $0[3] < $1[3] }
      .map { Self.text($0[0]) }
  }

  private static func rows(
    _ connection: InspectionConnection, _ sql: String, _ values: [StoredValue]
  ) throws -> [[StoredValue]] {
    var rows: [[StoredValue]] = []
    try connection.prepare(sql).run(values) { rows.append($0) }
    return rows
  }

  private static func text(_ value: StoredValue) -> String {
    if case .text(let text) = value { text } else { "" }
  }

  /// Returns the columns that names stand for, in the names' order.
  ///
  /// - Throws: ``CommandFailure`` for a name that is no column, or the same one again.
  func columns(named names: [String], in source: String) throws -> [Column] {
    var known: [String: Column] = [:]
    for column in columns { known[column.name.lowercased()] = column }
    let unknown = names.filter { known[$0.lowercased()] == nil }
    guard unknown.isEmpty else {
      let isGenerated = unknown.allSatisfy { generated.contains($0.lowercased()) }
      let list = unknown.map { "'\($0)'" }.joined(separator: ", ")
      let what = unknown.count == 1 ? "a column" : "columns"
      throw CommandFailure(
        .data,
        isGenerated
          ? "\(source): \(name) generates \(list) itself"
          : "\(source) has \(what) that \(name) does not have: \(list)",
        hint: "\(name) takes: \(columns.map(\.name).joined(separator: ", ")).")
    }
    var seen: Set<String> = []
    for name in names where !seen.insert(name.lowercased()).inserted {
      throw CommandFailure(
        .data, "\(source) has the column '\(name)' twice",
        hint: "Name the columns with --columns.")
    }
    return names.compactMap { known[$0.lowercased()] }
  }
}
