internal import Sectile

/// The entity of all cases, written by hand.
struct Thing: Entity, Hashable, Encodable {
  var id: Int64
  var shelf: String
  var rank: Int
  var note: String

  static let schema = EntitySchema<Thing>(
    "thing", primaryKey: "id",
    attributes: .init("id", \.id), .init("shelf", \.shelf), .init("rank", \.rank),
    .init("note", \.note))
}

extension Thing {
  init(row: inout RowReader) throws {
    (id, shelf, rank, note) = try (row.next(), row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(shelf)
    try row.append(rank)
    try row.append(note)
  }
}

/// Stores of things.
enum Things {
  static let schema = """
    CREATE TABLE thing (
      id INTEGER PRIMARY KEY, shelf TEXT NOT NULL, rank INTEGER NOT NULL, note TEXT NOT NULL);
    """
  static let index = "CREATE INDEX thing_on_shelf_rank ON thing (shelf, rank);"

  /// Returns a store in memory with so many things on so many shelves.
  static func store(_ count: Int, shelves: Int = 50, index: String = index) throws -> Store {
    let store = try Store.inMemory()
    try store.write { tx in
      try tx.execute(schema + index)
      try tx.insert(contentsOf: (1...max(1, count)).lazy.map { thing($0, shelves: shelves) })
    }
    return store
  }

  static func thing(_ number: Int, shelves: Int) -> Thing {
    Thing(
      id: Int64(number), shelf: shelf(number % shelves), rank: number &* 7919 % 100_003, note: "n")
  }

  static func shelf(_ number: Int) -> String { "shelf \(100_000 + number)" }
}
