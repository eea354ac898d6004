/// The orders of the requests for tracks in SQL.
enum TrackOrder {
  static let indexed = "genre, title, id"
  static let unindexed = "artist, duration, id"
}
