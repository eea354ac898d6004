internal import Sectile

/// The entity of a table that no view follows.
struct Other: Entity {
  var id: Int64
  var note: String

  static let schema = EntitySchema<Other>(
    "other", primaryKey: "id", attributes: .init("id", \.id), .init("note", \.note))

  init(id: Int64, note: String) {
    self.id = id
    self.note = note
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    note = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(note)
  }
}
