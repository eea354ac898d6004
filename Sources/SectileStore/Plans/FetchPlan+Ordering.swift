extension FetchPlan {
  /// Returns the order by a column of the primary key.
  package func keyTerm(_ column: String) -> SortTerm {
    term(column, collation: comparesKeyByBytes ? .binary : nil)
  }

  /// Returns the plan with every collation that a column declares written out.
  ///
  /// A bare column compares by the collation its table declares. Whoever compares in Swift, or
  /// needs one identity for a section, has to know it.
  ///
  /// - Parameter declared: Returns the collation of a column; nil for `BINARY`.
  /// - Returns: The plan, with a collation in each term that is a column with one.
  /// - Throws: What `declared` throws.
  package func resolvingCollations<Failure: Error>(
    _ declared: (Column) throws(Failure) -> TextCollation?
  ) throws(Failure) -> FetchPlan {
    func resolved(_ term: SortTerm) throws(Failure) -> SortTerm {
      guard term.collation == nil, let column = term.column else { return term }
      var term = term
      term.collation = try declared(column)
      return term
    }
    var plan = self
    for index in plan.sort.indices { plan.sort[index] = try resolved(plan.sort[index]) }
    guard var section else { return plan }
    section.identity = try resolved(section.identity)
    for index in section.order.indices {
      section.order[index] = try resolved(section.order[index])
    }
    plan.section = section
    return plan
  }
}
