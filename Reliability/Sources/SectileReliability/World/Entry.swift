internal import Sectile

/// A row of the campaign's table, written by hand.
struct Entry: Entity, Hashable, Codable {
  var id: Int64
  var batch: Int64
  var body: String

  static let schema = EntitySchema<Entry>(
    "entry", primaryKey: "id",
    attributes: .init("id", \.id), .init("batch", \.batch), .init("body", \.body))
}

extension Entry {
  init(row: inout RowReader) throws {
    (id, batch, body) = try (row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(batch)
    try row.append(body)
  }
}

extension FetchRequest<Entry> {
  /// What the campaign's live results show.
  static var byBatch: Self { FetchRequest().sectioned(by: \.batch).sort(by: \.body) }
}
