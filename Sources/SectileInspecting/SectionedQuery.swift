package import Sectile

/// The statements that read a request once: its sections with their counts, and its rows.
///
/// Both have one order: section, sort terms, key. So the first rows are those of the first section,
/// as many as its count says, and nobody has to compare. Read them in one transaction:
///
/// ```swift
/// let query = try SectionedQuery(request, on: connection)
/// try connection.prepare(query.sections.sql).run(query.sections.values) { … }
/// try connection.prepare(query.rows.sql).run(query.rows.values) { … }
/// ```
///
/// Views, queries and tables without a key are fine; their ties have no order.
package struct SectionedQuery: Sendable {
  /// The table or view as the schema writes it.
  package let table: String
  /// The columns of a row of ``rows``.
  package let columns: [String]
  /// The aggregates, as they were written.
  package let aggregates: [String]
  /// Selects the sections in order: what they are told apart by, how many rows they have, then the
  /// aggregates.
  ///
  /// A request without sections is one section, of NULL, also where it has no rows.
  package let sections: SQLFragment
  /// Selects the same of all rows together, as one section of NULL: its aggregates are those of all
  /// rows.
  ///
  /// SQLite may refuse it where it answered ``sections``: a sum of all rows may be too large.
  package let totals: SQLFragment
  /// Selects the rows in their complete order.
  package let rows: SQLFragment

  /// Composes the statements of a request.
  ///
  /// - Parameters:
  ///   - request: The request; its own aggregates, which can be kept up to date, are left out.
  ///   - aggregates: SQL expressions over the rows of a section, as in `sum(size)`; `count` and
  ///     `count(where size > 9)` are understood, too.
  ///   - connection: The connection that is asked about the schema.
  /// - Throws: ``RequestError`` for a table or column that is not there; `StoreError` for SQL that
  ///   SQLite refuses.
  package init(
    _ request: TableRequest, aggregates: [String] = [], on connection: InspectionConnection
  ) throws {
    let shape = try request.shape(on: connection)
    for sort in request.sorts { try sort.refuseSeveralTerms() }
    var key = try request.namedKey(of: shape)
    if key.isEmpty, let rowID = shape.rowIDName { key = [rowID] }
    var plan = request.plan(
      of: shape, try request.query?.makeSelect(), key: key,
      columns: try shape.columns(named: request.columns))
    rows = PlanSQL(try plan.resolvingKey(on: connection)).selectItemsInOrder
    // SQLite refuses bad SQL in what the user wrote before the section's term is looked at.
    let statement = try connection.prepare(rows.sql)
    try Self.check(statement, yields: plan.itemColumns.count)

    if var identity = plan.section?.identity, identity.collation == nil {
      identity.collation = try plan.impliedCollation(of: identity) {
        try connection.schemaRows($0, [])
      }
      plan.section?.identity = identity
    }
    sections = Self.sections(of: plan, shape: shape, aggregates: aggregates)
    totals = Self.heads(of: plan, shape: shape, identity: nil, aggregates: aggregates)
    try Self.check(connection.prepare(sections.sql), yields: 2 + aggregates.count)
    table = shape.name
    self.columns = plan.itemColumns
    self.aggregates = aggregates
  }

  private static func sections(
    of plan: FetchPlan, shape: TableShape, aggregates: [String]
  ) -> SQLFragment {
    var sql = heads(
      of: plan, shape: shape, identity: plan.section?.foldedIdentity, aggregates: aggregates)
    if let section = plan.section {
      sql = sql + SQLFragment(" GROUP BY ") + section.identity.compared
      sql = sql + SQLFragment(" ORDER BY ") + section.identity.ordered
    }
    return sql
  }

  /// What is told of groups of rows, which are yet to be grouped.
  private static func heads(
    of plan: FetchPlan, shape: TableShape, identity: SQLFragment?, aggregates: [String]
  ) -> SQLFragment {
    var columns = [identity ?? SQLFragment("NULL"), SQLFragment("count(*)")]
    columns += aggregates.map { SQLFragment(AggregateArgument.sql(of: $0)).inParentheses }
    return SQLFragment("SELECT ") + SQLFragment(joining: columns) + SQLFragment(" FROM ")
      + source(of: plan, shape: shape)
  }

  /// The rows that are grouped: those of the table, or of a part of it under the table's own name,
  /// so that what the user wrote means the same in either.
  private static func source(of plan: FetchPlan, shape: TableShape) -> SQLFragment {
    let table = SQLName.quote(plan.table)
    guard plan.limit != nil else {
      return (plan.query == nil ? SQLFragment(table) : plan.source)
        + (plan.filter.map { SQLFragment(" WHERE ") + $0 } ?? SQLFragment(""))
    }
    var part = plan
    part.itemColumns = shape.columns
    if let rowID = shape.rowIDName { part.itemColumns.append(rowID) }
    let names = part.itemColumns.map { SQLName.quote($0) }.joined(separator: ", ")
    // The names have to be given again: a row id that is a column goes by the column's name. That
    // of the whole must not be the table's, or one that the query reads, which would then mean
    // itself.
    let read = (plan.query?.sql ?? plan.table).lowercased()
    var (whole, number) = ("limited", 1)
    while plan.query == nil ? read == whole : read.contains(whole) {
      number += 1
      whole = "limited_\(number)"
    }
    return SQLFragment("(WITH \(whole)(\(names)) AS (") + PlanSQL(part).selectItemsInOrder
      + SQLFragment(") SELECT * FROM \(whole)) AS \(table)")
  }

  /// Refuses SQL that breaks out of its place: `sum(a), (b` is two columns.
  private static func check(_ statement: InspectionStatement, yields count: Int) throws {
    guard statement.columnNames.count == count else {
      throw RequestError(
        .badExpression, "one expression of the request contains several expressions",
        hint: "Give each column, sort term and aggregate by itself, and check the parentheses.")
    }
  }
}
