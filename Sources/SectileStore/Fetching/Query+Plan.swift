internal import GRDB
internal import SectileCore

extension Query {
  /// What plans call the rows of a query.
  package static let name = "query"

  /// Returns the SELECT as plans have it: with a plain `?` for each value, and nothing behind its
  /// end.
  ///
  /// - Throws: `invalidRequest` where a parameter has no value, or a value no parameter.
  package func makeSelect() throws(StoreError) -> SQLFragment {
    var select = try select()
    select.sql = SelectedColumns.withoutEnd(select.sql)
    return select
  }

  /// Returns what the query means to SQLite: a plan whose items have all columns of the SELECT.
  ///
  /// - Parameter transaction: The transaction in which the columns are found out.
  /// - Returns: The plan.
  /// - Throws: ``StoreError``: `invalidRequest` for a text that is not one SELECT, a column that it
  ///   does not have or has twice, a parameter without a value, a value without a parameter, a
  ///   negative limit or offset; `statementFailed` with what SQLite says of the text.
  public func makePlan(
    in transaction: StoreReadTransaction
  ) throws(StoreError) -> FetchPlan {
    try transaction.checkActive()
    return try makePlan(in: transaction.db)
  }

  func makePlan(in db: Database) throws(StoreError) -> FetchPlan {
    let select = try makeSelect()
    let columns = try SelectedColumns(of: select, named: Self.name, in: db)
    try columns.checkAreUnique()
    return try makePlan(select, columns)
  }

  /// Returns what the query means where it is the refined one of a plan, whose columns are known.
  ///
  /// - Parameter plan: The plan.
  /// - Returns: The new plan.
  /// - Throws: `invalidRequest` also where it selects something else.
  func makePlan(refining plan: FetchPlan) throws(StoreError) -> FetchPlan {
    let select = try makeSelect()
    guard plan.query == select, plan.table == Self.name else {
      throw .invalidRequest(
        "Results of \(plan.table) cannot become those of another SELECT, or of other values in it.",
        hint: "Put what changes into filter(_:), or make new results.")
    }
    return try makePlan(select, SelectedColumns(plan.itemColumns, of: Self.name))
  }

  private func makePlan(
    _ select: SQLFragment, _ columns: SelectedColumns
  ) throws(StoreError) -> FetchPlan {
    var plan = FetchPlan(
      query: select, named: Self.name,
      keyColumns: try keyColumns.map { column throws(StoreError) -> String in
        try columns.spelling(of: column)
      },
      itemColumns: columns.names)
    if !conditions.isEmpty {
      plan.filter = SQLFragment(joining: conditions.map(\.inParentheses), separator: " AND ")
    }
    for term in sortTerms { plan.sort.append(try term.planTerm(of: plan, columns)) }
    plan.section = try section?.planSection(of: plan, columns)
    for var aggregate in aggregates {
      if let column = aggregate.function.column {
        aggregate.function = aggregate.function.naming(try columns.spelling(of: column))
      }
      plan.aggregates.append(aggregate)
    }
    plan.aggregateScope = aggregateScope
    (plan.limit, plan.offset, plan.batchSize) = (limitCount, offsetCount, batchCount)
    try plan.validate()
    return plan
  }
}

extension Query.Expression {
  /// The expression as SQL.
  ///
  /// In parentheses, a number is no position in the SELECT list, and a comment ends.
  fileprivate func fragment(
    of plan: FetchPlan, _ columns: SelectedColumns
  ) throws(StoreError) -> SQLFragment {
    switch self {
    case .column(let name): plan.qualified(try columns.spelling(of: name))
    case .sql(let fragment): fragment.inParentheses
    }
  }
}

extension Query.Term {
  fileprivate func planTerm(
    of plan: FetchPlan, _ columns: SelectedColumns
  ) throws(StoreError) -> FetchPlan.SortTerm {
    FetchPlan.SortTerm(
      expression: try expression.fragment(of: plan, columns),
      isDescending: direction == .descending, nullOrder: nulls, collation: collation)
  }
}

extension Query.Sections {
  fileprivate func planSection(
    of plan: FetchPlan, _ columns: SelectedColumns
  ) throws(StoreError) -> FetchPlan.Section {
    var section = FetchPlan.Section(
      identity: try identity.planTerm(of: plan, columns), fixedSections: fixedSections)
    for term in order { section.order.append(try term.planTerm(of: plan, columns)) }
    section.title = try title?.fragment(of: plan, columns)
    return section
  }
}
