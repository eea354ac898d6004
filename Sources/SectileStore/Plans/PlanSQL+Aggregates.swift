internal import SectileCore

// What aggregates are worked out from:
//
//   selectOperands:          identity | operand …  of all rows
//   selectOperandsInSection: operand …             of the rows of a section; its identity is bound
//                                                  last
//   selectOperandsOfRow:     operand … | column …  of the row with a key, wanted or not
//   selectDistinctCounts:    identity | count …    of all sections, or without identity of all rows
extension PlanSQL {
  /// What an aggregate looks at in each row; nil where SQLite has to look at all rows at once, and
  /// where it is enough that there is a row.
  private func operand(of function: FetchPlan.Aggregate.Function) -> SQLFragment? {
    switch function {
    case .rowCount, .distinctCount: nil
    case .conditionCount(let condition): condition.inParentheses
    case .valueCount(let column), .sum(let column), .average(let column), .minimum(let column),
      .maximum(let column):
      plan.qualified(column)
    }
  }

  private func operands(of aggregates: [FetchPlan.Aggregate]) -> [SQLFragment] {
    aggregates.map { operand(of: $0.function) ?? SQLFragment("NULL") }
  }

  /// The section of a row; NULL without sections.
  private var identity: SQLFragment { plan.section?.foldedIdentity ?? SQLFragment("NULL") }

  /// Selects the conditions that are counted; nil where none is.
  package var selectConditions: SQLFragment? {
    let conditions = plan.aggregates.compactMap { aggregate -> SQLFragment? in
      if case .conditionCount(let condition) = aggregate.function { condition } else { nil }
    }
    guard !conditions.isEmpty else { return nil }
    return SQLBuilder("SELECT ", SQLFragment(joining: conditions.map(\.inParentheses)), from)
      .fragment
  }

  /// Selects what aggregates look at, of all rows in any order.
  package func selectOperands(of aggregates: [FetchPlan.Aggregate]) -> SQLFragment {
    selectAggregated([identity] + operands(of: aggregates))
  }

  /// Selects what aggregates look at, of the rows of one section.
  package func selectOperandsInSection(of aggregates: [FetchPlan.Aggregate]) -> SQLFragment {
    SQLBuilder(
      "SELECT ", SQLFragment(joining: operands(of: aggregates)), from, whereInSection
    ).fragment
  }

  /// Selects what aggregates look at, of one row, and some of its columns.
  package func selectOperandsOfRow(
    of aggregates: [FetchPlan.Aggregate], and columns: [String]
  ) -> PlanStatement {
    let columns = SQLFragment(joining: operands(of: aggregates) + columns.map(plan.qualified))
    return PlanStatement(
      SQLBuilder("SELECT ", columns, from, SQLFragment(" WHERE \(keyCondition)")).fragment)
  }

  /// Counts different values, in each section.
  package func selectDistinctCounts(of aggregates: [FetchPlan.Aggregate]) -> SQLFragment {
    let columns = distinctColumns(of: aggregates)
    let rows = selectAggregated(
      [identity + SQLFragment(" AS \"identity\"")]
        + columns.enumerated().map { $1 + SQLFragment(" AS \"v\($0)\"") })
    let counts = columns.indices.map { ", count(DISTINCT \"v\($0)\")" }.joined()
    let collation = plan.section?.identity.collation.map {
      " COLLATE \(SQLName.quote($0.name))"
    }
    return SQLFragment(
      "SELECT \"identity\"\(counts) FROM (\(rows.sql)) GROUP BY \"identity\"\(collation ?? "")",
      rows.values)
  }

  /// Counts different values in one section, or in all rows.
  package func selectDistinctCounts(
    of aggregates: [FetchPlan.Aggregate], inSection: Bool
  ) -> SQLFragment {
    let columns = distinctColumns(of: aggregates)
    guard !inSection else {
      let counts = columns.map { SQLFragment("count(DISTINCT ") + $0 + SQLFragment(")") }
      return SQLBuilder("SELECT ", SQLFragment(joining: counts), from, whereInSection).fragment
    }
    let rows = selectAggregated(
      columns.enumerated().map { $1 + SQLFragment(" AS \"v\($0)\"") })
    let counts = columns.indices.map { "count(DISTINCT \"v\($0)\")" }.joined(separator: ", ")
    return SQLFragment("SELECT \(counts) FROM (\(rows.sql))", rows.values)
  }

  private func distinctColumns(of aggregates: [FetchPlan.Aggregate]) -> [SQLFragment] {
    aggregates.compactMap(\.function.column).map(plan.qualified)
  }

  /// Selects columns of the rows that are aggregated, of a window those in it if they alone count.
  private func selectAggregated(_ columns: [SQLFragment]) -> SQLFragment {
    let rows = SQLBuilder("SELECT ", SQLFragment(joining: columns), from, whereClause()).fragment
    guard plan.limit != nil || plan.offset > 0, plan.aggregateScope == .shown else { return rows }
    return rows + orderClause + limitClause
  }

  /// Selects something for each wanted row of a section, whatever limit and offset are; its
  /// identity is bound last, where there are sections.
  var selectOneInSection: SQLFragment {
    SQLBuilder("SELECT ", SQLFragment("1"), from, whereInSection).fragment
  }

  private var whereInSection: SQLFragment {
    guard let section = plan.section else { return whereClause() }
    return whereClause(
      and: section.identity.compared.inParentheses + SQLFragment(" IS ?"))
  }
}
