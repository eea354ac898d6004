/// One line of the result.
struct Figure: Codable, Sendable {
  enum Unit: String, Codable, Sendable {
    case ratio = "×"
    case microseconds = "µs"
    case bytes = "B"
    case exponent = "exp"
  }

  let benchmark: String
  let name: String
  let size: Int
  let storage: Storage
  let unit: Unit
  /// What is judged: processor time, or what is no time at all.
  let value: Spread
  /// The same by the clock on the wall, where there is one.
  let wall: Spread?
  /// How many rounds were measured.
  let rounds: Int
  /// The goal the figure is compared with.
  let goal: String?
  /// Median processor times of the two sides of a ratio, in nanoseconds.
  let sides: [Double]
}
