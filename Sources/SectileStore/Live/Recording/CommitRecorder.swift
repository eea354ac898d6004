import GRDB
import SectileCore
import Synchronization

/// Notes which rows a transaction touches, through SQLite's pre-update hook.
///
/// The hook sees what the update hook misses: rows removed by REPLACE, tables WITHOUT ROWID, and
/// unqualified DELETE. What it notes is a *dirty set*: it may hold rows that did not change in the
/// end (a savepoint was rolled back), never too few. The truth is always read again.
///
/// Confined to the writer's serial queue: SQLite calls the hook there, and everything else asks for
/// the database first.
final class CommitRecorder {
  /// The recorders that hang on a connection, by their addresses.
  static let attached = Mutex<Set<UInt>>([])

  // Asked for each row that is written; not checked at run time, because no access is inside
  // another.
  @exclusivity(unchecked) private(set) var watches: [TableWatch] = []
  private(set) var tables: [String: TableWatch] = [:]
  /// The watch of the row before: rows of one statement come from one table.
  @exclusivity(unchecked) var last: TableWatch?
  /// The name of its table as SQLite spells it; a plan may spell it otherwise.
  @exclusivity(unchecked) var lastName = ""
  private let versions = VersionWatch()
  let log: LogWatch
  /// Whether somebody else uses the connection, and has handlers of their own.
  var isOnAdoptedConnection = false
  /// What stands for touched rows in questions of queries.
  let touchedTables = TouchedTables()
  /// What was in the rows that others change.
  let former = FormerState()
  /// Whether somebody needs that.
  private(set) var wantsFormerRows = false
  /// What keeps whole rows of the transaction under way, where it is to be undoable.
  @exclusivity(unchecked) var journal: RowJournal?
  /// Whether somebody follows commits, and has their record closed.
  @exclusivity(unchecked) var isFollowed = false
  /// Whether all rows that are noted are of the transaction of `Store.write` that is under way.
  private var ownsRecordedRows = false
  /// Whether the database's version was read inside the transaction, and differs from the one
  /// before.
  private var hasOtherVersion = false

  /// - Parameter log: What follows the change log of the file.
  init(_ log: LogWatch) { self.log = log }

  deinit {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    Self.attached.withLock { _ = $0.remove(address) }
  }

  // MARK: What is watched

  /// Watches a table, and keeps what somebody wants to know of its rows for as long as they hold
  /// it.
  ///
  /// - Precondition: ``hasRecordedRows`` is false.
  /// - Parameters:
  ///   - table: The table.
  ///   - interest: What is wanted of each row that is touched.
  ///   - columns: The columns whose old values are wanted, too; nil for none.
  ///   - withFormerRows: Whether they are wanted of rows that others change as well.
  ///   - db: The connection.
  /// - Returns: The table; nil where there is none whose rows the hook sees.
  /// - Throws: What reading throws.
  func watch(
    _ table: String, for interest: TableWatch.KeyInterest, keeping columns: [String]?,
    withFormerRows: Bool = false, in db: Database
  ) throws -> WatchedTable? {
    try versions.readIfUnknown(in: db)
    if try log.begin(in: db) { followLog() }
    guard let watch = try makeWatch(on: table, in: db) else { return nil }
    let rows = watch.startRecording(interest)
    rows.follow(log.table(named: table)?.keys)
    if let columns { rows.keepValues(of: columns, layout: watch.layout) }
    if withFormerRows {
      rows.keepFormerRows()
      wantsFormerRows = true
    }
    return WatchedTable(watch: watch, recordedRows: rows)
  }

  private func makeWatch(on table: String, in db: Database) throws -> TableWatch? {
    let name = table.lowercased()
    if let known = tables[name] { return known }
    guard try db.hasStoredTable(table) else { return nil }
    let watch = TableWatch(table: table, layout: try TableLayout(table: table, in: db))
    tables[name] = watch
    watches.append(watch)
    return watch
  }

  /// Forgets the tables, and what was wanted of their rows, that nobody holds any more.
  func forgetUnheld() {
    for (name, watch) in tables {
      watch.forgetUnheld()
      if !watch.isWanted { tables[name] = nil }
    }
    watches = Array(tables.values)
    last = nil
    wantsFormerRows = watches.contains { $0.wantsFormerRows }
  }

  /// Forgets every table: the schema is another one.
  private func unwatchAll() {
    forget()
    tables = [:]
    watches = []
    last = nil
    wantsFormerRows = false
  }

  // MARK: Transactions

  /// The most recorded rows that outlive a rollback.
  private static let retainedRowLimit = 10_000

  /// Whether anything was recorded.
  var hasRecordedRows: Bool { watches.contains { $0.isTouched } }

  /// Takes note that a statement may change the schema.
  func schemaWillChange() { versions.schemaWillChange() }

  /// Closes the record of a transaction, inside of it: links each touched table's version before it
  /// to the one after.
  ///
  /// - Parameter db: The writing connection.
  /// - Returns: The record.
  func close(in db: Database) -> TransactionRecord {
    let schema = versions.lastVersion?.schema
    let comparison = versions.check(in: db)
    guard comparison != .same else {
      beginVersions(isCertain: true)
      return TransactionRecord(
        isCertain: true, hasForeignRows: false, hasNewSchema: false, failure: nil)
    }
    let hasNewSchema = comparison == .other && versions.lastVersion?.schema != schema
    hasOtherVersion = comparison == .other
    if hasNewSchema {
      db.clearSchemaCache()
      unwatchAll()
      log.forgetState()
    }
    if comparison == .other, recordForeignRows(in: db) {
      beginVersions(isCertain: true)
      return TransactionRecord(
        isCertain: true, hasForeignRows: true, hasNewSchema: false, failure: nil)
    }
    beginVersions(isCertain: false)
    // The log may not tell the difference: what it does not follow, and the schema, have no rows.
    former.letGo()
    return TransactionRecord(
      isCertain: false, hasForeignRows: false, hasNewSchema: hasNewSchema,
      failure: comparison == .unknown ? versions.failure : nil)
  }

  /// Closes the record of what others have committed, outside of a transaction of which anybody
  /// knows.
  func skip(in db: Database) -> TransactionRecord {
    let record = close(in: db)
    hasOtherVersion = false
    log.transactionDidEnd(.committed)
    reset()
    return record
  }

  /// Whether nobody knows any more what a transaction has touched when it has ended like this.
  ///
  /// Rows that may have been committed are kept: those a statement wrote outside of every
  /// transaction that was noticed, such as an `INSERT OR FAIL` that failed midway.
  func losesTrack(where outcome: TransactionOutcome) -> Bool {
    switch outcome {
    case .committed: false
    case .unknown: true
    case .rolledBack: !ownsRecordedRows && touchedCount > Self.retainedRowLimit
    }
  }

  /// Forgets what was noted, and that it is known what was touched since the versions before.
  func forget() {
    beginVersions(isCertain: false)
    former.letGo()
    reset()
  }

  /// How many touched rows of one table are noted at most.
  private var touchedCount: Int { watches.map(\.touchedCount).max() ?? 0 }

  private func beginVersions(isCertain: Bool) {
    // By position: to go through the list itself is to retain it.
    for position in watches.indices { watches[position].beginVersion(isCertain: isCertain) }
  }

  /// Takes back the versions of a transaction that was rolled back.
  private func forgetVersions() {
    for watch in watches { watch.forgetVersion() }
  }

  private func reset() {
    for position in watches.indices { watches[position].reset() }
  }

  // MARK: Versions of the database

  /// Whether another connection has committed since the record before.
  ///
  /// - Throws: What reading throws.
  func isOutdated(in db: Database) throws -> Bool { try versions.isOutdated(in: db) }

  /// Tells the state up to which commits are known; nil where that is not known, or there is no
  /// change log.
  var mark: FormerState.Mark? {
    guard let point = log.knownPoint, let version = versions.lastVersion else { return nil }
    return FormerState.Mark(point: point, version: version)
  }

  /// Returns a view for the state that a transaction is about to read, where others have committed
  /// and somebody needs to know what they will change next.
  ///
  /// - Parameter db: The writer, outside of a transaction.
  /// - Returns: The view.
  func makeNextFormerState(in db: Database) -> HeldView? {
    guard wantsFormerRows, (try? versions.isOutdated(in: db)) == true else { return nil }
    return former.makeNext(in: db)
  }

  /// Whether others may have committed since the record before.
  ///
  /// Called inside a writing transaction that has written nothing.
  func mayBeOutdated(in db: Database) -> Bool { versions.mayBeOutdated(in: db) }

  /// Whether the transaction under way may have changed the schema.
  var mayHaveNewSchema: Bool { versions.mayHaveNewSchema }

  /// Takes note that the transaction under way has changed the log's tables and triggers, and no
  /// others.
  ///
  /// - Parameters:
  ///   - db: The writing connection.
  ///   - isOutdated: Whether others had committed when it began, or it had another schema before:
  ///     then more than that has changed.
  /// - Throws: What reading throws.
  func changeLogDidChange(in db: Database, isOutdated: Bool) throws {
    log.forgetState()
    try log.readState(in: db)
    try log.skipTail(in: db)
    followLog()
    if !isOutdated { try versions.accept(in: db) }
    hasOtherVersion = true
  }
}

// MARK: - CommitParticipant

extension CommitRecorder: CommitParticipant {
  func transactionDidBegin(in db: Database) {
    versions.transactionDidBegin()
    ownsRecordedRows = !hasRecordedRows
  }

  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    switch outcome {
    case .committed: reset()
    case .unknown:
      forgetVersions()
      forget()
    case .rolledBack:
      forgetVersions()
      if ownsRecordedRows {
        reset()
      } else if losesTrack(where: outcome) {
        forget()
      }
    }
    // The next schema with this number may be another one.
    if outcome != .committed, hasOtherVersion {
      versions.forget()
      log.forgetState()
    }
    hasOtherVersion = false
    versions.transactionDidEnd(outcome, in: db)
    ownsRecordedRows = false
    return false
  }
}
