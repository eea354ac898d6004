internal import GRDB
internal import SectileCore
internal import Synchronization

extension Store {
  /// Closes the store: afterwards everything that was committed is in the file, and nothing lies
  /// beside it.
  ///
  /// All connections are closed. The log is copied into the file and removed, unless others have
  /// the file open, or the store may not write it: then ``closeOutcome`` says why the log stays,
  /// and whether the file has everything nevertheless. Nobody is waited for because of the log. A
  /// store that is released without `close` loses nothing, but leaves the log beside the file.
  ///
  /// ```swift
  /// try store.close()
  /// if let outcome = store.closeOutcome, !outcome.isComplete { logger.warning("\(outcome)") }
  /// ```
  ///
  /// It waits for the accesses that were called before; later ones fail with the code
  /// `storeClosed`, and so does reading an item of a snapshot that has not been read before. The
  /// sequences of all live results end, and those that are opened later are at their end from the
  /// start. Calling it again does nothing; while another thread closes the store, it waits for
  /// that. Connections that the store adopted stay open, and nothing is waited for: their owner
  /// closes them.
  ///
  /// Where the file was replaced while it was open, nothing is removed by name: what lies there is
  /// another's.
  ///
  /// - Throws: ``StoreError`` with the code `reentrantAccess` inside a closure of the store, or
  ///   `busy` if statements prepared through GRDB are still alive; then the store stays open,
  ///   unless it was a reader's and its other connections are closed by then.
  /// - Complexity: O(*p*) for *p* pages in the log.
  public func close() throws(StoreError) {
    // Adopted connections stay: to wait for them inside a closure of their own would be for ever.
    guard try accesses.close(waiting: !isAdopted) else { return }
    views?.close()
    do throws(StoreError) {
      let outcome = isAdopted ? closeAdopted() : try closeOwned()
      writerLock.disengage()
      outcomeOfClosing.withLock { $0 = outcome }
      accesses.endClosing()
      // Whoever waits for commits finds that there will be none.
      commits.bell.ring()
    } catch {
      let isOpen = writer.unsafeReentrantWrite { $0.sqliteConnection != nil }
      if isOpen { views?.reopen() } else { resultsHubs.end() }
      accesses.endClosing(reopening: isOpen)
      throw error
    }
  }

  /// Closes the store, without blocking the caller's thread.
  ///
  /// It closes the store also where the task was cancelled. See `close()` for more information.
  public func close() async throws {
    try await BlockingCalls.shared.run(evenIfCancelled: true) { try close() }
  }

  /// What closing the store came to; nil while it is open.
  public var closeOutcome: CloseOutcome? { outcomeOfClosing.withLock { $0 } }

  private func closeOwned() throws(StoreError) -> CloseOutcome {
    guard let file, !configuration.isReadOnly else {
      try closeWriter()
      return makeOutcome(at: file?.currentPath, reason: .readOnly)
    }
    let last = Result { () throws(StoreError) in
      try checkLog(of: file)
      return try LastConnection(
        to: file, commits.logFiles, synchronousPragma: configuration.synchronousPragma)
    }
    try closeWriter()
    do throws(StoreError) {
      let last = try last.get()
      defer { last.close() }
      let isCopied = try copyLog(through: last)
      last.close()
      return makeOutcome(at: last.path, reason: .inUse, isCopied: isCopied)
    } catch {
      return makeOutcome(at: file.currentPath, reason: .failed, error: error)
    }
  }

  /// Sees to it that a log which others do not find any more is not copied over what they have
  /// committed.
  ///
  /// - Throws: ``StoreError`` with the code `fileReplaced`, or `fileLinked`.
  private func checkLog(of file: WrittenFile) throws(StoreError) {
    do {
      try writer.unsafeReentrantWrite { db in
        try file.check(commits.logFiles, of: db.sqliteConnection)
      }
    } catch {
      throw .wrapping(error, file: path)
    }
  }

  /// Copies the log, unless another process is about to write: then that has the file open, and
  /// nobody is waited for.
  ///
  /// Closing a connection needs no lock: SQLite copies the log there only while no other connection
  /// is open.
  ///
  /// - Returns: Whether the file has everything.
  private func copyLog(through last: borrowing LastConnection) throws(StoreError) -> Bool {
    let (isHeld, mayGoOn) = try writerLock.tryToEnter()
    defer { if isHeld { writerLock.leave() } }
    return mayGoOn ? try last.copyLog() : false
  }

  /// Closes the connections, and ends the sequences of live results: nothing more will be told.
  private func closeWriter() throws(StoreError) {
    do {
      try writer.close()
      commits.recorder.former.file.withLock { $0 = nil }
    } catch {
      throw .wrapping(error, file: path)
    }
    resultsHubs.end()
  }

  private func closeAdopted() -> CloseOutcome {
    detach()
    resultsHubs.end()
    return makeOutcome(at: file?.currentPath, reason: .adopted)
  }

  /// Looks at what lies beside the file.
  ///
  /// - Parameters:
  ///   - place: Where the file is; nil where nobody can tell.
  ///   - reason: Why there is a log, if there is one.
  ///   - isCopied: Whether the file has everything.
  ///   - error: What copying met.
  /// - Returns: What is there.
  private func makeOutcome(
    at place: String?, reason: RemainingLog, isCopied: Bool = false, error: StoreError? = nil
  ) -> CloseOutcome {
    let log = place.flatMap { FileIdentity(LogFiles.logPath(of: $0)) }
    // Where somebody else has removed it, it was not copied.
    let isRemoved =
      file == nil || (place != nil && log == nil && error?.code != .fileReplaced)
    return CloseOutcome(
      path: path, remainingLog: isRemoved ? nil : reason,
      isComplete: isRemoved || isCopied
        || (error?.code != .fileReplaced && log?.isEmpty == true),
      error: isRemoved ? nil : error)
  }

  /// Stops following the commits of connections that stay open.
  func detach() {
    let commits = commits
    writer.asyncWriteWithoutTransaction { db in
      commits.detach(from: db)
    }
  }
}
