internal import GRDBBaseline

extension TrackGenerator {
  static let artistCount = 2_000

  /// Where each of 200 genres ends, with a Zipf distribution.
  private static let genreBounds: [Double] = {
    var sum = 0.0
    let bounds = (1...200).map { rank in
      sum += 1 / Double(rank)
      return sum
    }
    return bounds.map { $0 / sum }
  }()

  mutating func genre() -> String {
    let bounds = Self.genreBounds
    let place = Double(next() >> 11) * 0x1p-53
    var low = 0
    var high = bounds.count - 1
    while low < high {
      let middle = (low + high) / 2
      if bounds[middle] < place { low = middle + 1 } else { high = middle }
    }
    return "Genre \(low)"
  }
}

extension HandTrack {
  init(_ track: Track) {
    self.init(
      id: track.id, title: track.title, artist: track.artist, genre: track.genre,
      rating: track.rating, duration: track.duration, addedAt: track.addedAt)
  }
}
