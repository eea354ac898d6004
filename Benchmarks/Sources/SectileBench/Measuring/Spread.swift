/// The middle of some measurements, where the middle half of them lies, and the ends.
struct Spread: Codable, Sendable {
  let median: Double
  /// A quarter of the measurements are below.
  let lower: Double
  /// A quarter of the measurements are above.
  let upper: Double
  let minimum: Double
  let maximum: Double

  /// Creates the spread of measurements.
  ///
  /// - Parameters:
  ///   - values: The measurements.
  ///   - median: Their middle, where it is known better than from them.
  init(_ values: [Double], median: Double? = nil) {
    let sorted = values.sorted()
    self.median = median ?? Self.quantile(0.5, of: sorted)
    lower = Self.quantile(0.25, of: sorted)
    upper = Self.quantile(0.75, of: sorted)
    minimum = sorted.first ?? .nan
    maximum = sorted.last ?? .nan
  }

  /// Interpolates between the two measurements that are nearest.
  private static func quantile(_ fraction: Double, of sorted: [Double]) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let position = Double(last) * fraction
    let (low, high) = (sorted[Int(position)], sorted[min(Int(position) + 1, last)])
    return low + (high - low) * (position - position.rounded(.down))
  }
}
