/// Makes tracks with titles of about twenty characters: the same ones from the same seed.
///
/// The guard has this file by a link. How many artists and genres there are is said beside it.
struct TrackGenerator {
  private var state: UInt64

  init(seed: UInt64 = 1) { state = seed }

  /// Returns a number in a range; SplitMix64.
  mutating func number(_ range: Range<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  mutating func tracks(_ count: Int) -> [Track] {
    (0..<count).map { track(id: Int64($0) + 1) }
  }

  mutating func track(id: Int64) -> Track {
    Track(
      id: id, title: title(), artist: "Artist \(number(0..<Self.artistCount))", genre: genre(),
      rating: number(0..<6), duration: Double(number(60_000..<600_000)) / 1_000,
      addedAt: Int64(1_700_000_000 + number(0..<50_000_000)))
  }

  mutating func title() -> String {
    var letters: [UInt8] = []
    for position in 0..<number(16..<25) {
      letters.append(position % 7 == 6 ? 0x20 : UInt8(number(0x61..<0x7B)))
    }
    return String(decoding: letters, as: UTF8.self)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
