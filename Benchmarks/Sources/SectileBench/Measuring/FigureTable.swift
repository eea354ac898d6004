internal import Foundation

/// Figures as lines of aligned text.
enum FigureTable {
  static let heading = line([
    "case", "figure", "n", "where", "median", "25–75 %", "wall", "rounds", "goal",
  ])

  static func line(_ figure: Figure) -> String {
    var goal = figure.goal ?? ""
    if figure.sides.count == 2 {
      goal += goal.isEmpty ? "" : "  "
      goal += "(\(time(figure.sides[0])) : \(time(figure.sides[1])))"
    }
    return line([
      figure.benchmark, figure.name, SizeText.text(figure.size), figure.storage.rawValue,
      "\(number(figure.value.median)) \(figure.unit.rawValue)",
      "\(number(figure.value.lower))–\(number(figure.value.upper))",
      figure.wall.map { number($0.median) } ?? "", "\(figure.rounds)", goal,
    ])
  }

  private static let widths = [20, 44, 6, 8, 13, 18, 9, 7, 0]

  private static func line(_ cells: [String]) -> String { TextLine.text(cells, widths) }

  /// A number with three digits that matter.
  static func number(_ value: Double) -> String {
    let size = abs(value)
    let digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : size >= 0.01 ? 3 : 5
    return String(format: "%.\(digits)f", value)
  }

  private static func time(_ nanoseconds: Double) -> String {
    if nanoseconds >= 1e9 { return String(format: "%.2f s", nanoseconds / 1e9) }
    if nanoseconds >= 1e6 { return String(format: "%.1f ms", nanoseconds / 1e6) }
    if nanoseconds >= 1e3 { return String(format: "%.1f µs", nanoseconds / 1e3) }
    return String(format: "%.0f ns", nanoseconds)
  }
}
