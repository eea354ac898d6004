/// How many times the instructions of another case a case may take at most, whatever the limits
/// say.
struct MostTimes {
  let factor: Double
  /// The name of the other case.
  let other: String

  init(_ factor: Double, _ other: String) {
    self.factor = factor
    self.other = other
  }
}
