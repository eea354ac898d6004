internal import GRDB
internal import SectileCore

/// Removes old rows of the change log, inside a writing transaction.
///
/// The last row always stays: each place in the log has a salt, and numbers are never used again.
struct LogPruning {
  /// So many rows are looked at for their age by a commit that removes rows: it holds the write
  /// lock.
  static let ageScanLimit: Int64 = 20_000

  private let db: Database

  init(of db: Database) { self.db = db }

  /// Up to where rows were removed.
  ///
  /// - Throws: What reading throws.
  func prunedTo() throws -> Int64 {
    try integer("SELECT pruned_to FROM main.sectile_log_state") ?? 0
  }

  /// Removes rows that are too many or too old, but for those that somebody still reads.
  ///
  /// - Parameters:
  ///   - retention: What is kept.
  ///   - now: The time, in milliseconds since 1970.
  ///   - limit: How many rows are removed at most.
  ///   - head: The number of the last row.
  ///   - scanLimit: How many of the oldest rows are looked at for their age; nil for as many as
  ///     needed. Rows that no store has committed are as old as the next commit of one.
  /// - Returns: Up to where rows are removed by now.
  /// - Throws: What reading and writing throw.
  /// - Complexity: O(*n*) for *n* rows that are looked at or removed.
  func prune(
    _ retention: StoreConfiguration.ChangeLogRetention, now: Int64, limit: Int64, head: Int64,
    lookingAt scanLimit: Int64? = nil
  ) throws -> Int64 {
    let pruned = try prunedTo()
    var target = head - Int64(max(retention.rowCount, 1))
    // Where rows are too many, those are removed first, and nobody need know how old they are.
    if let age = retention.age, target - pruned < limit {
      let end = scanLimit.map { pruned + $0 } ?? .max
      target = max(
        target, try self.end(before: now - age.milliseconds, from: pruned, through: end))
    }
    if let held = try LogReaders(of: db).oldestPlace(liveSince: now - retention.lease.milliseconds)
    {
      target = min(target, max(held, head - Int64(max(retention.heldRowCount, 1))))
    }
    return try remove(through: min(target, pruned + limit, head - 1), after: pruned)
  }

  /// Removes rows.
  ///
  /// - Parameters:
  ///   - target: The number of the last one.
  ///   - pruned: Up to where rows were removed before.
  /// - Returns: Up to where rows are removed by now.
  /// - Throws: What reading and writing throw.
  func remove(through target: Int64, after pruned: Int64) throws -> Int64 {
    guard target > pruned else { return pruned }
    let last = try RawStatement.cached(
      "SELECT seq, salt FROM main.sectile_log WHERE seq <= ? ORDER BY seq DESC LIMIT 1", on: db)
    defer { last.finish() }
    try last.bind(.integer(target), at: 1)
    guard try last.step() else { return pruned }
    let point = LogPoint(sequence: last.castInteger(at: 0), salt: last.castInteger(at: 1))
    last.reset()
    guard point.sequence > pruned else { return pruned }
    try run("DELETE FROM main.sectile_log WHERE seq <= ?", [.integer(point.sequence)])
    if try LogAudit.isThere(in: db) {
      try run("DELETE FROM main.sectile_log_value WHERE seq <= ?", [.integer(point.sequence)])
    }
    try run(
      "UPDATE main.sectile_log_state SET pruned_to = ?, pruned_salt = ?",
      [.integer(point.sequence), .integer(point.salt)])
    try LogOperation.note.append(in: db)
    return point.sequence
  }

  /// The last row of transactions that were committed before a time, and before all that were not.
  private func end(before time: Int64, from pruned: Int64, through last: Int64) throws -> Int64 {
    let isCommit = "op = \(LogOperation.commit.rawValue)"
    let young = try integer(
      """
      SELECT seq FROM main.sectile_log WHERE seq <= ? AND \(isCommit) AND k2 >= ?
      ORDER BY seq LIMIT 1
      """, [.integer(last), .integer(time)])
    return try integer(
      """
      SELECT seq FROM main.sectile_log WHERE seq < ? AND \(isCommit) ORDER BY seq DESC LIMIT 1
      """, [.integer(young ?? (last == .max ? last : last + 1))]) ?? pruned
  }

  private func integer(_ sql: String, _ values: [StoredValue] = []) throws -> Int64? {
    let statement = try RawStatement.cached(sql, on: db)
    defer { statement.finish() }
    try statement.bindAll(values)
    guard try statement.step(), case .integer(let value) = try statement.columnValue(at: 0) else {
      return nil
    }
    return value
  }

  private func run(_ sql: String, _ values: [StoredValue]) throws {
    let statement = try RawStatement.cached(sql, on: db)
    try statement.bindAll(values)
    try statement.run()
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
    // A thousandth of the range is as good as ever.
    return isTooLarge
      ? (seconds < 0 ? .min / 4 : .max / 4)
      : max(min(product, .max / 4), .min / 4) + attoseconds / 1_000_000_000_000_000
  }
}
