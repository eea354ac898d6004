/// The middle and the ends of some measurements.
struct Spread: Codable, Sendable {
  let median: Double
  let minimum: Double
  let maximum: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    median =
      sorted.isEmpty
      ? .nan
      : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    minimum = sorted.first ?? .nan
    maximum = sorted.last ?? .nan
  }

  init(median: Double, minimum: Double, maximum: Double) {
    self.median = median
    self.minimum = min(minimum, median)
    self.maximum = max(maximum, median)
  }
}
