internal import GRDB

/// A track as most GRDB users write it.
package struct CodableTrack: Codable, FetchableRecord, Sendable {
  package var id: Int64
  package var title: String
  package var artist: String
  package var genre: String
  package var rating: Int
  package var duration: Double
  package var addedAt: Int64

  enum CodingKeys: String, CodingKey {
    case id, title, artist, genre, rating, duration
    case addedAt = "added_at"
  }
}
