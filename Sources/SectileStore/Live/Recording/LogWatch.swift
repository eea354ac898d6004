import GRDB
import SectileCore

/// Follows the change log of the file: which of its rows are of commits that are known.
///
/// ```text
///   log    … 41 42 │ 43 44 45 │ 46 47
///                  │          └── rows of the transaction under way, which the hook sees
///                  └── the tail: rows of others, which are read where the version of the
///                      database moves
///      lastPoint: 42
/// ```
///
/// Confined to the writer's serial queue.
final class LogWatch {
  /// More rows are not read: to read everything again is cheaper by then.
  static let tailLimit: Int64 = 250_000

  /// What the file says about its log; nil where it has none, or was not asked yet.
  private(set) var state: LogState?
  /// The tables whose changes are logged completely, by their names in lower case.
  private var tables: [String: LoggedTable] = [:]
  /// Whether the triggers are not those that the tables need.
  private(set) var needsRepair = false
  /// Whether there was a log, and what the file says about it is not known any more.
  private(set) var isInDoubt = false
  /// The schema that the state was read of.
  private var schema: Int64?
  /// Whether the file was asked since the schema changed.
  private var isStateRead = false
  /// The last row of the log that was read, or written here; nil where it is to be found out.
  private var lastPoint: LogPoint?
  /// The one before the transaction that has not ended yet.
  private var lastPointBefore: LogPoint?
  /// The rows that the transaction under way has written: the number of the first, and the last,
  /// unless nobody wanted to know its salt.
  @exclusivity(unchecked) private(set) var own: (first: Int64, last: LogPoint?)?
  /// Whether the salts of own rows are wanted.
  ///
  /// To read one takes as long as to write it. Only that of the last row matters, which is that of
  /// the commit.
  @exclusivity(unchecked) var wantsSalts = true
  /// What the pager counted when the schema was looked at, with the commits of this connection
  /// since; nil where it is to be looked at.
  private var count: PagerVersion?
  private let statements = HeldStatements()
  /// Up to where everything was published that the log leads to.
  @exclusivity(unchecked) private(set) var publishedPlace: LogPlace?

  // MARK: The file

  /// Whether the file has a log, as far as known.
  @inline(__always)
  var isThere: Bool { state != nil }

  /// Whether the file has a log that is followed, or had one when it was last asked.
  @inline(__always)
  var mayBeThere: Bool { isThere || isInDoubt }

  /// Whether the triggers are not those that the tables need, as far as known.
  var mayNeedRepair: Bool { needsRepair || isInDoubt }

  /// Whether the end of a transaction that was committed says something about the log: there is
  /// one, or was one when its place was published.
  @inline(__always)
  var isConcerned: Bool { mayBeThere || own != nil || publishedPlace != nil }

  /// Reads what the file says about its log, unless it is known.
  ///
  /// - Returns: Whether it was read.
  /// - Throws: What reading throws.
  @discardableResult
  func readState(in db: Database) throws -> Bool {
    // Where a row of the log was written, there is one: another process has switched it on.
    guard !isStateRead || (state == nil && own != nil) else { return false }
    state = try LogState(in: db)
    tables = state?.tablesByName ?? [:]
    needsRepair = try state?.needsRepair(in: db) ?? false
    schema = try DatabaseVersion(db).schema
    lastPoint = nil
    isStateRead = true
    isInDoubt = false
    return true
  }

  /// Whether the file has a log, and its schema is another one than that whose triggers were looked
  /// at.
  ///
  /// - Throws: What reading throws.
  func isOutdated(in db: Database) throws -> Bool {
    let now = try DatabaseVersion(db).schema
    guard now != schema else { return false }
    if try LogState.isThere(in: db) { return true }
    // Asked once: a connection that others use, too, is asked in each commit.
    schema = now
    return false
  }

  /// Whether others may have committed, and changed the schema, since this was asked before.
  func mayHaveOtherSchema(in db: Database) -> Bool {
    let now = PagerVersion(db)
    defer { count = now }
    return now == nil || now != count
  }

  /// Takes note of the end of a transaction of this connection: that is no reason to look at the
  /// schema.
  func countCommit(_ outcome: TransactionOutcome, in db: Database) {
    if outcome == .committed, let former = count { count = former.afterOneCommit(in: db) }
  }

  /// Forgets what the file says: the schema is another one.
  func forgetState() {
    isInDoubt = isInDoubt || state != nil
    isStateRead = false
    state = nil
    tables = [:]
    schema = nil
    needsRepair = false
    lastPoint = nil
  }

  /// The table of a name, in any case, where its changes are logged completely.
  func table(named name: String) -> LoggedTable? {
    tables.isEmpty ? nil : tables[name.lowercased()]
  }

  /// The last row of the log that is known; nil where there is no log, or it is not known.
  var knownPoint: LogPoint? { state == nil ? nil : lastPoint }

  // MARK: Own rows

  /// Takes note of a row that the transaction under way has written.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - salt: What tells its salt; asked only where that is wanted.
  @inline(__always)
  func note(_ sequence: Int64, salt: () -> Int64) {
    own = (
      own?.first ?? sequence, wantsSalts ? LogPoint(sequence: sequence, salt: salt()) : nil
    )
  }

  // MARK: The tail

  /// Reads the rows of others; whatever there is then is known.
  ///
  /// - Parameters:
  ///   - db: The writing connection, inside a transaction.
  ///   - body: Called with each row, in order.
  /// - Returns: Whether all rows up to the last were read; false where there is no log, or it does
  ///   not lead on from what is known.
  /// - Throws: What reading throws.
  func readTail(in db: Database, _ body: (LogRow) throws -> Void) throws -> Bool {
    guard state != nil else { return false }
    let tail = LogTail(of: db, statements)
    let head = try tail.head()
    let former = lastPoint
    lastPointBefore = former
    lastPoint = head
    guard let former, head.sequence > former.sequence,
      head.sequence - former.sequence <= Self.tailLimit
    else { return false }
    return try tail.read(after: former, body) != nil
  }

  /// Takes the newest row for known where none is: what is followed from now on is read with it.
  ///
  /// - Returns: Whether there was none.
  /// - Throws: What reading throws.
  func begin(in db: Database) throws -> Bool {
    try readState(in: db)
    guard state != nil, lastPoint == nil else { return false }
    try skipTail(in: db)
    return true
  }

  /// Takes the newest row for known: whatever there is will be read.
  ///
  /// - Throws: What reading throws.
  func skipTail(in db: Database) throws {
    guard state != nil else { return }
    lastPoint = try LogTail(of: db, statements).head()
  }

  // MARK: Transactions

  /// Takes note that everything is published that the log leads to.
  ///
  /// - Returns: See ``place``.
  func publishPlace() -> LogPlace? {
    publishedPlace = place
    return publishedPlace
  }

  /// Takes note of the end of a transaction.
  func transactionDidEnd(_ outcome: TransactionOutcome) {
    switch outcome {
    case .committed: if let own, state != nil { lastPoint = own.last }
    case .rolledBack: if let lastPointBefore { lastPoint = lastPointBefore }
    case .unknown: lastPoint = nil
    }
    // The next schema with this number may be another one.
    if outcome != .committed, state == nil { schema = nil }
    lastPointBefore = nil
    own = nil
    wantsSalts = true
  }

  /// Up to where everything is in what results show, or will be once they have delivered.
  var place: LogPlace? {
    guard let state, let lastPoint else { return nil }
    return state.place(of: lastPoint)
  }
}
