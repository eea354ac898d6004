extension FetchRequest {
  /// Returns what the request means to SQLite.
  ///
  /// - Throws: ``StoreError`` with the code `invalidRequest` for a negative limit or offset, a
  ///   batch size below one, a property that is no attribute, an aggregate of groups that there
  ///   are none of, or a value SQLite cannot store.
  public func makePlan() throws(StoreError) -> FetchPlan {
    try checkHasNoAggregates()
    let schema = E.schema
    var renderer = SQLRenderer(table: schema.table)
    var plan = FetchPlan(
      table: schema.table, keyColumns: schema.primaryKey, itemColumns: schema.columns)
    if !conditions.isEmpty {
      plan.filter = try renderer.render(.all(conditions))
      plan.fullTextTables = renderer.reads.fullTextTables
    }
    if !plan.fullTextTables.isEmpty {
      var byRow = SQLRenderer(table: schema.table, asksByRow: true)
      plan.filterOfRow = try byRow.render(.all(conditions))
    }
    plan.section = try section?.planSection(with: &renderer)
    for term in sortTerms { plan.sort.append(try term.planTerm(with: &renderer)) }
    if isReorderable {
      guard plan.sort.count == 1, let column = plan.sort[0].column else {
        throw .invalidRequest(
          "A reorderable request for \(schema.table) is sorted by something else, too.",
          hint: "Sort it by .reorderable(by:) alone, and by a property.")
      }
      plan.orderColumn = column.name
    }
    for aggregate in aggregates {
      plan.aggregates.append(try aggregate.planAggregate(with: &renderer))
    }
    plan.aggregateScope = aggregateScope
    plan.limit = limitCount
    plan.offset = offsetCount
    plan.batchSize = batchCount
    plan.joins = renderer.joins
    plan.dependsOnRanks = renderer.reads.includesRanks
    plan.dependencies = renderer.reads.dependencies(keyColumns: schema.primaryKey)
    plan.links = renderer.reads.links
    try plan.validate()
    return plan
  }
}

extension FetchRequest {
  /// What the request says about a row, or a group.
  var expressions: [SQLExpression] {
    let section = section.map { section in
      [section.identity.expression, section.title].compactMap { $0 }
        + section.order.map(\.expression)
    }
    return conditions + sortTerms.map(\.expression) + (section ?? [])
  }

  /// Checks that nothing is worked out of the rows of a group: there are none.
  func checkHasNoAggregates() throws(StoreError) {
    try Self.checkHaveNoAggregates(expressions)
  }

  /// Checks that nothing is worked out of the rows of a group.
  static func checkHaveNoAggregates(_ expressions: [SQLExpression]) throws(StoreError) {
    guard expressions.contains(where: \.hasAggregate) else { return }
    throw .invalidRequest(
      "A request for rows of \(E.schema.table) has an aggregate, which only groups have.",
      hint: "Group the rows by grouped(by:), or aggregate related rows: $0.lines.sum(\\.cents).")
  }
}
