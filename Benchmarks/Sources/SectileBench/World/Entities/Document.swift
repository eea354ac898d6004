internal import Sectile

/// A row that is little but a text to sort by.
struct Document: Entity {
  var id: Int64
  var key: String

  static let table = "CREATE TABLE document (id INTEGER PRIMARY KEY, key TEXT NOT NULL)"
  static let index = "CREATE INDEX document_on_key ON document (key)"

  static let schema = EntitySchema<Document>(
    "document", primaryKey: "id", attributes: .init("id", \.id), .init("key", \.key))

  init(id: Int64, key: String) {
    self.id = id
    self.key = key
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    key = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(key)
  }
}
