package import GRDB

/// A track as a GRDB user writes it who cares for speed: rows are read by position, columns are
/// written by hand.
package struct HandTrack: FetchableRecord, PersistableRecord, Sendable {
  package static let databaseTableName = "track"

  package var id: Int64
  package var title: String
  package var artist: String
  package var genre: String
  package var rating: Int
  package var duration: Double
  package var addedAt: Int64

  package init(
    id: Int64, title: String, artist: String, genre: String, rating: Int, duration: Double,
    addedAt: Int64
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.genre = genre
    self.rating = rating
    self.duration = duration
    self.addedAt = addedAt
  }

  package init(row: Row) {
    id = row[0]
    title = row[1]
    artist = row[2]
    genre = row[3]
    rating = row[4]
    duration = row[5]
    addedAt = row[6]
  }

  package func encode(to container: inout PersistenceContainer) {
    container["id"] = id
    container["title"] = title
    container["artist"] = artist
    container["genre"] = genre
    container["rating"] = rating
    container["duration"] = duration
    container["added_at"] = addedAt
  }
}
