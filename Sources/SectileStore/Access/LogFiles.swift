internal import CSQLite
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The files beside a database that its connections have open: the log, and the index of the log in
/// shared memory.
///
/// SQLite looks for them by name only when it opens them. Where somebody removes or replaces one of
/// them later, processes part: whoever opens the database next makes new ones, and knows nothing of
/// what is committed into the old log, which is gone with the last connection that has it open.
///
/// ```text
/// this store      -wal, removed ◀── commits that nobody else ever sees
/// others          -wal, new     ◀── theirs
/// ```
///
/// Nobody does so who keeps to SQLite's locks, since a connection with a log holds one on the
/// database. But they are locks of POSIX, which belong to the process: all of them are gone when it
/// closes *any* descriptor of the database, such as that of a file that was read to be hashed, or
/// of another copy of SQLite. Then the next program that closes the database is the last one, as
/// far as it can see, and removes both. Or somebody clears up.
///
/// - Complexity: One or two calls of `stat` for each look, as long as the files are the same.
final class LogFiles: Sendable {
  private struct Names {
    let database: String
    let log: String
    let index: String

    init(beside database: String) {
      self.database = database
      log = LogFiles.logPath(of: database)
      index = database + "-shm"
    }
  }

  private struct State {
    var names = Names(beside: "")
    /// What was open when it was looked first; nil where there was no log.
    var log: FileIdentity?
    var index: FileIdentity?
    /// A log that lies beside a database which is not in WAL mode, and how often that was asked.
    var strange: (log: FileIdentity, count: Int)?
    var isLost = false
  }

  /// How often it is asked of a log whether it is that of the connection.
  private static let strangeLimit = 3

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex; nothing waits for anybody under it.
  private let state = Mutex(State())

  /// Where the log of a database is.
  static func logPath(of database: String) -> String { database + "-wal" }

  /// Whether one of the files was removed or replaced when it was looked last.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Whether a log and its index are open.
  var areOpen: Bool { state.withLock { $0.log != nil && $0.index != nil } }

  /// Looks whether what is open is still what others find.
  ///
  /// - Parameters:
  ///   - path: Where the database is.
  ///   - connection: The connection that writes, outside of statements; nil for another one that
  ///     was just opened.
  ///   - includesIndex: Whether to look for the index of the log, too.
  /// - Throws: ``StoreError`` with the code `fileReplaced`.
  func check(
    beside path: String, of connection: OpaquePointer?, includingIndex includesIndex: Bool = true
  ) throws(StoreError) {
    let lost = state.withLock { state -> String? in
      if state.names.database != path { state.names = Names(beside: path) }
      let lost = Self.lostFile(&state, connection, includesIndex)
      guard let connection, (lost != nil) != state.isLost else { return lost }
      state.isLost = lost != nil
      // Whoever closes it would copy the old log over what others have committed since, and remove
      // theirs.
      sectile_set_checkpoint_on_close(connection, state.isLost ? 0 : 1)
      return lost
    }
    guard let lost else { return }
    throw StoreError(
      .fileReplaced, message: "\(lost) was removed or replaced while \(path) is open",
      hint: "Nothing is written any more. What was committed last may be in the removed log alone:"
        + " back the store up to another file first, then close it and open it again.")
  }

  /// Looks below the path that a connection has open.
  func check(below db: Database) throws(StoreError) {
    guard let connection = db.sqliteConnection, let path = StoreError.file(of: connection) else {
      return
    }
    try check(beside: path, of: connection)
  }

  /// Returns the name of a file that others do not find any more; nil where all are in place.
  private static func lostFile(
    _ state: inout State, _ connection: OpaquePointer?, _ includesIndex: Bool
  ) -> String? {
    let log = FileIdentity(state.names.log)
    guard let known = state.log else {
      if let connection, let log { note(log, of: connection, &state) }
      return nil
    }
    guard log == known else {
      return isReleased(known, connection, log, &state) ? nil : state.names.log
    }
    guard includesIndex, let index = state.index, FileIdentity(state.names.index) != index else {
      return nil
    }
    return isReleased(index, connection, log, &state) ? nil : state.names.index
  }

  /// Returns whether nobody here has a file open any more.
  ///
  /// A connection that has left WAL mode has closed its log, and nothing was lost. What is there
  /// now is taken note of then. It is asked first: a file that something else has open may have got
  /// the number that the log had.
  private static func isReleased(
    _ file: FileIdentity, _ connection: OpaquePointer?, _ log: FileIdentity?, _ state: inout State
  ) -> Bool {
    if connection.map(hasLog) ?? true {
      guard let open = OpenFiles.identities(), !open.contains(file) else { return false }
    }
    guard let connection else { return true }
    (state.log, state.index) = (nil, nil)
    if let log { note(log, of: connection, &state) }
    return true
  }

  /// Takes note of the files that are there, where the connection has them open.
  private static func note(
    _ log: FileIdentity, of connection: OpaquePointer, _ state: inout State
  ) {
    if let strange = state.strange, strange.log == log, strange.count >= strangeLimit { return }
    guard hasLog(connection) else {
      let count = state.strange?.log == log ? state.strange?.count ?? 0 : 0
      return state.strange = (log, count + 1)
    }
    state.strange = nil
    state.log = log
    state.index = FileIdentity(state.names.index)
  }

  /// Returns whether a connection is in WAL mode; it has its log open then, since this reads the
  /// schema.
  private static func hasLog(_ connection: OpaquePointer) -> Bool {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard
      sqlite3_prepare_v2(connection, "PRAGMA main.journal_mode", -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let mode = sqlite3_column_text(statement, 0)
    else { return false }
    return String(cString: mode) == "wal"
  }
}
