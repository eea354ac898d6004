internal import Foundation

/// Figures as lines of aligned text.
enum FigureTable {
  static let heading = line(
    ["benchmark", "figure", "n", "where", "median", "min–max", "goal (must/aim)", "verdict"])

  static func line(_ figure: Figure) -> String {
    let value = figure.value
    let goal = figure.goal.map { "\($0.name) \(number($0.must))/\(number($0.aim))" } ?? ""
    var verdict = figure.verdict?.rawValue ?? ""
    if figure.sides.count == 2 {
      verdict += "  (\(time(figure.sides[0])) : \(time(figure.sides[1])))"
    }
    return line([
      figure.benchmark, figure.name, count(figure.size), figure.storage.rawValue,
      "\(number(value.median)) \(figure.unit.rawValue)",
      "\(number(value.minimum))–\(number(value.maximum))", goal, verdict,
    ])
  }

  private static let widths = [11, 44, 5, 7, 12, 16, 20, 0]

  private static func line(_ cells: [String]) -> String {
    zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(width - cell.count, 1))
    }.joined()
  }

  private static func count(_ size: Int) -> String {
    size % 1_000 == 0 ? "\(size / 1_000)k" : "\(size)"
  }

  /// A number with three digits that matter.
  private static func number(_ value: Double) -> String {
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 0.1 ? 2 : 5
    return String(format: "%.\(digits)f", value)
  }

  private static func time(_ nanoseconds: Double) -> String {
    if nanoseconds >= 1e6 { return String(format: "%.1f ms", nanoseconds / 1e6) }
    if nanoseconds >= 1e3 { return String(format: "%.1f µs", nanoseconds / 1e3) }
    return String(format: "%.0f ns", nanoseconds)
  }
}
