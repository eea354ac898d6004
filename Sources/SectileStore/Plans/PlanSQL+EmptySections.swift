internal import SectileCore

extension PlanSQL {
  /// Selects what a section of the fixed list is called that has no rows, given its identity: what
  /// the related row says that its rows would refer to.
  ///
  /// Nil where sections are called otherwise: by their identity, or by more of a row than what it
  /// refers to. SQLite may still refuse the statement, where the title looks at other columns of
  /// the table.
  package var selectTitleOfEmptySection: SQLFragment? {
    guard let section = plan.section, section.fixedSections != nil, let title = section.title,
      let joins = joins(neededBy: title), let first = joins.first, first.source == plan.table,
      first.sourceColumns.count == 1, decides(first, section.identity)
    else { return nil }
    let row = "(SELECT ? AS \(SQLName.quote(first.sourceColumns[0])))"
    let sources = ["\(row) AS \(SQLName.quote(plan.table))"] + joins.map(Self.join)
    return SQLFragment("SELECT ") + title + SQLFragment(" FROM \(sources.joined(separator: " "))")
  }

  /// Whether the column that refers to the joined row, or the one that it refers to, is what makes
  /// a section.
  private func decides(_ join: FetchPlan.Join, _ identity: FetchPlan.SortTerm) -> Bool {
    [
      SQLName.quote(plan.table, join.sourceColumns[0]),
      SQLName.quote(join.alias, join.targetColumns[0]),
    ].contains(identity.expression.sql)
  }

  /// Returns the joins whose columns an expression names, with those that lead to them; nil where
  /// they do not begin with one and the same.
  private func joins(neededBy expression: SQLFragment) -> [FetchPlan.Join]? {
    var needed = Set(
      plan.joins.map(\.alias).filter { expression.sql.contains("\(SQLName.quote($0)).") })
    // A join stands behind the one that leads to it.
    for join in plan.joins.reversed() where needed.contains(join.alias) {
      needed.insert(join.source)
    }
    let joins = plan.joins.filter { needed.contains($0.alias) }
    return joins.filter { $0.source == plan.table }.count == 1 ? joins : nil
  }
}
