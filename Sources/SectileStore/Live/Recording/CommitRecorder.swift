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

  // Asked for each row that is written; not checked at run time, because no access is inside another.
  @exclusivity(unchecked) private var watches: [TableWatch] = []
  private var tables: [String: TableWatch] = [:]
  /// The watch of the row before: rows of one statement come from one table.
  @exclusivity(unchecked) private var last: TableWatch?
  /// The name of its table as SQLite spells it; a plan may spell it otherwise.
  @exclusivity(unchecked) private var lastName = ""
  private let versions = VersionWatch()
  /// Whether all rows that are noted are of the transaction of `Store.write` that is under way.
  private var ownsNotes = false
  /// Whether the database's version was read inside the transaction, and differs from the one before.
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
      // Another recorder's hook is put back. A foreign one cannot be: SQLite tells its context only.
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

  /// Watches a table, and keeps what somebody wants to know of its rows for as long as they hold it.
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
    guard let watch = try makeWatch(on: table, in: db) else { return nil }
    let notes = watch.addNotes(for: interest)
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
    ownsNotes = !hasNotes
  }

  /// Takes note that a statement may change the schema.
  func schemaWillChange() { versions.schemaWillChange() }

  /// Closes the record of a transaction, inside of it: links each touched table's version before it to the
  /// one after.
  ///
  /// - Parameter db: The writing connection.
  /// - Returns: The record.
  func close(in db: Database) -> TransactionRecord {
    let schema = versions.known?.schema
    let finding = versions.check(in: db)
    guard finding != .same else {
      beginVersions(isCertain: true)
      return TransactionRecord(isCertain: true, hasNewSchema: false, failure: nil)
    }
    let hasNewSchema = finding == .other && versions.known?.schema != schema
    hasOtherVersion = finding == .other
    if hasNewSchema {
      db.clearSchemaCache()
      unwatchAll()
    }
    beginVersions(isCertain: false)
    return TransactionRecord(
      isCertain: false, hasNewSchema: hasNewSchema,
      failure: finding == .unknown ? versions.failure : nil)
  }

  /// Forgets what a transaction touched, but for rows that may have been committed: those a statement wrote
  /// outside of every transaction that was noticed, such as an `INSERT OR FAIL` that failed midway.
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
    if outcome != .committed, hasOtherVersion { versions.forget() }
    hasOtherVersion = false
    versions.transactionDidEnd(outcome, in: db)
    ownsNotes = false
    return isLost
  }

  /// Closes the record of what others have committed, outside of a transaction of which anybody knows.
  func skip(in db: Database) -> TransactionRecord {
    let record = close(in: db)
    hasOtherVersion = false
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

  @inline(__always)
  private func record(
    _ row: PreUpdate, schema: UnsafePointer<CChar>, table: UnsafePointer<CChar>
  ) {
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
