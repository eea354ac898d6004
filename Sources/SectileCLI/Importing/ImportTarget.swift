internal import Sectile
internal import SectileInspecting

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
  /// What the schema says of it.
  let schema: TableSchema
  private let generated: Set<String>

  /// Reads the schema; nil where there is no such table.
  ///
  /// - Throws: ``CommandFailure`` for a view; ``StoreError``.
  init?(of table: String, on connection: InspectionConnection) throws {
    guard let schema = try TableSchema(of: table, in: connection) else { return nil }
    self.schema = schema
    name = schema.name
    if schema.kind == .view {
      throw CommandFailure(
        .data, "'\(table)' is a view, and rows go into tables", hint: "Name a table.")
    }
    columns = schema.columns.filter { $0.origin == .written }.map { column in
      let keepsAll = schema.listing.isStrict && column.declaredType.uppercased() == "ANY"
      return Column(
        name: column.name,
        affinity: keepsAll ? .none : ColumnAffinity(declaredType: column.declaredType))
    }
    generated = Set(schema.columns.filter(\.isGenerated).map { $0.name.lowercased() })
    keyColumns = schema.keyColumns
  }

  /// Returns the columns that an input fills, in its order.
  ///
  /// - Throws: ``CommandFailure`` for a name that is no column, or the same one again.
  func columns(
    _ shape: RowShape, in source: String
  ) throws -> [ImportedColumn] {
    let names = shape.columns.map(\.name)
    if names.isEmpty { throw CommandFailure(.data, "\(source): no column is left to import") }
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
        hint: (isGenerated ? "" : Spelling.question(for: unknown[0], in: columns.map(\.name)))
          + "\(name) takes: \(columns.map(\.name).joined(separator: ", ")).")
    }
    try shape.refuseTwins(in: source)
    return shape.columns.compactMap { name, source in
      known[name.lowercased()].map {
        ImportedColumn(name: $0.name, affinity: $0.affinity, source: source)
      }
    }
  }
}
