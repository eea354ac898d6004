/// The relationships of an entity to others, as stored properties of a structure.
///
/// ```swift
/// struct Relationships: EntityRelationships {
///   let artist = ToOne<Artist>("artist_id")      // track.artist_id is artist's primary key
///   let plays = ToMany<Play>("track_id")         // play.track_id is track's primary key
///   init() {}
/// }
/// ```
///
/// Filters, sort terms and sections reach through them: `$0.artist.name == "Nina"`.
public protocol EntityRelationships: Sendable {
  /// Creates the relationships.
  init()
}
