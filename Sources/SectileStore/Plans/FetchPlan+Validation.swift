import GRDB
import GRDBSQLite

extension FetchPlan {
  /// How many values one statement can bind at least: the limit SQLite is built with by default.
  public static let boundValueMaximum = 32_766

  /// Checks what no SQL text can say wrong but a caller can.
  ///
  /// - Throws: ``StoreError`` with the code `invalidRequest`.
  package func validate() throws(StoreError) {
    if let limit, limit < 0 {
      throw .invalidRequest(
        "The limit of a request for \(table) is \(limit).",
        hint: "Use 0 or more, or no limit at all.")
    }
    guard offset >= 0 else {
      throw .invalidRequest(
        "The offset of a request for \(table) is \(offset).", hint: "Use 0 or more.")
    }
    guard batchSize > 0 else {
      throw .invalidRequest(
        "The batch size of a request for \(table) is \(batchSize).", hint: "Use 1 or more.")
    }
    guard !keyColumns.isEmpty else {
      throw .invalidRequest(
        "A request for \(table) names no key column.",
        hint: "Rows are told apart by the declared primary key.")
    }
    if let orderColumn, !isInWrittenOrder {
      throw .invalidRequest(
        "A request for \(table) that is reorderable by \(orderColumn) is sorted otherwise.",
        hint: "Sort by nothing else than a column of the table itself, as its values are.")
    }
    let names = Dictionary(grouping: aggregates.map(\.name)) { $0 }
    if let name = names.first(where: { $0.value.count > 1 })?.key {
      throw .invalidRequest(
        "Two aggregates of a request for \(table) are called \(name).",
        hint: "Give one another name.")
    }
    for aggregate in aggregates {
      guard let column = aggregate.function.column, !itemColumns.contains(column) else { continue }
      throw .invalidRequest(
        "The aggregate \(aggregate.name) of a request for \(table) looks at \(column), which its items do not "
          + "have.",
        hint: "Let the items have the column: a change of other columns is not told.")
    }
  }

  /// Checks that SQLite can bind what the statements of the plan bind.
  ///
  /// - Parameters:
  ///   - count: How many values the longest statement binds.
  ///   - db: The connection, which says how many there may be.
  /// - Throws: ``StoreError`` with the code `invalidRequest`.
  func checkBoundValues(_ count: Int, in db: Database) throws(StoreError) {
    let limit = Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    guard count > limit else { return }
    let sectionCount = section?.fixedSections?.count ?? 0
    if sectionCount > filter?.values.count ?? 0 {
      throw .invalidRequest(
        "A request for \(table) lists \(sectionCount) sections, and binds \(count) values.",
        hint: "SQLite binds at most \(limit) here. Put the sections into a table with a position, "
          + "and order them by it.")
    }
    throw .invalidRequest(
      "The statements of a request for \(table) bind \(count) values.",
      hint: "SQLite binds at most \(limit) here. Hand a list over as one value, in a filter of "
        + "SQL: \"id\" IN (SELECT value FROM json_each(?)), or put it into a table.")
  }
}
