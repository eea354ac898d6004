internal import Sectile

/// A track whose primary key is the text of a UUID.
struct TextTrack: Entity {
  var id: String
  var title: String
  var artist: String
  var genre: String
  var rating: Int
  var duration: Double
  var addedAt: Int64

  static let table = """
    CREATE TABLE text_track (id TEXT PRIMARY KEY NOT NULL, title TEXT, artist TEXT, genre TEXT,
      rating INTEGER, duration REAL, added_at INTEGER)
    """
  static let index = "CREATE INDEX text_track_on_genre_title ON text_track (genre, title, id)"
  /// Copies the base table, with random keys.
  static let copy = """
    INSERT INTO text_track
    SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(2))
        || '-' || hex(randomblob(2)) || '-' || hex(randomblob(6))),
      title, artist, genre, rating, duration, added_at
    FROM track
    """

  static let schema = EntitySchema<TextTrack>(
    "text_track", primaryKey: "id",
    attributes: .init("id", \.id), .init("title", \.title), .init("artist", \.artist),
    .init("genre", \.genre), .init("rating", \.rating), .init("duration", \.duration),
    .init("added_at", \.addedAt))

  init(row: inout RowReader) throws {
    id = try row.next()
    title = try row.next()
    artist = try row.next()
    genre = try row.next()
    rating = try row.next()
    duration = try row.next()
    addedAt = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(title)
    try row.append(artist)
    try row.append(genre)
    try row.append(rating)
    try row.append(duration)
    try row.append(addedAt)
  }
}
