internal import Sectile
internal import SectilePresenting

/// What is known of the rows of all sections together.
struct SectionTotals {
  /// Why there are no aggregates of all rows, where each section has its own.
  struct Refusal: Error {
    /// What SQLite says, as in `integer overflow`.
    let reason: String
  }

  /// How many rows there are.
  let count: Int
  /// The value of each aggregate.
  let aggregates: Result<[ExactValue], Refusal>

  /// Returns the totals as a person reads them, safe to show.
  ///
  /// ```text
  /// 5 rows in 4 sections  sum(size) 15
  /// ```
  ///
  /// - Parameters:
  ///   - names: The aggregates as they were written.
  ///   - sections: How many sections there are.
  /// - Returns: The line.
  func line(_ names: [String], sections: Int) -> String {
    let counts = CountText.rows(count, sections: sections)
    switch aggregates {
    case .success(let values): return counts + Self.text(of: values, names)
    case .failure(let refusal):
      return counts + "  "
        + TextStyle.dim.text(TerminalText.escaped("no totals: \(refusal.reason)"))
    }
  }

  /// Returns aggregates with their names before them, each behind a gap; safe to show.
  static func text(of values: [ExactValue], _ names: [String]) -> String {
    zip(names, values).map { name, value in
      let cell = ValueText.cell(InvalidText.marked(value), width: RowStyle.defaultCellWidth).escaped
      return "  \(TextStyle.dim.text(TerminalText.escaped(name))) \(cell.text)"
    }.joined()
  }
}
