internal import SectileCore

extension InspectionConnection {
  /// Copies the database to another file while others go on to read and write it.
  ///
  /// The copy shows one state of the database. It is written under another name, checked with
  /// `PRAGMA quick_check`, and gets its own name when it is whole: a copy that fails or is stopped
  /// leaves nothing behind.
  ///
  /// A file with a write-ahead log is copied as it is at the beginning, and nobody waits. Without
  /// one, a commit of others sets the copy back to its beginning; when that happens too often, the
  /// file is locked and writers wait for the copy.
  ///
  /// - Parameters:
  ///   - path: Where the copy goes.
  ///   - replaces: Whether a file that is there is replaced.
  ///   - pagesPerStep: How many pages to copy at a time.
  ///   - progress: Hears of each step; what it throws stops the backup.
  /// - Returns: What the copy holds.
  /// - Throws: ``StoreError``: `backupRefused` where the path is that of the database itself, or of
  ///   a file that is not replaced; `corrupt` where the database is damaged; what reading and
  ///   writing meet; or what the closure throws.
  @discardableResult
  package func backup(
    to path: String, replacing replaces: Bool = false, pagesPerStep: Int = 256,
    progress: (Store.BackupProgress) throws -> Void = { _ in }
  ) throws -> Store.BackupReport {
    let file = try BackupFile(at: path, of: self.path, replaces: replaces)
    var isHeld = false
    func hold() throws {
      try run("BEGIN; SELECT count(*) FROM sqlite_schema") { _ in }
      isHeld = true
    }
    // A reading transaction stores nothing, so its end has nothing to report.
    defer { if isHeld { _ = try? run("COMMIT") { _ in } } }
    if try firstValue("PRAGMA journal_mode") == .text("wal") { try hold() }
    guard case .integer(let pageSize) = try firstValue("PRAGMA page_size") else {
      throw StoreError(.corrupt, message: "\(self.path): the size of pages is not known")
    }
    return try file.write(
      pageSize: Int(pageSize),
      fill: { target in
        let copy = PageCopy(
          source: connection, target: target.connection, sourcePath: self.path, targetPath: path,
          pageSize: Int(pageSize), pagesPerStep: pagesPerStep)
        return try copy.run(hold: hold, progress: progress)
      }, progress: progress)
  }
}
