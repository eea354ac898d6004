internal import Sectile

/// The entity of the base table, written by hand.
///
/// The guard has this file by a link.
struct Track: Entity, Hashable {
  var id: Int64
  var title: String
  var artist: String
  var genre: String
  var rating: Int
  var duration: Double
  var addedAt: Int64

  static let schema = EntitySchema<Track>(
    "track", primaryKey: "id",
    attributes: .init("id", \.id), .init("title", \.title), .init("artist", \.artist),
    .init("genre", \.genre), .init("rating", \.rating), .init("duration", \.duration),
    .init("added_at", \.addedAt))
}

extension Track {
  init(row: inout RowReader) throws {
    (id, title, artist, genre, rating, duration, addedAt) = try (
      row.next(), row.next(), row.next(), row.next(), row.next(), row.next(), row.next()
    )
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

extension FetchRequest<Track> {
  /// In the order of the index on genre and title.
  static var indexed: Self { FetchRequest().sectioned(by: \.genre).sort(by: \.title) }

  /// In an order that no index has.
  static var unindexed: Self { FetchRequest().sectioned(by: \.artist).sort(by: \.duration) }
}
