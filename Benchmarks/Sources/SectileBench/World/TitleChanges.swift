/// An endless supply of tracks with a new title each, so that each moves within its section.
struct TitleChanges {
  private var tracks: [Track]
  private var generator: TrackGenerator

  init(_ tracks: [Track], seed: UInt64 = 7) {
    self.tracks = tracks
    generator = TrackGenerator(seed: seed)
  }

  mutating func next(_ count: Int) -> [Track] {
    (0..<count).map { _ in
      let position = generator.number(0..<tracks.count)
      tracks[position].title = generator.title()
      return tracks[position]
    }
  }
}
