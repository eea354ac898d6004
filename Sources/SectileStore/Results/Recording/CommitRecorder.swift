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
      throw StoreError.connectionTaken
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

  /// Watches the tables of a plan, besides those that are watched already.
  ///
  /// Nothing must have been noted yet: see ``hasNotes``.
  ///
  /// - Returns: The plan's dependencies, each with the notes on its table.
  func watch(_ plan: TrackedPlan, in db: Database) throws -> [ResolvedDependency] {
    try plan.dependencies.map { dependency in
      let watch = try makeWatch(on: dependency.table, in: db)
      let notes = watch?.addNotes(for: dependency.interest)
      if dependency.isBase, let watch {
        notes?.keepValues(of: plan.plan.itemColumns, layout: watch.layout)
      }
      return ResolvedDependency(dependency, watch: watch, notes: notes)
    }
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

  /// Forgets the tables that only other plans depend on.
  func unwatch(except plans: [TrackedPlan]) {
    var wanted: [String: Set<TableWatch.KeyInterest>] = [:]
    for dependency in plans.lazy.flatMap(\.dependencies) {
      wanted[dependency.table.lowercased(), default: []].insert(dependency.interest)
    }
    for (name, watch) in tables {
      watch.removeNotes(notIn: wanted[name] ?? [])
      if !watch.isWanted { tables[name] = nil }
    }
    watches = Array(tables.values)
    last = nil
  }

  /// Forgets every table: the schema is another one.
  func unwatchAll() {
    beginVersions(isCertain: false)
    reset()
    tables = [:]
    watches = []
    last = nil
  }

  // MARK: Transactions

  /// The most rows whose notes outlive a rollback.
  static let retainedRowLimit = 10_000

  /// Whether anything was noted.
  var hasNotes: Bool { watches.contains { $0.isTouched } }

  /// How many touched rows of one table are noted at most.
  var touchedCount: Int { watches.map(\.touchedCount).max() ?? 0 }

  /// Links each touched table's version before the transaction to the one after it.
  func beginVersions(isCertain: Bool) {
    // By position: to go through the list itself is to retain it.
    for position in watches.indices { watches[position].beginVersion(isCertain: isCertain) }
  }

  /// Takes back the versions of a transaction that was rolled back.
  func forgetVersions() {
    for watch in watches { watch.forgetVersion() }
  }

  /// Forgets what the transaction touched.
  func reset() {
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
  static let connectionTaken = StoreError(
    .connectionTaken, message: "The connection has a pre-update hook already.",
    hint: "Adopt a connection with one store only, and use no other observer of its pre-update "
      + "hook, such as SQLite's session extension.")
}
