internal import Sectile

/// A row that belongs to a performer.
struct Song: Entity {
  var id: Int64
  var performerID: Int64
  var title: String

  struct Relationships: EntityRelationships {
    let performer = ToOne<Performer>("performer_id")

    init() {}
  }

  static let schemaSQL = [
    "CREATE TABLE performer (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    """
    CREATE TABLE song (id INTEGER PRIMARY KEY,
      performer_id INTEGER NOT NULL REFERENCES performer, title TEXT NOT NULL)
    """,
    "CREATE INDEX song_on_performer_title ON song (performer_id, title)",
  ]

  /// Inserts songs of a performer; takes its key and their number.
  static let fill = """
    WITH RECURSIVE number(value) AS (
      SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < ?2)
    INSERT INTO song (performer_id, title)
    SELECT ?1, 'Song ' || (value * 7919 % 100003) FROM number
    """

  static let schema = EntitySchema<Song>(
    "song", primaryKey: "id", attributes: .init("id", \.id),
    .init("performer_id", \.performerID), .init("title", \.title))

  init(row: inout RowReader) throws {
    id = try row.next()
    performerID = try row.next()
    title = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(performerID)
    try row.append(title)
  }
}
