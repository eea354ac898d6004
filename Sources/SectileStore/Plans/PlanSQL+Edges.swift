package import SectileCore

// The rows next to a row in the complete order, with the filter. For (s, k, id) behind ('a', 3, 7),
// nearest first:
//
//   s IS 'a' AND k IS 3 AND id > 7    ORDER BY id
//   s IS 'a' AND k > 3                ORDER BY k, id
//   s > 'a'                           ORDER BY s, k, id
//
// Each is a range of an index that has the order. NULL is neither smaller nor larger: it has a step
// of its own at that end of the order where it stands.
extension PlanSQL {
  /// Where rows are, seen from another one.
  package enum Side: Sendable {
    case before
    case behind
  }

  /// The terms that decide, each once.
  package var decidingTerms: [FetchPlan.SortTerm] {
    sectionOrder + (plan.section.map { [$0.identity] } ?? []) + plan.sort
      + plan.keyColumns.map(plan.keyTerm)
  }

  /// Returns statements that select the keys of the wanted rows on one side of a row, whatever
  /// limit and offset are.
  ///
  /// - Parameters:
  ///   - side: Which rows.
  ///   - values: The row's values of the complete order, as many as ``decidingTerms``.
  ///   - count: How many rows each statement selects at most.
  /// - Returns: The statements. Each yields rows nearest first, and all of them are nearer than
  ///   those of the next.
  package func selectKeys(
    _ side: Side, _ values: [StoredValue], count: Int
  ) -> [SQLFragment] {
    let terms = decidingTerms
    var statements: [SQLFragment] = []
    for position in terms.indices.reversed() {
      let pinned = (0..<position).map {
        terms[$0].compared.inParentheses + SQLFragment(" IS ?", [values[$0]])
      }
      for condition in Self.conditions(terms[position], side, values[position]) {
        let isRange = condition.isRange
        let rest = terms[(isRange ? position : position + 1)...].map { $0.seen(from: side).ordered }
        let wanted = SQLFragment(joining: pinned + [condition.sql], separator: " AND ")
        var sql = SQLBuilder(
          "SELECT ", SQLFragment(joining: plan.keyColumns.map(plan.qualified)), from,
          whereClause(and: wanted))
        if !rest.isEmpty {
          sql.append(SQLFragment(" ORDER BY "))
          sql.append(SQLFragment(joining: rest))
        }
        sql.append(SQLFragment(" LIMIT ?", [.integer(Int64(count))]))
        statements.append(sql.fragment)
      }
    }
    return statements
  }

  /// The conditions under which one term puts rows on a side of a value, nearest first.
  private static func conditions(
    _ term: FetchPlan.SortTerm, _ side: Side, _ value: StoredValue
  ) -> [(sql: SQLFragment, isRange: Bool)] {
    let operand = term.compared.inParentheses
    let endsWithNull = PlanOrdering.Term(term).isNullFirst == (side == .before)
    guard value != .null else {
      return endsWithNull ? [] : [(operand + SQLFragment(" IS NOT NULL"), true)]
    }
    let isSmaller = term.isDescending == (side == .behind)
    let range = operand + SQLFragment(isSmaller ? " < ?" : " > ?", [value])
    guard endsWithNull else { return [(range, true)] }
    return [(range, true), (operand + SQLFragment(" IS NULL"), false)]
  }
}

extension FetchPlan.SortTerm {
  /// The term by which rows on a side come nearest first.
  fileprivate func seen(from side: PlanSQL.Side) -> FetchPlan.SortTerm {
    guard side == .before else { return self }
    var term = self
    term.isDescending.toggle()
    term.nullOrder =
      switch nullOrder {
      case .first: .last
      case .last: .first
      case nil: nil
      }
    return term
  }
}
