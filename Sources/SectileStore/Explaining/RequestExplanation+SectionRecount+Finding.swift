internal import Foundation
import GRDB
import SectileCore

extension RequestExplanation.SectionRecount {
  /// Finds out how the aggregates of a plan are worked out anew, and which index would help.
  ///
  /// - Parameters:
  ///   - queries: The plan, made ready to run.
  ///   - db: The database, in which nothing is created.
  /// - Returns: What was found; nil where the plan has no aggregates.
  /// - Throws: What reading the schema throws.
  static func found(
    _ queries: PlanQueries, in db: Database
  ) throws -> RequestExplanation.SectionRecount? {
    guard let rules = queries.aggregates else { return nil }
    guard queries.plan.section != nil else { return Self(kind: .allRows) }
    let recount = try current(queries.plan, isSeeking: rules.seeksSections, in: db)
    guard recount.kind != .coveringIndex,
      let columns = try queries.plan.tableColumns(in: db)
    else { return recount }
    let suggestion = try suggestion(queries.plan, instead: recount.kind, columns, in: db)
    return Self(kind: recount.kind, index: recount.index, suggestedIndex: suggestion)
  }

  /// How it is done with the indexes that there are.
  private static func current(
    _ plan: FetchPlan, isSeeking: Bool, in db: Database
  ) throws -> RequestExplanation.SectionRecount {
    let use = try isSeeking ? IndexUse(for: plan, in: db) : nil
    guard let use else { return Self(kind: isSeeking ? .index : .keys) }
    return Self(kind: use.isCovering ? .coveringIndex : .index, index: use.index)
  }

  /// An index that was tried, and is better than what there is.
  private static func suggestion(
    _ plan: FetchPlan, instead kind: Kind, _ columns: TableColumns, in db: Database
  ) throws -> RequestExplanation.IndexSuggestion? {
    guard let candidate = try PlanSQL(plan).aggregateIndexCandidate(in: columns, of: db) else {
      return nil
    }
    let copy = try SchemaCopy(of: db)
    try copy.takeStatistics(of: db)
    // A statement that the copy refuses was not tried.
    let use = try? copy.withIndex(candidate) { try IndexUse(for: plan, in: $0) }
    guard let use, use.index == candidate.name, use.isCovering || kind == .keys else { return nil }
    return RequestExplanation.IndexSuggestion(
      name: candidate.name, sql: candidate.sql,
      reason: use.isCovering
        ? "What the aggregates of a section look at is read from the index."
        : "The index leads to the rows of a section.")
  }
}

/// The index by which SQLite finds the rows of one section.
private struct IndexUse {
  let index: String
  let isCovering: Bool

  /// Asks SQLite; nil where it searches by no index that has a name.
  init?(for plan: FetchPlan, in db: Database) throws {
    let query = PlanSQL(plan).selectOperandsInSection(of: plan.aggregates)
    let bound = SQLFragment(query.sql, query.values + [.null])
    guard let table = plan.storedTable else { return nil }
    let start = "SEARCH main.\(table) USING "
    for step in try QueryPlanStep.steps(of: bound, in: db).flatMap(\.all)
    where step.detail.hasPrefix(start) {
      var rest = step.detail.dropFirst(start.count)
      isCovering = rest.hasPrefix("COVERING ")
      if isCovering { rest = rest.dropFirst("COVERING ".count) }
      guard rest.hasPrefix("INDEX "), let end = rest.range(of: " (", options: .backwards) else {
        return nil
      }
      index = String(rest[..<end.lowerBound].dropFirst("INDEX ".count))
      return
    }
    return nil
  }
}
