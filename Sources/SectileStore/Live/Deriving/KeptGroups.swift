import GRDB
import SectileCore

/// The large groups of a query, by the sums that their rows follow from.
///
/// A group is read as a whole once. From then on, what touched rows added to it is taken off, and
/// what they add now is added, so that a commit costs what it touches however large the group is:
///
/// ```text
/// touched rows ──→ sums as they are ─┐
///              ──→ sums as they were ┴→ the group's sums ──→ its row, which PlanReader reads
/// ```
///
/// That holds where a commit has touched one of the query's tables, which it reads once, and not
/// behind a LEFT JOIN. The groups are those of a version of each table. After any other commit, and
/// where one was not followed, or was rolled back after it was, all groups are forgotten, and read
/// again when a commit concerns them.
///
/// Confined to the writer.
final class KeptGroups {
  private struct Group: Equatable {
    /// What its rows agree in.
    var fixed: [StoredValue]
    /// How many rows it has, and the parts of its aggregates.
    var sums: [Int64]

    /// The group with the sums of rows added so many times; nil where one gets too large.
    func adding(_ factor: Int64, _ parts: [Int64]) -> Group? {
      var result = self
      for position in sums.indices {
        let (product, isProductTooLarge) = parts[position].multipliedReportingOverflow(by: factor)
        let (sum, isSumTooLarge) = sums[position].addingReportingOverflow(product)
        if isProductTooLarge || isSumTooLarge { return nil }
        result.sums[position] = sum
      }
      return result
    }
  }

  /// A version of a table, which is gone where the commit that made it was rolled back.
  private struct Version {
    weak var node: VersionNode?
  }

  /// The statements that read the row of a group.
  private struct Statements {
    let queries: PlanQueries
    let row: PlanStatement
    let ordering: PlanStatement
  }

  /// A group whose row takes fewer steps of SQLite is read each time, which takes less than the
  /// statements that keep it.
  private static let leastSteps = InternalChecks.isOn ? 0 : 4_000
  /// So many groups are kept.
  private static let limit = 10_000

  private let select: SummedSelect
  private let tables: [FollowedTable]
  private let partsOfGroup: PlanStatement

  // MARK: - Mutable state
  //
  // - `groups`: those that are kept, as of `versions`.
  // - `refused`: those that were read, and did not follow from sums.
  // - `parts`: the statements that add touched rows, by what is read for the table.
  // - `prepared`: the statements that were prepared.
  // - `mayKeep`: whether those that are read for the commit under way are to be kept.
  // - `statements`: those for the plan that was read last.
  private var groups: [RowKey: Group] = [:]
  private var refused: Set<RowKey> = []
  private var parts: [String: SQLFragment] = [:]
  private var prepared: Set<String> = []
  private var versions: [Version] = []
  private var mayKeep = false
  private var statements: Statements?

  init(_ select: SummedSelect, of tables: [FollowedTable]) {
    self.select = select
    self.tables = tables
    partsOfGroup = select.partsOfGroup
  }

  // MARK: Following

  /// Forgets all groups.
  func forget() {
    (groups, refused, versions) = ([:], [], [])
    mayKeep = false
  }

  /// Prepares for the transaction under way.
  func begin() {
    advance()
    mayKeep = false
  }

  /// Whether a group is kept.
  func keeps(_ key: RowKey) -> Bool { groups[key] != nil }

  /// Takes in what the transaction under way has changed.
  ///
  /// - Parameters:
  ///   - touched: The tables of which it has touched rows that the query reads.
  ///   - db: The connection.
  /// - Throws: What SQLite says; the groups are to be forgotten then.
  func follow(
    _ touched: [(QueriedTable, hasFormerRows: Bool)], in db: Database
  ) throws {
    guard let (table, hasFormerRows) = touched.first else { return }
    guard touched.count == 1, let occurrence = select.occurrence(of: table.name) else {
      return forget()
    }
    mayKeep = true
    guard !groups.isEmpty else { return }
    // Also groups that are not shown: HAVING may let them in again.
    var changed: Set<RowKey> = []
    // The first has all touched rows, as they were and as they are.
    try add(1, of: table.shadow.name, at: occurrence, to: &changed, in: db)
    if hasFormerRows {
      try add(-2, of: table.shadow.formerName, at: occurrence, to: &changed, in: db)
    }
    for key in changed where groups[key].map(isSummed) != true { groups[key] = nil }
    if InternalChecks.isOn { try check(in: db) }
  }

  /// Goes on to the versions of the tables that the transaction under way makes.
  private func advance() {
    let isNext = tables.indices.allSatisfy { position in
      guard let rows = tables[position].recordedRows, position < versions.count else {
        return false
      }
      return versions[position].node === (rows.formerNode ?? rows.node)
    }
    if !isNext { groups = [:] }
    versions = tables.map { Version(node: $0.recordedRows?.node) }
  }

  /// Adds the parts of rows to the groups that are kept.
  private func add(
    _ factor: Int64, of shadow: String, at occurrence: Int, to changed: inout Set<RowKey>,
    in db: Database
  ) throws {
    let sql = parts[shadow] ?? select.parts(reading: [occurrence: shadow])
    parts[shadow] = sql
    let statement = try statement(sql.sql, in: db)
    defer { statement.finish() }
    try statement.bindAll(sql.values)
    while try statement.step() {
      let fixed = try self.fixed(statement)
      let key = self.key(fixed)
      guard let group = groups[key] else { continue }
      changed.insert(key)
      groups[key] = try sums(statement).flatMap { group.adding(factor, $0) }
    }
  }

  /// Returns a statement for which SQLite makes no indexes of its own: for few rows these would
  /// cost more than all else.
  private func statement(_ sql: String, in db: Database) throws -> RawStatement {
    if prepared.insert(sql).inserted {
      db.withoutAutomaticIndexes { _ = try? RawStatement.cached(sql, on: db) }
    }
    return try RawStatement.cached(sql, on: db)
  }

  private func fixed(_ statement: RawStatement) throws -> [StoredValue] {
    try select.fixed.indices.map { try statement.columnValue(at: $0) }
  }

  private func key(_ fixed: [StoredValue]) -> RowKey { RowKey(select.key.map { fixed[$0] }) }

  /// Reads the sums of a row of parts; nil where one of them is no integer.
  private func sums(_ statement: RawStatement) throws -> [Int64]? {
    var sums: [Int64] = []
    for column in select.fixed.count..<statement.columnCount {
      switch try statement.columnValue(at: column) {
      case .integer(let integer): sums.append(integer)
      case .null: sums.append(0)
      case .real, .text, .blob: return nil
      }
    }
    return sums
  }

  /// Whether the row of a group follows from its sums.
  private func isSummed(_ group: Group) -> Bool {
    group.sums.first.map { $0 > 0 } == true && values(group) != nil
  }

  /// What is bound to the marks of a group's row; nil where it does not follow from its sums.
  private func values(_ group: Group) -> [StoredValue]? {
    guard zip(select.fixed, group.fixed).allSatisfy({ $0.isPlain($1) }) else { return nil }
    var values = group.fixed
    var start = 1
    for aggregate in select.aggregates {
      let end = start + aggregate.parts.count
      guard let value = aggregate.value(group.sums[start..<end]) else { return nil }
      values.append(value)
      start = end
    }
    return values
  }

  // MARK: Reading

  /// Returns a statement for the row of a group that is kept; nil where it is none of them.
  ///
  /// - Parameters:
  ///   - key: The group.
  ///   - isOrdering: Whether the columns are those by which it is ordered.
  ///   - queries: The plan, ready to run.
  ///   - db: The connection.
  /// - Returns: The statement, with all values bound.
  /// - Throws: What SQLite says.
  func statement(
    for key: RowKey, ordering isOrdering: Bool, _ queries: PlanQueries, in db: Database
  ) throws -> RawStatement? {
    guard let group = groups[key], let values = values(group) else { return nil }
    let statements = statements(for: queries)
    let query = isOrdering ? statements.ordering : statements.row
    let statement = try RawStatement.cached(query.sql, on: db)
    try statement.bind(query.values, from: query.valueParameter)
    for (mark, value) in zip(select.marks, values) { try statement.bind(value, named: mark) }
    try statement.bind(key, from: query.keyParameter)
    return statement
  }

  private func statements(for queries: PlanQueries) -> Statements {
    if let statements, statements.queries === queries { return statements }
    var plan = queries.plan
    plan.query = select.row
    let sql = PlanSQL(plan)
    let made = Statements(queries: queries, row: sql.selectRow, ordering: sql.selectOrdering)
    statements = made
    return made
  }

  /// Keeps a group whose row took long to read.
  ///
  /// - Parameters:
  ///   - key: The group.
  ///   - stepCount: How many steps SQLite took.
  ///   - db: The connection.
  /// - Throws: `interrupted`; what ended the transaction.
  func didRead(_ key: RowKey, _ stepCount: Int, in db: Database) throws {
    guard mayKeep, stepCount >= Self.leastSteps, !refused.contains(key) else { return }
    if groups.count + refused.count >= Self.limit { (groups, refused) = ([:], []) }
    do {
      guard let group = try read(key, in: db) else { return }
      if isSummed(group) { groups[key] = group } else { refused.insert(key) }
    } catch {
      let isInterrupted = (error as? StoreError)?.code == .interrupted
      guard db.isInsideTransaction, !isInterrupted else { throw error }
      // A sum may be too large for an integer.
      refused.insert(key)
    }
  }

  /// Reads the parts of a group; nil where it has no rows.
  private func read(_ key: RowKey, in db: Database) throws -> Group? {
    let statement = try statement(partsOfGroup.sql, in: db)
    defer { statement.finish() }
    try statement.bind(partsOfGroup.values, from: partsOfGroup.valueParameter)
    try statement.bind(key, from: partsOfGroup.keyParameter)
    guard try statement.step() else { return nil }
    // Without one, the row is not followed from sums.
    let sums = try sums(statement) ?? []
    let group = Group(fixed: try fixed(statement), sums: sums)
    return sums.first == 0 ? nil : group
  }

  /// Stops where the sums are not those of the rows.
  private func check(in db: Database) throws {
    for (key, kept) in groups {
      let read = try read(key, in: db)
      precondition(kept == read, "kept: \(kept), read: \(String(describing: read))")
    }
  }
}
