import GRDB
import SectileCore

/// Tells in which section of a request rows are, as the database has them now: in the transaction
/// that writes, whatever results show.
struct SectionMembership {
  private let sql: PlanSQL
  private let db: Database

  init(_ plan: FetchPlan, in db: Database) throws {
    sql = PlanSQL(try PlanQueries.resolvingCollations(plan, in: db).groupingByBytes)
    self.db = db
  }

  /// Returns the section of a row, NULL without sections; nil where the request does not want the
  /// row, or there is none.
  func section(of key: RowKey) throws -> StoredValue? {
    let select = sql.selectRow
    let statement = try RawStatement.cached(select.sql, on: db)
    defer { statement.finish() }
    try statement.bind(select.values, from: select.valueParameter)
    try statement.bind(key, from: select.keyParameter)
    // SQLite finds more than the row asked for where it compares keys by a collation.
    while try statement.step() {
      guard try statement.key(at: sql.layout.key) == key else { continue }
      guard let identity = sql.layout.identity else { return .null }
      return try statement.columnValue(at: identity)
    }
    return nil
  }

  /// Returns whether the request wants more than so many rows in a section.
  ///
  /// - Complexity: Reads no more rows than that where an index leads to the section; without one,
  ///   also the rows before them that are of other sections.
  func hasMore(than count: Int, inSection identity: StoredValue) throws -> Bool {
    let select = sql.selectOneInSection
    let statement = try RawStatement.cached("\(select.sql) LIMIT 1 OFFSET ?", on: db)
    defer { statement.finish() }
    var values = select.values
    if sql.plan.section != nil { values.append(identity) }
    try statement.bind(values + [.integer(Int64(max(count, 0)))])
    return try statement.step()
  }
}
