internal import Glibc

/// How a cost grows: the exponent of the power that fits it best.
enum Exponent {
  /// Returns the slope of a straight line through the points, both axes logarithmic; nil for fewer
  /// than two points, or for costs that are not positive.
  static func fit(_ points: [(x: Double, y: Double)]) -> Double? {
    guard points.count > 1, points.allSatisfy({ $0.x > 0 && $0.y > 0 }) else { return nil }
    let x = points.map { log($0.x) }
    let y = points.map { log($0.y) }
    let meanX = x.reduce(0, +) / Double(x.count)
    let meanY = y.reduce(0, +) / Double(y.count)
    let rise = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
    let run = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    return run > 0 ? rise / run : nil
  }
}
