extension TrackGenerator {
  static let artistCount = 500

  /// Returns one of 50 genres, each as often as another.
  mutating func genre() -> String { "Genre \(number(0..<50))" }
}
