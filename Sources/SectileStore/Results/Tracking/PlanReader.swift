import GRDB
import GRDBSQLite
import SectileCore

/// Reads the rows of one plan on one connection: all of them in order, one by key, or the sort keys
/// of one.
///
/// Made for one database access, in which it looks up each of its statements once.
final class PlanReader {
  let queries: PlanQueries
  let db: Database

  private var row: RawStatement?
  private var orderingOfRow: RawStatement?

  init(queries: PlanQueries, db: Database) {
    self.queries = queries
    self.db = db
  }

  // MARK: All rows

  /// Calls `body` with each row in the plan's complete order until it answers false.
  func forEachRow(_ scan: PlanQueries.RowScan, _ body: (PlanCursor) throws -> Bool) throws {
    let statement = try RawStatement.cached(scan.sql.sql, on: db)
    defer { statement.reset() }
    try statement.bindAll(scan.sql.values)
    let cursor = PlanCursor(statement: statement, queries: queries, columns: scan.layout)
    while try statement.step() {
      guard try body(cursor) else { return }
    }
  }

  /// Calls `body` with the key of each row of the base table, wanted or not, and a function that
  /// takes a digest of its item.
  func forEachBaseRow(_ body: (RowKey, () -> UInt64) throws -> Void) throws {
    let plan = queries.plan
    let columns = (plan.keyColumns + plan.itemColumns).map(SQLName.quote).joined(separator: ", ")
    let statement = try RawStatement.cached(
      "SELECT \(columns) FROM \(SQLName.quote(plan.table))", on: db)
    defer { statement.reset() }
    let keys = plan.keyColumns.indices
    let items = keys.upperBound..<(keys.upperBound + plan.itemColumns.count)
    while try statement.step() {
      let key = RowKey(try keys.map { try statement.columnValue(at: $0) })
      try body(key) { statement.digest(items) }
    }
  }

  // MARK: One row

  /// Calls `body` with the row that has a key, if the row exists and the filter wants it.
  ///
  /// SQLite finds more than the row asked for where it compares keys by a collation, or 1 with 1.0.
  ///
  /// - Throws: `duplicateKey` where two rows have the key; what reading throws.
  func withRow<Result>(_ key: RowKey, _ body: (PlanCursor) throws -> Result) throws -> Result? {
    let statement = try row ?? prepare(queries.row)
    row = statement
    defer { statement.reset() }
    try statement.bind(key, from: queries.row.keyParameter)
    let cursor = PlanCursor(statement: statement, queries: queries, columns: queries.layout)
    var result: Result?
    while try statement.step() {
      guard try cursor.key() == key else { continue }
      guard result == nil else {
        throw StoreError.duplicateKey(table: queries.plan.table, key: key)
      }
      result = try body(cursor)
    }
    return result
  }

  /// Whether a row comes before the row that has a key.
  func isRow(_ ordering: [OrderingValue], before key: RowKey) throws -> Bool {
    let statement = try orderingOfRow ?? prepare(queries.orderingOfRow)
    orderingOfRow = statement
    defer { statement.reset() }
    try statement.bind(key, from: queries.orderingOfRow.keyParameter)
    guard let rule = queries.ordering else { throw StaleContents() }
    let keyColumns = rule.terms.indices.suffix(queries.plan.keyColumns.count)
    while try statement.step() {
      let found = RowKey(try keyColumns.map { try statement.columnValue(at: $0) })
      if found == key { return rule.areInOrder(ordering, statement.handle, firstColumn: 0) }
    }
    // A row that is gone although nobody touched it: the caller's picture is out of date.
    throw StaleContents()
  }

  /// Calls `body` with the keys of rows before a row in its section, nearest first, until it answers
  /// false.
  ///
  /// - Parameters:
  ///   - ordering: The row's values of the complete order.
  ///   - step: A step of the plan's query for such a row.
  ///   - body: Takes a key.
  /// - Throws: What reading and `body` throw.
  func forEachPredecessor(
    of ordering: [OrderingValue], _ step: PredecessorQuery.Step, _ body: (RowKey) throws -> Bool
  ) throws {
    let statement = try RawStatement.cached(step.sql, on: db)
    defer { statement.reset() }
    try statement.bind(step.values)
    for (offset, position) in step.positions.enumerated() {
      try ordering[position].withColumn { column in
        try statement.bindColumn(column, at: step.firstParameter + offset)
      }
    }
    while try statement.step() {
      let key = RowKey(
        try queries.plan.keyColumns.indices.map { try statement.columnValue(at: $0) })
      guard try body(key) else { return }
    }
  }

  /// The connection's statement with all values bound but the key's.
  ///
  /// They stay bound: nobody else uses the statement during this access.
  private func prepare(_ query: PlanStatement) throws -> RawStatement {
    let statement = try RawStatement.cached(query.sql, on: db)
    try statement.bind(query.values)
    return statement
  }

  /// The base rows concerned by a touched row of another table.
  func baseKeys(_ sql: String, for key: RowKey) throws -> [RowKey] {
    let statement = try RawStatement.cached(sql, on: db)
    defer { statement.reset() }
    try statement.bindAll(key.values)
    var keys: [RowKey] = []
    while try statement.step() {
      keys.append(
        RowKey(try (0..<queries.plan.keyColumns.count).map { try statement.columnValue(at: $0) }))
    }
    return keys
  }
}

extension RawStatement {
  /// Binds a key to the parameters from `first` on.
  fileprivate func bind(_ key: RowKey, from first: Int) throws(StoreError) {
    switch key {
    case .integer(let integer): try bind(.integer(integer), at: first)
    case .values(let values): try bind(values, from: first)
    }
  }
}

/// Thrown where the contents do not fit the database any more: they are fetched again.
struct StaleContents: Error {}
