internal import Sectile

/// A row of lists whose order people make.
struct Listed: Entity, Hashable {
  var id: Int64
  var list: String
  var position: Int64

  static let schema = EntitySchema<Listed>(
    "listed", primaryKey: "id",
    attributes: .init("id", \.id), .init("list", \.list), .init("position", \.position))

  /// The table with so many rows in ten lists, and the index that moves look up their neighbours
  /// in.
  static func script(_ count: Int) -> [String] {
    [
      "CREATE TABLE listed (id INTEGER PRIMARY KEY, list TEXT, position INTEGER)",
      "CREATE INDEX listed_in_order ON listed (list, position)",
      """
      INSERT INTO listed WITH RECURSIVE n (i) AS (
          SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        SELECT i, char(65 + i % 10), i * 1024 FROM n
      """,
    ]
  }
}

extension Listed {
  init(row: inout RowReader) throws {
    (id, list, position) = try (row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(list)
    try row.append(position)
  }
}

extension FetchRequest<Listed> {
  /// In the order that people make.
  static var reorderable: Self {
    FetchRequest().sectioned(by: \.list).reorderable(by: \.position)
  }
}
