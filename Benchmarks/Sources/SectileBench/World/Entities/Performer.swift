internal import Sectile

/// A parent of songs.
struct Performer: Entity {
  var id: Int64
  var name: String

  static let schema = EntitySchema<Performer>(
    "performer", primaryKey: "id", attributes: .init("id", \.id), .init("name", \.name))

  init(id: Int64, name: String) {
    self.id = id
    self.name = name
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    name = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(name)
  }
}
