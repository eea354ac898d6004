public import SectileCore

/// What a request costs, and why: its SQL, SQLite's plan for it, and how live results keep up.
///
/// Printed, it is a text of several lines: see ``Store/explain(_:)-(FetchRequest<E>)``.
public struct RequestExplanation: Hashable, Sendable, Codable {
  /// The statement whose rows live results of the request show.
  public let sql: String
  /// The values bound to its `?` marks, in order.
  public let values: [StoredValue]
  /// How SQLite runs it.
  public let queryPlan: [QueryPlanStep]
  /// The clauses for which no index has the order of rows, in SQLite's words: `ORDER BY`,
  /// `RIGHT PART OF ORDER BY`.
  ///
  /// Live results without a limit sort a whole `ORDER BY` themselves, in half of the time.
  public let sortedClauses: [String]
  /// The tables whose changes live results follow.
  public let followedTables: [FollowedTable]
  /// How live results keep up with commits.
  public let maintenance: UpdateStrategy
  /// How they follow what other processes commit.
  public let outsideCommits: OutsideCommits
  /// How aggregates of a section are worked out anew; nil where there are none.
  public let sectionRecount: SectionRecount?
  /// What a touched row costs, of a query or a view whose rows are followed one by one; nil for
  /// other requests.
  public let touchedRowCost: TouchedRowCost?
  /// An index that would help; nil where none is needed, or none is sure to be used.
  public let suggestedIndex: IndexSuggestion?

  /// All indexes that would help: with rows, with aggregates, and with touched rows of a query.
  public var suggestedIndexes: [IndexSuggestion] {
    [suggestedIndex, sectionRecount?.suggestedIndex].compactMap { $0 }
      + (touchedRowCost?.suggestedIndexes ?? [])
  }

  /// Whether rows have to be sorted, because no index has their order.
  public var hasToSort: Bool { !sortedClauses.isEmpty }
}

extension RequestExplanation: CustomStringConvertible {
  /// All of it, in several lines.
  public var description: String {
    var lines = [sql]
    if !values.isEmpty { lines.append("Values: \(Self.list(values))") }
    lines += ["", "QUERY PLAN"] + QueryPlanStep.drawing(of: queryPlan)
    if let touchedRowCost { lines += ["", touchedRowCost.description] }
    let sorted = hasToSort ? sortedClauses.joined(separator: ", ") : "no"
    lines += ["", "Sorted without an index: \(sorted)"]
    lines.append("Maintained by \(maintenance)")
    lines.append("Followed: \(followedTables.map(\.description).joined(separator: "; "))")
    lines.append("Outside commits: \(outsideCommits)")
    lines.append(
      "Tokens: \(outsideCommits.reasonAgainstKeys.map { "a reset. \($0)" } ?? "answered by keys")")
    if let sectionRecount { lines.append("Aggregates: \(sectionRecount)") }
    for suggestion in suggestedIndexes {
      lines.append("An index would help: \(suggestion.sql)")
    }
    return lines.joined(separator: "\n")
  }

  /// At most how many values ``description`` shows.
  static let shownValueLimit = 20

  private static func list(_ values: [StoredValue]) -> String {
    let shown = values.prefix(shownValueLimit).map(\.description).joined(separator: ", ")
    let hidden = values.count - shownValueLimit
    return hidden > 0 ? "\(shown) and \(hidden) more" : shown
  }
}
