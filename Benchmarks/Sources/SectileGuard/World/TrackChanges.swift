/// Tracks with other titles than they have, so that each moves within its section.
///
/// They are made beforehand, to count no work but the store's. Whoever takes more of them gets the
/// old titles again, then the new ones, and so on: every one is a change.
struct TrackChanges {
  private let changes: [Track]
  private var position = 0

  /// Makes changes.
  ///
  /// - Parameters:
  ///   - tracks: The tracks to change.
  ///   - count: How many, spread evenly over the tracks.
  ///   - change: What changes besides the title.
  init(_ tracks: [Track], count: Int, alsoChanging change: (inout Track) -> Void = { _ in }) {
    var generator = TrackGenerator(seed: 7)
    let stride = tracks.count / count
    let old = (0..<count).map { tracks[$0 * stride] }
    let new = old.map { track in
      var track = track
      track.title = generator.title()
      change(&track)
      return track
    }
    changes = new + old
  }

  mutating func next() -> Track {
    defer { position = (position + 1) % changes.count }
    return changes[position]
  }
}
