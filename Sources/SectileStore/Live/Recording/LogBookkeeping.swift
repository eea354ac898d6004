internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import SectileCore

/// Writes the rows of the change log that no trigger writes: who has committed, and what was
/// removed.
///
/// Confined to the writer's serial queue; all of it is called inside a writing transaction.
final class LogBookkeeping {
  /// How many rows are removed at least where rows are removed, so that it is not done in each
  /// commit.
  static let pruningStep: Int64 = 1_000
  /// How often the age of rows is looked at, in milliseconds.
  private static let ageInterval: Int64 = 60_000

  private static let insertion = """
    INSERT INTO main.sectile_log (tbl, op, k0, k1, k2, k3, salt)
    VALUES (0, \(LogOperation.commit.rawValue), ?, ?, ?, ?, random())
    """

  private let retention: StoreConfiguration.ChangeLogRetention
  private let statements = HeldStatements()
  /// Up to where rows were removed, as far as known.
  private var prunedTo: Int64?
  /// The last row when nothing more could be removed, though there were too many: readers hold
  /// them.
  private var heldAt: Int64?
  private var lastAgeCheck: Int64 = 0

  init(_ retention: StoreConfiguration.ChangeLogRetention) { self.retention = retention }

  /// Appends who commits the rows of the transaction, and removes old rows where there are too
  /// many.
  ///
  /// - Parameters:
  ///   - first: The number of the first row of the transaction.
  ///   - origin: Who commits.
  ///   - db: The writing connection.
  /// - Throws: What writing throws.
  func close(rowsFrom first: Int64, by origin: CommitOrigin, in db: Database) throws {
    let rowID = sqlite3_last_insert_rowid(db.sqliteConnection)
    defer { sqlite3_set_last_insert_rowid(db.sqliteConnection, rowID) }
    let now = Self.milliseconds()
    let statement = try statements.statement(Self.insertion, number: 0, on: db)
    try statement.bind(origin.author.map { .text($0) } ?? .null, at: 1)
    try statement.bind(origin.tag.map { .text($0) } ?? .null, at: 2)
    try statement.bind(.integer(now), at: 3)
    try statement.bind(.integer(first), at: 4)
    try statement.run()
    // Rows that the hook has seen may have been rolled back since.
    let head = sqlite3_last_insert_rowid(db.sqliteConnection)
    try pruneIfDue(from: first, head: head, now: now, in: db)
  }

  /// Takes note that the transaction was not committed.
  func forget() { (prunedTo, heldAt) = (nil, nil) }

  // MARK: Pruning

  private func pruneIfDue(from first: Int64, head: Int64, now: Int64, in db: Database) throws {
    let pruned: Int64
    if let prunedTo { pruned = prunedTo } else { pruned = try LogPruning(of: db).prunedTo() }
    prunedTo = pruned
    let isFull =
      head - pruned > Int64(retention.rowCount) + Self.pruningStep
      && heldAt.map { head - $0 >= Self.pruningStep } ?? true
    let isOld = now - lastAgeCheck >= Self.ageInterval
    guard isFull || isOld else { return }
    if isOld { lastAgeCheck = now }
    // A transaction of many rows makes room for as many.
    let limit = max(Self.pruningStep, 2 * (head - first))
    let newlyPruned = try LogPruning(of: db).prune(
      retention, now: now, limit: limit, head: head, lookingAt: LogPruning.ageScanLimit)
    heldAt = newlyPruned - pruned < limit ? head : nil
    prunedTo = newlyPruned
  }

  /// The time, in milliseconds since 1970.
  static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
