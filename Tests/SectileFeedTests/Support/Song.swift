import SectileCore
import SectileStore
import SectileTestSupport

/// What feeds are fed with: rows that are grouped by artist and sorted by title.
struct Song: Entity, Codable, Hashable {
  var id: Int64
  var artist: String
  var title: String?

  static let schema = EntitySchema<Song>(
    "song", primaryKey: "id",
    attributes: .init("id", \.id), .init("artist", \.artist), .init("title", \.title))

  init(id: Int64, artist: String = "a", title: String? = "t") {
    (self.id, self.artist, self.title) = (id, artist, title)
  }

  init(row: inout RowReader) throws {
    (id, artist, title) = try (row.next(), row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(artist)
    try row.append(title)
  }

  static let table =
    "CREATE TABLE song (id INTEGER PRIMARY KEY, artist TEXT NOT NULL, title TEXT)"

  static let request = FetchRequest<Song>().sectioned(by: \.artist).sort(by: \.title).sort(by: \.id)

  /// Random transactions on few songs, so that rows come, go and come back.
  static func transactions(_ random: SeededRandom) -> RandomTransactions {
    RandomTransactions(
      on: [
        .init(
          "song", key: ["id": (1...30).map { .integer($0) }],
          columns: ["artist": ["a", "b", "c", "é"], "title": ["x", "y", "line\nbreak", nil]])
      ], random: random)
  }
}
