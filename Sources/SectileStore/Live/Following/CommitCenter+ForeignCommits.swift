import GRDB
import SectileCore

// The door by which comes in what others have committed: another connection or process, or oneself
// in doubt.
extension CommitCenter {
  /// When is published what others have committed.
  enum Publishing {
    /// When the transaction is over that has read it.
    case afterwards
    /// Inside of it, so that it may read on what the results have come to.
    case inside
  }

  /// Has whatever was committed read that nobody has read so far, and publishes it.
  ///
  /// Of a file that is no longer at its path, live results are told instead.
  ///
  /// - Parameters:
  ///   - db: The writer, outside of a transaction.
  ///   - view: What is to hold the state that was read; it has ended where others commit all the
  ///     time, or the file is not at its path any more.
  ///   - publishing: When it is published.
  ///   - hasNews: Set where there is something to deliver, also where the closure throws. Where it
  ///     is not, the caller must leave ``deliver()`` alone: what a `write` left is delivered before
  ///     that `write` returns.
  ///   - body: Called in the same transaction, at its end. It is handed the view, unless that has
  ///     ended.
  /// - Throws: Where a transaction cannot begin; what reading and the closure throw.
  func catchUp(
    in db: Database, holding view: HeldView? = nil, publishing: Publishing = .afterwards,
    hasNews: inout Bool, then body: (HeldView?) throws -> Void = { _ in }
  ) throws {
    if let error = fileReplaced(below: db) {
      view?.end()
      recorder.former.isInPlace = false
      confined.phase = .read
      results.fail(error)
      if end(.committed, in: db) { hasNews = true }
      if publishing == .inside { try inReadTransaction(of: db) { try body(nil) } }
      return
    }
    try catchUpInPlace(
      in: db, holding: view, publishing: publishing, hasNews: &hasNews, then: body)
  }

  /// Does so with a file that was just seen at its path: to look takes calls of the system.
  private func catchUpInPlace(
    in db: Database, holding view: HeldView? = nil, publishing: Publishing = .afterwards,
    hasNews: inout Bool, then body: (HeldView?) throws -> Void = { _ in }
  ) throws {
    var (isRead, isPublished) = (false, false)
    var attempts = 0
    recorder.former.isInPlace = true
    let held = view ?? recorder.makeNextFormerState(in: db)
    do {
      while !isRead {
        attempts += 1
        confined.phase = .read
        try db.inTransaction(.deferred) {
          if let held, held.isHeld {
            do {
              if try !held.begin(while: { _ = try DatabaseVersion(db) }) {
                // Somebody committed just then.
                if attempts < HeldView.attemptLimit { return .commit }
                held.end()
              }
            } catch {
              guard view == nil else { throw error }
              // Nobody asked for it: it goes without.
              held.end()
            }
          } else if publishing == .inside {
            // The transaction's version is that of its first read.
            _ = try DatabaseVersion(db)
          }
          isRead = true
          try transactionWillCommit(by: nil, in: db)
          if publishing == .inside {
            if end(.committed, in: db) { hasNews = true }
            isPublished = true
            // Its own end tells nobody anything.
            confined.phase = .read
          }
          try body(view.flatMap { $0.isHeld ? $0 : nil })
          return .commit
        }
      }
    } catch {
      if isPublished { confined.phase = .idle } else { end(.rolledBack, in: db) }
      throw error
    }
    if isPublished {
      confined.phase = .idle
    } else if end(.committed, in: db) {
      hasNews = true
    }
  }

  /// Has whatever was committed read that nobody has read so far, for whoever looks again and
  /// again; and everything where an audit is due, to find what was written past the change log.
  ///
  /// - Parameters:
  ///   - db: The writer, outside of a transaction.
  ///   - interval: How often there is an audit; nil for never.
  ///   - hasNews: See ``catchUp(in:holding:publishing:hasNews:then:)``.
  /// - Returns: What was found.
  /// - Throws: Where a transaction cannot begin.
  func catchUp(
    in db: Database, auditingEvery interval: Duration?, hasNews: inout Bool
  ) throws -> ExternalChangePoller.LookOutcome {
    guard fileReplaced(below: db) == nil, results.isFollowing else {
      try catchUp(in: db, hasNews: &hasNews)
      return .done
    }
    let count = results.foreignCount
    try catchUpInPlace(in: db, hasNews: &hasNews)
    if let interval, ContinuousClock.now - confined.lastAudit >= interval {
      confined.lastAudit = .now
      if log.isThere, results.isFollowing {
        try results.audit(in: db) { try catchUpInPlace(in: db, hasNews: &hasNews) }
      }
    }
    return results.foreignCount == count ? .nothing : .done
  }

  /// Has whatever was committed read inside a transaction that has written nothing, and publishes
  /// it.
  ///
  /// - Returns: Whether there is something to deliver.
  /// - Throws: What reading throws.
  @discardableResult
  func catchUp(inside db: Database) throws -> Bool {
    try transactionWillCommit(by: nil, in: db)
    return end(.committed, in: db)
  }

  /// Takes note of commits of others inside a transaction, before rows are read that are compared
  /// with older ones.
  ///
  /// - Returns: Whether there is something to deliver.
  /// - Throws: What reading throws.
  func noteForeignCommits(in db: Database) throws -> Bool {
    guard try isOutdated(in: db) else { return false }
    if log.isThere { return try catchUp(inside: db) }
    let record = recorder.skip(in: db)
    if !record.isCertain { results.missCommits(record, in: db) }
    return false
  }

  /// Whether others have committed since the version of the database was read.
  ///
  /// - Throws: What reading throws.
  func isOutdated(in db: Database) throws -> Bool { try recorder.isOutdated(in: db) }

  /// Runs a closure in a transaction that only reads.
  ///
  /// Its end tells nobody anything: the caller catches up afterwards, when it is done with what it
  /// has read.
  ///
  /// - Parameters:
  ///   - db: The writer, outside of a transaction.
  ///   - body: Reads.
  /// - Throws: What the closure throws; where the transaction cannot begin.
  func inReadTransaction(of db: Database, _ body: () throws -> Void) throws {
    confined.phase = .read
    do {
      try db.inTransaction(.deferred) {
        try body()
        // Where commits of others were noticed, that has ended a phase.
        confined.phase = .read
        return .commit
      }
      confined.phase = .idle
    } catch {
      end(.rolledBack, in: db)
      throw error
    }
  }

  /// Takes note of what others have done to the change log, where nobody follows commits, which
  /// would tell.
  ///
  /// - Parameter db: The writer, outside of a transaction.
  /// - Throws: What reading the schema throws.
  func noticeLogOfOthers(in db: Database) throws {
    guard log.isThere, !results.isFollowing else { return }
    try inReadTransaction(of: db) { try log.noticeNewSchema(in: db) }
  }

  /// Returns the error of a file that is no longer at its path, or whose log is no longer beside
  /// it; nil where both are.
  func fileReplaced(below db: Database) -> StoreError? {
    if let error = StoreError.fileReplaced(below: db) { return error }
    do throws(StoreError) {
      try logFiles.check(below: db)
      return nil
    } catch {
      return error
    }
  }
}
