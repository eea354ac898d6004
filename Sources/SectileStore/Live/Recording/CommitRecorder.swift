import CSQLite
import Foundation
import GRDB
import GRDBSQLite
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
  private static let attached = Mutex<Set<UInt>>([])

  // Asked for each row that is written; not checked at run time, because no access is inside
  // another.
  @exclusivity(unchecked) private var watches: [TableWatch] = []
  private var tables: [String: TableWatch] = [:]
  /// The watch of the row before: rows of one statement come from one table.
  @exclusivity(unchecked) private var last: TableWatch?
  /// The name of its table as SQLite spells it; a plan may spell it otherwise.
  @exclusivity(unchecked) private var lastName = ""
  private let versions = VersionWatch()
  private let log = LogWatch()
  /// What keeps whole rows of the transaction under way, where it is to be undoable.
  @exclusivity(unchecked) var journal: RowJournal?
  /// Up to where the change log was published.
  @exclusivity(unchecked) private(set) var publishedLogPlace: LogPlace?
  /// Whether all rows that are noted are of the transaction of `Store.write` that is under way.
  private var ownsNotes = false
  /// Whether the database's version was read inside the transaction, and differs from the one
  /// before.
  private var hasOtherVersion = false

  deinit {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    Self.attached.withLock { _ = $0.remove(address) }
  }

  /// Installs the hook on a connection, which keeps the recorder alive until it is closed.
  ///
  /// - Throws: `connectionTaken` where the connection has such a hook already: SQLite knows one of
  ///   them only, and the other observer would fall silent.
  func attach(to db: Database) throws {
    guard let connection = db.sqliteConnection else { return }
    let recorder = Unmanaged.passUnretained(self).toOpaque()
    if let other = sqlite3_preupdate_hook(connection, Self.hook, recorder) {
      // Another recorder's hook is put back. A foreign one cannot be: SQLite tells its context
      // only.
      let isRecorder = Self.attached.withLock { $0.contains(UInt(bitPattern: other)) }
      _ = sqlite3_preupdate_hook(connection, isRecorder ? Self.hook : nil, other)
      throw isRecorder
        ? StoreError.adoptedTwice(StoreError.file(of: connection)) : StoreError.connectionTaken
    }
    Self.attached.withLock { _ = $0.insert(UInt(bitPattern: recorder)) }
    // Lives as long as the connection: its destructor is what releases the recorder.
    let code = sqlite3_create_function_v2(
      connection, "sectile_recorder", 0, SQLITE_UTF8, Unmanaged.passRetained(self).toOpaque(),
      { context, _, _ in sqlite3_result_null(context) }, nil, nil,
      { pointer in
        if let pointer { Unmanaged<CommitRecorder>.fromOpaque(pointer).release() }
      })
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Removes the hook from a connection that lives on.
  func detach(from db: Database) {
    guard let connection = db.sqliteConnection else { return }
    _ = sqlite3_preupdate_hook(connection, nil, nil)
    sqlite3_create_function_v2(
      connection, "sectile_recorder", 0, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  private static let hook:
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, CInt, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, CLongLong, CLongLong
    ) -> Void = { context, connection, operation, schema, table, oldRowID, newRowID in
      guard let context, let connection, let schema, let table else { return }
      Unmanaged<CommitRecorder>.fromOpaque(context).takeUnretainedValue().record(
        PreUpdate(
          connection: connection, operation: operation, oldRowID: oldRowID, newRowID: newRowID),
        schema: schema, table: table)
    }

  // MARK: What is watched

  /// Watches a table, and keeps what somebody wants to know of its rows for as long as they hold
  /// it.
  ///
  /// - Precondition: ``hasNotes`` is false.
  /// - Parameters:
  ///   - table: The table.
  ///   - interest: What is wanted of each row that is touched.
  ///   - columns: The columns whose old values are wanted, too; nil for none.
  ///   - db: The connection.
  /// - Returns: The table; nil where there is none whose rows the hook sees.
  /// - Throws: What reading throws.
  func watch(
    _ table: String, for interest: TableWatch.KeyInterest, keeping columns: [String]?,
    in db: Database
  ) throws -> WatchedTable? {
    try versions.readIfUnknown(in: db)
    if try log.begin(in: db) { followLog() }
    guard let watch = try makeWatch(on: table, in: db) else { return nil }
    let notes = watch.addNotes(for: interest)
    notes.follow(log.table(named: table)?.keys)
    if let columns { notes.keepValues(of: columns, layout: watch.layout) }
    return WatchedTable(watch: watch, notes: notes)
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
  }

  /// Forgets every table: the schema is another one.
  private func unwatchAll() {
    forget()
    tables = [:]
    watches = []
    last = nil
  }

  // MARK: Transactions

  /// The most rows whose notes outlive a rollback.
  private static let retainedRowLimit = 10_000

  /// Whether anything was noted.
  var hasNotes: Bool { watches.contains { $0.isTouched } }

  /// Takes note that a transaction of `Store.write` has begun.
  ///
  /// - Parameter isShared: Whether others may change the schema in it unnoticed.
  func open(isShared: Bool) {
    versions.transactionDidBegin(isWriterShared: isShared)
    log.wantsSalts = false
    ownsNotes = !hasNotes
  }

  /// Takes note that a statement may change the schema.
  func schemaWillChange() { versions.schemaWillChange() }

  /// Closes the record of a transaction, inside of it: links each touched table's version before it
  /// to the one after.
  ///
  /// - Parameter db: The writing connection.
  /// - Returns: The record.
  func close(in db: Database) -> TransactionRecord {
    let schema = versions.known?.schema
    let finding = versions.check(in: db)
    guard finding != .same else {
      beginVersions(isCertain: true)
      return TransactionRecord(
        isCertain: true, hasForeignRows: false, hasNewSchema: false, failure: nil)
    }
    let hasNewSchema = finding == .other && versions.known?.schema != schema
    hasOtherVersion = finding == .other
    if hasNewSchema {
      db.clearSchemaCache()
      unwatchAll()
      log.forgetState()
    }
    if finding == .other, recordForeignRows(in: db) {
      beginVersions(isCertain: true)
      return TransactionRecord(
        isCertain: true, hasForeignRows: true, hasNewSchema: false, failure: nil)
    }
    beginVersions(isCertain: false)
    return TransactionRecord(
      isCertain: false, hasForeignRows: false, hasNewSchema: hasNewSchema,
      failure: finding == .unknown ? versions.failure : nil)
  }

  // MARK: The change log

  /// Whether the file has a change log that is followed.
  var hasLog: Bool { log.state != nil }

  /// Whether the file has a change log, or had one when it was last asked.
  var mayHaveLog: Bool { hasLog || log.isInDoubt }

  /// Whether the triggers of the log are not those that the schema asks for, as far as known.
  var logNeedsRepair: Bool { log.needsRepair || log.isInDoubt }

  /// Whether the transaction under way may have changed the schema of a file that has a log.
  ///
  /// - Throws: What reading throws.
  func mayNeedLogRepair(in db: Database) throws -> Bool {
    guard versions.mayHaveNewSchema else { return false }
    return try log.isOutdated(in: db)
  }

  /// Reads what the file says about its log again, where others have changed the schema while
  /// nobody followed them.
  ///
  /// - Throws: What reading throws.
  func noticeNewSchema(in db: Database) throws {
    guard log.mayHaveOtherSchema(in: db), try log.isOutdated(in: db) else { return }
    log.forgetState()
    try log.readState(in: db)
  }

  /// Reads what the file says about its log, unless it is known.
  ///
  /// - Returns: Whether there is a log.
  /// - Throws: What reading throws.
  func readLog(in db: Database) throws -> Bool {
    try log.readState(in: db)
    return hasLog
  }

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

  /// The number of the first row that the transaction under way has added to the log; nil where
  /// there is none.
  var firstOwnLogRow: Int64? { log.own?.first }

  /// Takes note that the rows come that end what the transaction under way adds to the log.
  func logWillClose() { log.wantsSalts = true }

  /// Takes note that everything is published that the log leads to.
  ///
  /// - Returns: See ``LogWatch/place``.
  func publishLogPlace() -> LogPlace? {
    publishedLogPlace = log.place
    return publishedLogPlace
  }

  /// Whether others may have committed since the record before.
  ///
  /// Called inside a writing transaction that has written nothing.
  func mayBeOutdated(in db: Database) -> Bool {
    log.isInDoubt || versions.mayBeOutdated(in: db)
  }

  /// Records what the log says that others have committed.
  ///
  /// - Parameter db: The writing connection, inside the transaction.
  /// - Returns: Whether it says so.
  private func recordForeignRows(in db: Database) -> Bool {
    do {
      if try log.readState(in: db) {
        followLog()
        try log.skipTail(in: db)
        return false
      }
      // A change of the schema is followed by reading everything.
      var byNumber: [Int64: TableWatch] = [:]
      var unlogged: [TableWatch] = []
      for watch in watches {
        if let table = log.table(named: watch.table) {
          byNumber[table.id] = watch
        } else {
          unlogged.append(watch)
        }
      }
      let finding = try log.readTail(in: db) { row in
        guard let watch = byNumber[row.table] else { return }
        switch row.operation {
        case .insert, .update, .delete, .touched:
          watch.record { positions in try? row.key(at: positions) }
        case .commit, .note: break
        case .reset, nil: watch.loseTrack()
        }
      }
      guard case .rows = finding else { return false }
      // Of other tables it does not tell.
      for watch in unlogged { watch.loseTrack() }
      return true
    } catch {
      return false
    }
  }

  /// Prepares what is watched for rows of the log.
  private func followLog() {
    for watch in watches { watch.follow(log.table(named: watch.table)?.keys) }
  }

  // MARK: The end of a transaction

  /// Forgets what a transaction touched, but for rows that may have been committed: those a
  /// statement wrote outside of every transaction that was noticed, such as an `INSERT OR FAIL`
  /// that failed midway.
  ///
  /// - Parameters:
  ///   - outcome: How it ended.
  ///   - db: The writing connection.
  /// - Returns: Whether that was told of which nobody knows any more what it touched.
  func end(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    var isLost = false
    switch outcome {
    case .committed: reset()
    case .unknown:
      forgetVersions()
      forget()
      isLost = true
    case .rolledBack:
      forgetVersions()
      if ownsNotes {
        reset()
      } else if touchedCount > Self.retainedRowLimit {
        forget()
        isLost = true
      }
    }
    // The next schema with this number may be another one.
    if outcome != .committed, hasOtherVersion {
      versions.forget()
      log.forgetState()
    }
    log.transactionDidEnd(outcome)
    log.countCommit(outcome, in: db)
    hasOtherVersion = false
    versions.transactionDidEnd(outcome, in: db)
    ownsNotes = false
    return isLost
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

  /// Whether another connection has committed since the record before.
  ///
  /// - Throws: What reading throws.
  func isOutdated(in db: Database) throws -> Bool { try versions.isOutdated(in: db) }

  /// Forgets what was noted, and that it is known what was touched since the versions before.
  func forget() {
    beginVersions(isCertain: false)
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

  /// The name of the log's table, which no row has to make a C string of.
  private static let logTable: StaticString = "sectile_log"

  @inline(__always)
  private static func isLog(_ table: UnsafePointer<CChar>) -> Bool {
    logTable.utf8Start.withMemoryRebound(to: CChar.self, capacity: logTable.utf8CodeUnitCount + 1) {
      strcmp(table, $0) == 0
    }
  }

  @inline(__always)
  private func record(
    _ row: PreUpdate, schema: UnsafePointer<CChar>, table: UnsafePointer<CChar>
  ) {
    if let journal { journal.record(row, schema: schema, table: table) }
    if Self.isLog(table), strcmp(schema, "main") == 0 { return log.note(row) }
    guard !watches.isEmpty, strcmp(schema, "main") == 0 else { return }
    if let last, lastName.withCString({ strcmp($0, table) }) == 0 {
      last.record(row)
      return
    }
    let name = String(cString: table)
    guard let watch = tables[name.lowercased()] else { return }
    (last, lastName) = (watch, name)
    watch.record(row)
  }
}

extension LogWatch {
  /// The position of the column `salt`.
  private static let saltColumn: Int32 = 7

  /// Takes note of a row of the log that is about to be written.
  fileprivate func note(_ row: PreUpdate) {
    guard row.operation == SQLITE_INSERT else { return }
    note(row.newRowID) { sqlite3_value_int64(row.value(.after, Self.saltColumn)) }
  }
}

extension StoreError {
  /// The error of a connection that another store has.
  static func adoptedTwice(_ file: String?) -> StoreError {
    StoreError(
      .connectionTaken,
      message: "\(file ?? "The connection in memory") was adopted a second time: another store has "
        + "this connection already.",
      hint: "Keep the store that adopted it first and use it everywhere, or open a connection of "
        + "its own for each store.")
  }

  static let connectionTaken = StoreError(
    .connectionTaken,
    message: "The connection has a pre-update hook already, which is of no store.",
    hint: "Use no other observer of the pre-update hook on an adopted connection, such as SQLite's "
      + "session extension.")
}
