internal import Foundation

/// Takes figures, shows them at once, and keeps them.
final class Reporter {
  private(set) var figures: [Figure] = []
  /// Costs by what they belong to and then by size, for growth over sizes.
  private(set) var costs: [String: [Double: [Double]]] = [:]

  func add(_ figure: Figure) {
    figures.append(figure)
    print(FigureTable.line(figure))
    fflush(nil)  // A pipe would show nothing until the end.
  }

  /// Remembers the costs of the rounds at one size.
  func remember(_ values: [Double], of cost: String, at size: Double) {
    costs[cost, default: [:]][size] = values
  }

  /// Returns the exponent with which a cost grows: that of the medians, and those of single rounds.
  func growth(of cost: String) -> (median: Double, rounds: [Double])? {
    let points = (costs[cost] ?? [:]).sorted { $0.key < $1.key }
    guard
      let median = Exponent.fit(points.map { (x: $0.key, y: Spread($0.value).median) })
    else { return nil }
    let rounds = (0..<(points.map(\.value.count).min() ?? 0)).compactMap { round in
      Exponent.fit(points.map { (x: $0.key, y: $0.value[round]) })
    }
    return (median, rounds)
  }
}
