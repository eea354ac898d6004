import GRDB
import SectileCore

extension FetchPlan {
  /// Parses the plan's query, or what stands for its view, for its rows to be followed one by one.
  ///
  /// What the plan says about the rows (filter, sections, order) must follow from each row by
  /// itself.
  ///
  /// - Parameter db: The connection.
  /// - Returns: The query.
  /// - Throws: ``SelectRefusal`` where rows cannot be followed one by one.
  func reading(in db: Database) throws(SelectRefusal) -> SelectReading {
    // The place of a row follows from all others.
    if isByPlace { throw SelectRefusal("row_number()", .dependsOnPlan) }
    let select = query ?? SQLFragment("SELECT * FROM \(SQLName.table(table))")
    let reading = try SelectReading(select, in: db)
    if let value = timesOfRows.first { throw SelectRefusal(value, .clock) }
    guard joins.isEmpty, fullTextTables.isEmpty else { throw SelectRefusal("JOIN", .syntax) }
    if let table = (dependencies.map(\.table)).first(where: {
      !reading.tables.contains($0.inSQLLowerCase)
    }) {
      throw SelectRefusal(table, .table)
    }
    try checkReadRowsAlone(ownExpressions, in: db)
    return reading
  }

  /// The plan of a table as that of a query, by which its rows can be followed one by one where a
  /// touched row of another table leads to them in no simpler way; nil where each does.
  ///
  /// A row of it has all that decides about the row of the plan: its item, its section, its place.
  var askedAsQuery: FetchPlan? {
    guard query == nil, !isByPlace, dependencies.contains(where: { $0.affected == .everything })
    else { return nil }
    // What a condition says of a row may change without anything of the row.
    for case .conditionCount in aggregates.map(\.function) { return nil }
    var columns = (itemColumns + keyColumns).map(qualified)
    columns += (section.map { [$0.identity] + $0.order } ?? []).map(\.expression)
    columns += [section?.title].compactMap { $0 } + sort.map(\.expression)
    var select = SQLFragment("SELECT ") + SQLFragment(joining: columns)
    select.sql += " FROM \(PlanSQL.source(table, as: table, joins))"
    if let filter { select = select + SQLFragment(" WHERE ") + filter }
    var plan = FetchPlan(
      query: select, named: table, keyColumns: keyColumns, itemColumns: itemColumns)
    (plan.dependencies, plan.timesOfRows) = (dependencies, timesOfRows)
    return plan
  }

  /// What the plan says about the rows of its query, in SQL.
  private var ownExpressions: [SQLFragment] {
    var all = [filter, filterOfRow, section?.title].compactMap { $0 }
    all += (section.map { [$0.identity] + $0.order } ?? []).map(\.expression)
    all += sort.map(\.expression)
    for case .conditionCount(let condition) in aggregates.map(\.function) { all.append(condition) }
    return all
  }

  /// Refuses expressions that read other rows than the one that they stand for.
  private func checkReadRowsAlone(
    _ expressions: [SQLFragment], in db: Database
  ) throws(SelectRefusal) {
    guard !expressions.isEmpty else { return }
    let statement =
      SQLFragment("SELECT 1 FROM ") + source + SQLFragment(" WHERE ")
      + SQLFragment(joining: expressions.map(\.inParentheses), separator: " AND ")
    var parser = try SelectParser(statement, SelectParser.Context(SelectSchema(db)))
    guard case .core(let core) = try parser.statement() else { return }
    for condition in core.conditions
    where !condition.queries.isEmpty || condition.hasAggregate || !condition.allWindows.isEmpty {
      throw SelectRefusal("SELECT", .syntax)
    }
  }
}
