internal import GRDB
internal import SectileCore

extension Store {
  /// Copies the database to a file while reads and writes go on.
  ///
  /// The copy shows the state the database has at the beginning. It is written under another name,
  /// checked with `PRAGMA quick_check`, and gets its own name when it is whole. A store in memory
  /// is written to disk this way; its other users wait meanwhile.
  ///
  /// ```swift
  /// try store.backup(to: "packages-2026-11-21.sqlite")
  /// ```
  ///
  /// - Parameters:
  ///   - path: Where the copy goes.
  ///   - replaces: Whether a file that is there is replaced.
  ///   - pagesPerStep: How many pages to copy at a time.
  ///   - progress: Hears of each step, inside a reading transaction; what it throws stops the
  ///     backup.
  /// - Returns: What the copy holds.
  /// - Throws: ``StoreError``: `backupRefused` where the path is that of the database itself, or of
  ///   a file that is not replaced; `corrupt` where the database is damaged; what reading and
  ///   writing meet; or what the closure throws.
  @discardableResult
  public func backup(
    to path: String, replacing replaces: Bool = false, pagesPerStep: Int = 256,
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> BackupReport {
    let file = try BackupFile(at: path, of: self.path, replaces: replaces)
    return try readAll { db in
      guard let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size"),
        let source = db.sqliteConnection
      else {
        throw StoreError.closed(file: self.path)
      }
      // The transaction begins with the first read, and holds its state from then on.
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      return try file.write(
        pageSize: pageSize,
        fill: { target in
          let copy = PageCopy(
            source: source, target: target.connection, sourcePath: self.path, targetPath: path,
            pageSize: pageSize, pagesPerStep: pagesPerStep)
          return try copy.run(hold: {}, progress: progress)
        }, progress: progress)
    }
  }

  /// Reads in a transaction; where the log was removed, on the writer: no other connection can be
  /// opened to what that still has.
  private func readAll<Result>(_ body: (Database) throws -> Result) throws -> Result {
    guard commits.logFiles.isLost else { return try read { try body($0.db) } }
    var result: Result?
    try useWriter { db in
      try commits.inReadTransaction(of: db) { result = try body(db) }
    }
    guard let result else { throw StoreError.closed(file: path) }
    return result
  }

  /// Copies the database to a file while reads and writes go on, without blocking the caller's
  /// thread.
  ///
  /// Cancelling the task stops the backup after a step, and leaves nothing behind; the call then
  /// throws `CancellationError`. See `backup(to:replacing:pagesPerStep:progress:)` for more
  /// information.
  @discardableResult
  public func backup(
    to path: String, replacing replaces: Bool = false, pagesPerStep: Int = 256,
    progress: @Sendable (BackupProgress) throws -> Void = { _ in }
  ) async throws -> BackupReport {
    try await blockingCalls.run {
      try backup(to: path, replacing: replaces, pagesPerStep: pagesPerStep) { step in
        try Task.checkCancellation()
        try progress(step)
      }
    }
  }
}
