import GRDB
import SectileCore

/// Reads the rows of one plan on one connection: all of them in order, one by key, or the sort keys
/// of one.
///
/// Made for one database access, in which it looks up each of its statements once.
final class PlanReader {
  /// The numbers of the statements that are held from one access to the next.
  private enum Number {
    static let row = 0
    static let orderingOfRow = 1
    static let batch = 2
    static let firstStep = 3
  }

  let queries: PlanQueries
  let db: Database
  private let statements: HeldStatements
  /// The groups whose rows need not be read as a whole; nil where rows are no groups of a query.
  var groups: KeptGroups?

  // Not checked at run time: no access is inside another.
  @exclusivity(unchecked) private var row: RawStatement?
  @exclusivity(unchecked) private var batch: RawStatement?
  @exclusivity(unchecked) private var orderingOfRow: RawStatement?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - queries: The plan, ready to run.
  ///   - db: The connection.
  ///   - statements: The plan's statements on this connection that an earlier access used.
  init(queries: PlanQueries, db: Database, statements: HeldStatements = HeldStatements()) {
    self.queries = queries
    self.db = db
    self.statements = statements
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

  /// Returns the keys of some of the rows in their complete order, whatever the plan's own limit
  /// is.
  ///
  /// - Parameters:
  ///   - rank: How many rows come before.
  ///   - count: How many to read at most.
  /// - Returns: The keys.
  /// - Throws: What reading throws.
  func keys(from rank: Int, count: Int) throws -> [RowKey] {
    var plan = queries.plan
    (plan.offset, plan.limit) = (rank, count)
    let scan = PlanQueries.RowScan(
      sql: PlanSQL(plan).selectRows(queries.keys.layout), layout: queries.keys.layout)
    var keys: [RowKey] = []
    try forEachRow(scan) { cursor in
      keys.append(try cursor.key())
      return true
    }
    return keys
  }

  /// Calls `body` with the key of each row of the base table, wanted or not, and a function that
  /// takes a digest of its item.
  func forEachBaseRow(_ body: (RowKey, () -> UInt64) throws -> Void) throws {
    let plan = queries.plan
    let columns = (plan.keyColumns + plan.itemColumns).map(SQLName.quote).joined(separator: ", ")
    let source = plan.source
    let statement = try RawStatement.cached("SELECT \(columns) FROM \(source.sql)", on: db)
    defer { statement.reset() }
    try statement.bindAll(source.values)
    let keys = plan.keyColumns.indices
    let items = keys.upperBound..<(keys.upperBound + plan.itemColumns.count)
    while try statement.step() {
      let key = try statement.key(at: keys)
      try body(key) { statement.digest(items) }
    }
  }

  /// The most rows of a page of 4 KiB that are worth counting with.
  private static let rowsOfPage = 64

  /// About how many rows the base table has: no more than it has room for in the file, and between
  /// its first row id and its last.
  func tableSize() throws -> Int {
    let statement = try RawStatement.cached("PRAGMA main.page_count", on: db)
    defer { statement.reset() }
    let room = try statement.step() ? Int(statement.castInteger(at: 0)) * Self.rowsOfPage : 0
    guard let id = queries.memory.rowIDColumn else { return room }
    return min(room, try db.rowIDSpan(of: queries.plan.table, column: id) ?? room)
  }

  /// Looks up what a section of the fixed list is called that has no rows.
  ///
  /// - Parameter listed: Its identity, as it is in the list.
  /// - Returns: The title; nil for the identity.
  /// - Throws: What reading throws.
  func titleOfEmptySection(_ listed: StoredValue) throws -> StoredValue? {
    guard let query = queries.titleOfEmptySection else { return nil }
    let statement = try RawStatement.cached(query.sql, on: db)
    defer { statement.finish() }
    try statement.bindAll(query.values + [listed])
    guard try statement.step() else { return nil }
    let title = try statement.columnValue(at: 0)
    // In `? nil :`, nil would be the value NULL.
    guard title != .null else { return nil }
    return title
  }

  // MARK: Some rows

  /// Calls `body` with the row that has a key, if the row exists and the filter wants it.
  ///
  /// SQLite finds more than the row asked for where it compares keys by a collation, or 1 with 1.0.
  ///
  /// - Throws: `duplicateKey` where two rows have the key; what reading throws.
  func withRow<Result>(_ key: RowKey, _ body: (PlanCursor) throws -> Result) throws -> Result? {
    if let kept = try groups?.statement(for: key, ordering: false, queries, in: db) {
      defer { kept.finish() }
      guard try kept.step() else { return nil }
      let cursor = PlanCursor(statement: kept, queries: queries, columns: queries.layout)
      return try cursor.key() == key ? body(cursor) : nil
    }
    let statement = try statement(queries.row, Number.row, &row)
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
      if queries.memory.isKeyRowID { break }
    }
    if let groups { try groups.didRead(key, statement.takeStepCount(), in: db) }
    return result
  }

  /// Calls `body` with each of several rows that exists and that the filter wants, and its position
  /// among the keys; in any order.
  ///
  /// - Parameters:
  ///   - keys: The keys, in ascending order, each once.
  ///   - body: Takes the position of a key and a cursor that stands on its row.
  /// - Throws: See ``withRow(_:_:)``.
  func forEachRow(of keys: [RowKey], _ body: (Int, PlanCursor) throws -> Void) throws {
    var start = 0
    if let query = queries.batch {
      while keys.count - start >= Self.leastBatch {
        let end = min(start + PlanQueries.batchSize, keys.count)
        try readBatch(query, keys, start..<end, body)
        start = end
      }
    }
    for position in start..<keys.count {
      try withRow(keys[position]) { try body(position, $0) }
    }
  }

  /// Fewer rows are read one by one: the keys that a batch has no use for take time, too.
  static let leastBatch = 8

  private func readBatch(
    _ query: PlanStatement, _ keys: [RowKey], _ positions: Range<Int>,
    _ body: (Int, PlanCursor) throws -> Void
  ) throws {
    let statement = try statement(query, Number.batch, &batch)
    defer { statement.reset() }
    var parameter = query.keyParameter
    for position in positions {
      try statement.bind(keys[position], from: parameter)
      parameter += 1
    }
    for unused in parameter..<(query.keyParameter + PlanQueries.batchSize) {
      try statement.bind(.null, at: unused)
    }
    let cursor = PlanCursor(statement: statement, queries: queries, columns: queries.layout)
    // Rows come in the order of the keys, although nothing says that they have to.
    var next = positions.lowerBound
    while try statement.step() {
      let key = try cursor.key()
      if next >= positions.upperBound || keys[next] != key {
        next = positions.partitioningIndex { !keys[$0].comesBefore(key) }
      }
      guard next < positions.upperBound, keys[next] == key else { continue }
      try body(next, cursor)
      next += 1
    }
  }

  /// Calls `body` with the values of the complete order of the row that has a key.
  ///
  /// - Throws: ``StaleContents`` where there is no such row; what reading and `body` throw.
  func withOrdering<Result>(
    of key: RowKey, _ body: (UnsafeBufferPointer<RawColumn>) throws -> Result
  ) throws -> Result {
    let kept = try groups?.statement(for: key, ordering: true, queries, in: db)
    let statement =
      try kept ?? statement(queries.orderingOfRow, Number.orderingOfRow, &orderingOfRow)
    defer { if kept == nil { statement.reset() } else { statement.finish() } }
    if kept == nil { try statement.bind(key, from: queries.orderingOfRow.keyParameter) }
    let columns = queries.layout.ordering.indices
    let keyColumns = columns.suffix(queries.plan.keyColumns.count)
    while try statement.step() {
      guard try statement.key(at: keyColumns) == key else { continue }
      if kept == nil, let groups { try groups.didRead(key, statement.takeStepCount(), in: db) }
      return try withUnsafeTemporaryAllocation(of: RawColumn.self, capacity: columns.count) {
        RawColumn.read(columns, of: statement.handle, into: $0)
        return try body(UnsafeBufferPointer($0))
      }
    }
    // A row that is gone although nobody touched it: the caller's picture is out of date.
    throw StaleContents()
  }

  /// Calls `body` with rows before a row in its section, nearest first, until it answers false.
  ///
  /// - Parameters:
  ///   - ordering: The row's values of the complete order.
  ///   - step: A step of the plan's query for such a row.
  ///   - number: Which of them it is.
  ///   - body: Takes a row's key, and a function that reads the value that decides first.
  /// - Throws: What reading and `body` throw.
  @inline(__always)
  func forEachPredecessor(
    of ordering: UnsafeBufferPointer<RawColumn>, _ step: PredecessorQuery.Step, _ number: Int,
    _ body: (RowKey, () -> RawColumn) throws -> Bool
  ) throws {
    let statement = try statements.statement(
      step.sql, number: Number.firstStep + number, on: db)
    defer { statement.finish() }
    var parameter = 1
    for value in step.values {
      try statement.bind(value, at: parameter)
      parameter += 1
    }
    for position in step.positions {
      try statement.bindColumn(ordering[position], at: parameter, isCopied: false)
      parameter += 1
    }
    let keyColumns = queries.plan.keyColumns.indices
    while try statement.step() {
      let key = try statement.key(at: keyColumns)
      guard try body(key, { statement.column(keyColumns.upperBound) }) else { return }
    }
  }

  /// The connection's statement with all values bound but the key's, looked up where it is not
  /// known.
  ///
  /// They stay bound: nobody else uses the statement during this access. It is kept by whoever
  /// knows it, not by the value that is returned.
  @inline(__always)
  private func statement(
    _ query: PlanStatement, _ number: Int, _ bound: inout RawStatement?
  ) throws -> RawStatement {
    if let bound { return bound.borrowed }
    let statement = try statements.statement(query.sql, number: number, on: db)
    if !query.values.isEmpty { try statement.bind(query.values, from: query.valueParameter) }
    bound = statement
    return statement.borrowed
  }

  /// Whether a row asks the clock.
  ///
  /// - Parameter key: Its key; nil for any row of the table, wanted or not.
  /// - Returns: True if it does, or one of them.
  /// - Throws: What reading throws.
  func asksTheClock(_ key: RowKey?) throws -> Bool {
    guard let questions = queries.clockQuestions else { return false }
    let statement: RawStatement
    if let key {
      statement = try RawStatement.cached(questions.row.sql, on: db)
      try statement.bind(questions.row.values, from: questions.row.valueParameter)
      try statement.bind(key, from: questions.row.keyParameter)
    } else {
      statement = try RawStatement.cached(questions.allRows.sql, on: db)
      try statement.bindAll(questions.allRows.values)
    }
    defer { statement.reset() }
    return try statement.step()
  }

  /// The base rows concerned by a touched row of another table.
  func baseKeys(_ sql: String, for key: RowKey) throws -> [RowKey] {
    let statement = try RawStatement.cached(sql, on: db)
    defer { statement.reset() }
    try statement.bindAll(key.values)
    var keys: [RowKey] = []
    while try statement.step() {
      keys.append(try statement.key(at: queries.plan.keyColumns.indices))
    }
    return keys
  }
}
