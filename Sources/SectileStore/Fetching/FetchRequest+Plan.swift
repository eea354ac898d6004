extension FetchRequest {
  /// Returns what the request means to SQLite.
  ///
  /// - Throws: ``StoreError`` with the code `invalidRequest` for a negative limit or offset, a batch
  ///   size below one, a property that is no attribute, or a value SQLite cannot store.
  public func makePlan() throws(StoreError) -> FetchPlan {
    let schema = E.schema
    var renderer = SQLRenderer(table: schema.table)
    var plan = FetchPlan(
      table: schema.table, keyColumns: schema.primaryKey, itemColumns: schema.columns)
    if !conditions.isEmpty { plan.filter = try renderer.render(.all(conditions)) }
    plan.section = try section?.planSection(with: &renderer)
    for term in sortTerms { plan.sort.append(try term.planTerm(with: &renderer)) }
    plan.limit = limitCount
    plan.offset = offsetCount
    plan.batchSize = batchCount
    plan.joins = renderer.joins
    plan.dependencies = renderer.reads.dependencies(keyColumns: schema.primaryKey)
    try plan.validate()
    return plan
  }
}
