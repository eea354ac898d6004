internal import GRDBSQLite

/// The connection to a file that a store closes last.
///
/// Whoever is the last to close a file in WAL mode copies the log into it and removes the log,
/// unless the connection can only read. GRDB closes a pool's writer before its readers; so the last
/// one would be a reader, and the log would stay. This one is opened before the pool is closed.
final class LastConnection {
  /// Where the file is: its path, or where its folder was moved to.
  let path: String
  private let handle: OpaquePointer
  private var isOpen = true

  /// Opens the file, and looks at it: who has not read counts for none.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - logFiles: What the store has open beside it.
  ///   - synchronousPragma: How SQLite waits for the disk.
  /// - Throws: ``StoreError``: `fileReplaced` where the file or its log is not at its path any
  ///   more, `fileLinked`; what opening and reading meet.
  init(
    to file: WrittenFile, _ logFiles: LogFiles, synchronousPragma: String
  ) throws(StoreError) {
    try file.check(logFiles, of: nil)
    guard let path = file.currentPath else { throw file.replaced }
    var connection: OpaquePointer?
    // Never created: a file that is gone stays gone.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &connection, flags, nil)
    guard code == SQLITE_OK, let connection else {
      let error = StoreError.sqlite(code, on: connection)
      sqlite3_close(connection)
      throw error
    }
    self.path = path
    handle = connection
    for sql in [synchronousPragma, "SELECT count(*) FROM sqlite_schema"] {
      let code = sqlite3_exec(handle, sql, nil, nil, nil)
      guard code == SQLITE_OK else { throw .sqlite(code, on: handle, sql: sql) }
    }
    var hasMoved: CInt = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    // Both together: what is open here is what is at the path, and that is the store's file.
    guard hasMoved == 0, file.isSame(as: path) else { throw file.replaced }
  }

  /// Copies as much of the log into the file as nobody reads or writes, and waits for nobody.
  ///
  /// - Returns: Whether the file has everything.
  /// - Throws: ``StoreError``: `busy` where another checkpoint runs, `diskFull`, `ioError`.
  func copyLog() throws(StoreError) -> Bool {
    var (logCount, copiedCount): (CInt, CInt) = (-1, -1)
    let code = sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, &logCount, &copiedCount)
    guard code == SQLITE_OK else { throw .sqlite(code, on: handle) }
    return logCount == copiedCount
  }

  /// Closes the connection; not to be used afterwards.
  func close() {
    if isOpen { sqlite3_close(handle) }
    isOpen = false
  }

  deinit { close() }
}
