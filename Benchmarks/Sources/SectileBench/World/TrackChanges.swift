/// An endless supply of tracks with another title or rating than they have.
///
/// Titles change at even positions and ratings at odd ones, so that who gets a new rating keeps the
/// title it has.
struct TrackChanges {
  private let tracks: [Track]
  private var generator: TrackGenerator
  private var rating = 10

  init(_ tracks: [Track], seed: UInt64 = 7) {
    self.tracks = tracks
    generator = TrackGenerator(seed: seed)
  }

  /// Returns tracks with a new title each, so that each moves within its section.
  mutating func titles(_ count: Int) -> [Track] {
    (0..<count).map { _ in
      var track = tracks[generator.number(0..<tracks.count / 2) * 2]
      track.title = generator.title()
      return track
    }
  }

  /// Returns tracks with a new rating each, by which the base views neither sort nor group.
  mutating func ratings(_ count: Int) -> [Track] {
    (0..<count).map { _ in
      var track = tracks[generator.number(0..<tracks.count / 2) * 2 + 1]
      rating += 1
      track.rating = rating
      return track
    }
  }
}
