/// A line of SQLite's query plan, with the lines that belong to it.
///
/// The wording is SQLite's own and may differ from one version of SQLite to the next.
public struct QueryPlanStep: Hashable, Sendable, Codable {
  /// What SQLite says it will do.
  public let detail: String
  /// The steps this one consists of.
  public let steps: [QueryPlanStep]

  init(detail: String, steps: [QueryPlanStep]) {
    self.detail = detail
    self.steps = steps
  }

  /// The clause for which SQLite sorts rows in this step, such as `ORDER BY`; nil where it does
  /// not.
  var sortedClause: String? {
    let words = "USE TEMP B-TREE FOR "
    return detail.hasPrefix(words) ? String(detail.dropFirst(words.count)) : nil
  }

  /// Whether all rows of a table are gone through in this step, by themselves or in an index.
  func scans(_ table: String) -> Bool {
    let words = "SCAN main.\(table)"
    return detail == words || detail.hasPrefix(words + " ")
  }

  /// This step and all below it.
  var all: [QueryPlanStep] { [self] + steps.flatMap(\.all) }

  /// Returns the tree as the sqlite3 shell draws it, without the heading.
  package static func drawing(of steps: [QueryPlanStep], indent: String = "") -> [String] {
    steps.enumerated().flatMap { position, step in
      let isLast = position == steps.count - 1
      return [indent + (isLast ? "`--" : "|--") + step.detail]
        + drawing(of: step.steps, indent: indent + (isLast ? "   " : "|  "))
    }
  }
}
