internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The lock that writers of several processes take beside a file, where SQLite has the *WAL-reset
/// bug*: see ``SQLiteRelease/hasWALResetBug``.
///
/// ```
/// lock of writers
///   └─ BEGIN IMMEDIATE … COMMIT, with its checkpoint     or     a checkpoint that was asked for
/// let go
/// ```
///
/// It comes first, always: nobody takes it inside a transaction, so nobody who has it waits for
/// somebody who waits for it. With it no checkpoint runs while another Sectile process commits,
/// which is what the bug needs. What goes past Sectile does not take it.
///
/// It is taken only where it is wanted, which is where the file has a change log: that is what
/// invites several processes. Without one there is no lock, and no lock file beside the database.
///
/// The file is never removed: whoever removes it while another has it open makes two locks of one.
/// Where somebody else did, or renamed it, the next write notices and takes the one that is there
/// now.
package final class WriterLock: Sendable {
  /// What becomes of the lock.
  package enum State: Hashable, Sendable {
    /// The file has no change log, or nothing is written to it.
    case off
    /// The library does not have the bug.
    case notNeeded(SQLiteRelease)
    /// Writers take it, at this path.
    case engaged(path: String)
    /// It cannot be taken, for this reason: writes go on without it.
    case unavailable(reason: String)
  }

  /// A way to give up a wait; throws where it is to end.
  typealias Check = () throws -> Void

  private struct Files {
    var file: LockFile?
    var isHeld = false
    var isWanted = false
    /// Why the last attempt to have the file failed.
    var problem: String?
  }

  private enum Attempt {
    case taken
    case refused
    case impossible
  }

  /// How often a lock file is opened anew that others remove at the same time.
  private static let openingLimit = 16

  // MARK: - Mutable state
  //
  // - `files`: guarded by its mutex, under which nothing waits.
  // - `isEngaged`: whether writers take the lock; a copy of what `files` says, for the path of a
  //   write.
  // - `interruptCount`: how often waits were ended.
  // - `awaitCount`: how many calls wait for the lock now.
  private let files = Mutex(Files())
  private let isEngaged = Atomic(false)
  private let interruptCount = Atomic(0)
  private let awaitCount = Atomic(0)
  private let database: WrittenFile?
  private let release: SQLiteRelease
  private let limit: Int
  private let waits: LockWaits?

  /// Creates a lock that nobody takes yet.
  ///
  /// - Parameters:
  ///   - database: The file that is written; nil for none, which needs no lock.
  ///   - milliseconds: How long to wait for it.
  ///   - waits: Hears how long calls have waited.
  ///   - release: The library that writes.
  init(
    of database: WrittenFile?, waiting milliseconds: Int, _ waits: LockWaits?,
    release: SQLiteRelease = .linked
  ) {
    self.database = database
    limit = milliseconds
    self.waits = waits
    self.release = release
  }

  // MARK: Whether it is taken

  /// What becomes of the lock.
  package var state: State {
    files.withLock { files in
      guard files.isWanted, let database else { return .off }
      guard release.hasWALResetBug else { return .notNeeded(release) }
      return files.problem.map { .unavailable(reason: $0) } ?? .engaged(path: database.lockPath)
    }
  }

  /// Whether writes take the lock, or would where the library had the bug.
  ///
  /// To be called from any thread.
  var isWanted: Bool { files.withLock { $0.isWanted } }

  /// Has all writes from now on take the lock, where the library has the bug.
  ///
  /// To be called from any thread. A write that is in its transaction goes on without it.
  package func engage() {
    guard let database else { return }
    files.withLock { files in
      files.isWanted = true
      guard release.hasWALResetBug else { return }
      isEngaged.store(true, ordering: .relaxed)
      // So that the state is known before the first write, which reports what passes.
      _ = try? open(&files, database)
    }
  }

  /// Has no write take the lock from now on; the file stays.
  ///
  /// To be called from any thread. A write that has the lock keeps it to its end.
  package func disengage() {
    files.withLock { files in
      files.isWanted = false
      files.problem = nil
      isEngaged.store(false, ordering: .relaxed)
      if !files.isHeld { files.file = nil }
    }
  }

  /// Has it taken where the file has a change log, and only there.
  ///
  /// - Throws: ``StoreError`` where the schema cannot be read.
  func engageIfLogged(_ db: Database) throws(StoreError) {
    if let connection = db.sqliteConnection { try engageIfLogged(connection) }
  }

  /// Has it taken where the file of a connection has a change log, and only there.
  func engageIfLogged(_ connection: OpaquePointer) throws(StoreError) {
    guard database != nil else { return }
    // Whether there is such a table, from the schema that the connection has in memory anyway.
    let code = sqlite3_table_column_metadata(
      connection, "main", "sectile_log_state", nil, nil, nil, nil, nil, nil)
    switch code {
    case SQLITE_OK: engage()
    case SQLITE_ERROR: disengage()
    default: throw .sqlite(code, on: connection)
    }
  }

  /// Whether a call waits for the lock at this moment.
  var isAwaited: Bool { awaitCount.load(ordering: .relaxed) > 0 }

  // MARK: Taking it

  /// Takes the lock, if writers do; waits for others at most as long as for SQLite's locks.
  ///
  /// - Parameter check: Asked between one try and the next.
  /// - Returns: Whether it was taken: then ``leave()`` must follow.
  /// - Throws: ``StoreError``: `busy` where others have it for too long, `interrupted`;
  ///   `cannotOpen`, `diskFull`, `ioError`. What `check` throws.
  @inline(__always)
  func enter(_ check: Check) throws -> Bool {
    guard isEngaged.load(ordering: .relaxed) else { return false }
    return try take(check)
  }

  /// Takes the lock before a write on GRDB's connection: the wait ends where the access is
  /// cancelled.
  @inline(__always)
  func enter(before db: Database) throws -> Bool {
    try enter {
      // GRDB tells of a cancelled access nowhere but before a statement. This one reads no file.
      try db.execute(sql: "SELECT 0")
    }
  }

  /// Takes the lock on the way to something that is not GRDB's to cancel.
  @inline(__always)
  func enter(until cancellation: Cancellation) throws -> Bool { try enter(cancellation.check) }

  /// Takes the lock where a lock file is there already: before it is known whether the file has a
  /// log.
  ///
  /// - Throws: ``StoreError`` as ``enter(_:)`` does.
  func enterIfThere() throws -> Bool {
    guard release.hasWALResetBug, let database, FileIdentity(database.lockPath) != nil else {
      return false
    }
    engage()
    return try enter {}
  }

  /// Takes the lock, unless others have it.
  ///
  /// - Returns: Whether it was taken, and whether whoever asks may go on; `(false, true)` where
  ///   there is no lock to take.
  /// - Throws: ``StoreError``.
  func tryToEnter() throws(StoreError) -> (isHeld: Bool, mayGoOn: Bool) {
    guard isEngaged.load(ordering: .relaxed) else { return (false, true) }
    let attempt = try attempt()
    return (attempt == .taken, attempt != .refused)
  }

  /// Runs a closure with the lock; does not where others have it.
  ///
  /// On the writer, where `Store.write` may have taken it around the call.
  ///
  /// - Parameter body: Waits for nobody.
  func runUnlessTaken(_ body: () -> Void) {
    if files.withLock({ $0.isHeld }) { return body() }
    guard let (isHeld, mayGoOn) = try? tryToEnter(), mayGoOn else { return }
    defer { if isHeld { leave() } }
    body()
  }

  /// Lets go of the lock.
  func leave() {
    files.withLock { files in
      files.isHeld = false
      files.file?.unlock()
      if !isEngaged.load(ordering: .relaxed) { files.file = nil }
    }
  }

  /// Ends the waits of this moment: they throw `interrupted`.
  func interrupt() { interruptCount.add(1, ordering: .relaxed) }

  @inline(never)
  private func take(_ check: Check) throws -> Bool {
    let interrupts = interruptCount.load(ordering: .relaxed)
    var tries = 0
    defer { if tries > 0 { awaitCount.subtract(1, ordering: .relaxed) } }
    while true {
      switch try attempt() {
      case .taken: return true
      case .impossible: return false
      case .refused: break
      }
      if tries == 0 { awaitCount.add(1, ordering: .relaxed) }
      tries += 1
      guard let waited = LockWaits.wait(tries: tries - 1, limit: limit) else { throw busy }
      waits?.add(waited)
      try check()
      if interruptCount.load(ordering: .relaxed) != interrupts {
        throw StoreError(
          .interrupted, message: "\(name): interrupted while waiting for the lock of writers")
      }
    }
  }

  private func attempt() throws(StoreError) -> Attempt {
    try files.withLock { files throws(StoreError) in
      // Switched off meanwhile.
      guard isEngaged.load(ordering: .relaxed), let database else { return .impossible }
      do throws(LockFile.Failure) {
        for _ in 0..<Self.openingLimit {
          // Where the database has gone, the write itself says so.
          guard let file = try open(&files, database) else { return .impossible }
          guard try file.lock() else { return .refused }
          // In a folder that was moved, both still lie beside each other.
          if file.isInPlace || !database.isInPlace {
            files.isHeld = true
            files.problem = nil
            return .taken
          }
          files.file = nil
        }
        return .refused
      } catch {
        files.file = nil
        switch error {
        case .failed(let error): throw error
        case .unavailable(let reason):
          files.problem = reason
          return .impossible
        }
      }
    }
  }

  private func open(
    _ files: inout Files, _ database: WrittenFile
  ) throws(LockFile.Failure) -> LockFile? {
    if let file = files.file { return file }
    guard let path = database.currentPath, let original = FileIdentity(path) else { return nil }
    do throws(LockFile.Failure) {
      let file = try LockFile(at: WrittenFile.lockPath(of: path), for: original)
      files.file = file
      files.problem = nil
      return file
    } catch {
      if case .unavailable(let reason) = error { files.problem = reason }
      throw error
    }
  }

  private var name: String { database?.lockPath ?? "The store" }

  private var busy: StoreError {
    StoreError(
      .busy, message: "\(name): another process or store holds the lock of writers",
      hint: "Try again when the other one is done, or raise StoreConfiguration.busyTimeout.")
  }
}

extension WriterLock.State: CustomStringConvertible {
  /// In words.
  package var description: String {
    switch self {
    case .off: "no lock of writers: the file has no change log, or is only read"
    case .notNeeded(let release): "no lock of writers: SQLite \(release) needs none"
    case .engaged(let path): "writers take the lock \(path)"
    case .unavailable(let reason): "writers cannot take a lock: \(reason)"
    }
  }
}
