import GRDB
import SectileCore
import Synchronization

/// Follows the commits of one store, and has them read by those who want to know of them.
///
/// ```
/// closure of write returns
///   └─ transactionWillCommit   inside the transaction: the recorder closes its record, and each
///                              reader reads it together with the rows
/// COMMIT
///   └─ transactionDidEnd       committed, rolled back, or unknown: the readers hear of it, and the
///                              recorder forgets what it noted
/// the writer is free again
///   └─ transactionFinished     delivery, on the thread that called write, outside of every lock
/// ```
///
/// A transaction that goes past `Store.write`, on an adopted GRDB database, is noticed when it has
/// committed; it is read then, and delivered from a thread of its own.
final class CommitCenter: SchemaChangeTelling, Sendable {
  // MARK: - Mutable state
  //
  // What `CommitCenter+ChangeLog.swift` needs is not private.
  //
  // - `place`: guarded by its mutex.
  // - `recorder`, `phase`, `outsideCount`, `bookkeeping`, `isAuditing`, `lastAudit`: confined to
  //   the writer's serial queue; every method that takes a `Database` runs there.
  nonisolated(unsafe) let recorder: CommitRecorder
  nonisolated(unsafe) private var phase = Phase.idle
  /// How often something was read that others have committed.
  nonisolated(unsafe) private var outsideCount = 0
  /// Whether everything is being read although nobody has told of a change.
  nonisolated(unsafe) private var isAuditing = false
  nonisolated(unsafe) private var lastAudit = ContinuousClock.now
  let place = Mutex<LogPlace?>(nil)
  /// The tables of the change log, for those who read it.
  let loggedTables = LoggedTables()
  let needsLogRepair = Atomic(false)
  let readers: [any CommitReader]
  private let poller = ExternalChangePoller()
  nonisolated(unsafe) let bookkeeping: LogBookkeeping
  private let monitor: StoreMonitor
  /// Tells those who wait for commits, whoever makes them.
  let bell = CommitBell()
  /// What the connections have open beside the file.
  let logFiles = LogFiles()
  /// Whether others use the writing connection too.
  ///
  /// They may change the schema on it unnoticed, inside a transaction of `Store.write`.
  let isWriterShared = Atomic<Bool>(false)

  private enum Phase {
    /// There is no transaction that anybody knows of.
    case idle
    /// A transaction of `Store.write` is in its closure.
    case open
    /// The readers have read a transaction, which is about to end.
    case read
    /// The connection lives on without the store.
    case detached
  }

  /// Creates a center.
  ///
  /// - Parameters:
  ///   - recorder: Notes what transactions touch.
  ///   - readers: Who reads what it noted, in this order.
  ///   - retention: What is kept of the file's change log.
  ///   - monitor: What counts the store's work.
  init(
    _ recorder: CommitRecorder, readers: [any CommitReader],
    keeping retention: StoreConfiguration.ChangeLogRetention, _ monitor: StoreMonitor
  ) {
    self.recorder = recorder
    bookkeeping = LogBookkeeping(retention)
    self.readers = readers
    self.monitor = monitor
  }

  /// Installs what the recorder and the readers need on the writing connection, before statements
  /// are prepared.
  func attach(to db: Database) throws {
    try recorder.attach(to: db)
    for reader in readers { try reader.attach(to: db) }
    db.add(transactionObserver: OutsideCommits(center: self), extent: .databaseLifetime)
  }

  /// Removes it from a connection that lives on without the store.
  func detach(from db: Database) {
    for reader in readers { reader.detach(from: db) }
    recorder.detach(from: db)
    phase = .detached
  }

  // MARK: Transactions of Store.write

  /// Called when the transaction has begun, before the write's closure.
  func transactionDidBegin(_ db: Database) {
    phase = .open
    recorder.open(isShared: isWriterShared.load(ordering: .relaxed))
  }

  func schemaWillChange(in db: Database) {
    recorder.schemaWillChange()
    for reader in readers { reader.schemaWillChange(in: db) }
  }

  /// Whether others may have committed since the readers have read, and the change log tells what.
  ///
  /// Where there is no log, what they did is a part of the transaction that comes next: all is read
  /// once.
  ///
  /// Called inside a writing transaction that has written nothing yet.
  func isBehind(in db: Database) -> Bool {
    recorder.mayHaveLog && readers.contains(where: \.isFollowing) && recorder.mayBeOutdated(in: db)
  }

  /// Ends a writing transaction that has written nothing.
  func endEmptyTransaction(_ db: Database) throws {
    phase = .read
    defer { phase = .idle }
    try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
  }

  /// Has what others committed read inside a writing transaction that has written nothing yet, and
  /// publishes it: it is not a part of the transaction, which may be rolled back.
  func catchUp(in db: Database) throws {
    try read(in: db)
    _ = end(.committed, in: db)
  }

  /// Called at the end of the write's closure, inside the transaction, which an error rolls back.
  ///
  /// - Parameters:
  ///   - db: The writing connection.
  ///   - origin: Who commits, for the change log.
  /// - Throws: What writing to the log throws.
  func transactionWillCommit(_ db: Database, by origin: CommitOrigin) throws {
    try keepLog(by: origin, in: db)
    try read(in: db)
  }

  /// Called when the transaction is over, still on the writer, outside of the transaction.
  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) {
    _ = end(outcome, in: db)
    if outcome == .unknown { _ = try? look(in: db) }
  }

  /// Called when the writer is free again, before `write` returns or throws.
  func transactionFinished() {
    deliver()
    bell.ring()
  }

  // MARK: Reading

  private func read(in db: Database) throws {
    phase = .read
    guard readers.contains(where: \.isFollowing) else { return }
    let record = recorder.close(in: db)
    if record.hasForeignRows || !record.isCertain { outsideCount &+= 1 }
    tellOfMissedCommits(record, in: db)
    for reader in readers { try reader.read(record, in: db) }
    if isAuditing { countFinds(record) }
  }

  private func countFinds(_ record: TransactionRecord) {
    monitor.auditCount.add(1, ordering: .relaxed)
    // Somebody who has committed just then may have changed anything.
    guard record.isCertain, !record.hasForeignRows else { return }
    monitor.auditFindCount.add(readers.reduce(0) { $0 + $1.changedCount }, ordering: .relaxed)
  }

  /// Takes note that some results were found to be wrong, though nobody has told of a change.
  func countUnseenChange() {
    monitor.auditFindCount.add(1, ordering: .relaxed)
    willResync(.unseenChange)
  }

  private func tellOfMissedCommits(_ record: TransactionRecord, in db: Database) {
    guard !record.isCertain else { return }
    if let error = record.failure {
      monitor.failedPollCount.add(1, ordering: .relaxed)
      monitor.tell(.pollFailed(.wrapping(error, file: nil)))
    } else {
      willResync(record.hasNewSchema ? .newSchema : .foreignCommit)
    }
    for reader in readers { reader.missCommits(hasNewSchema: record.hasNewSchema, in: db) }
  }

  private func willResync(_ reason: StoreEvent.ResyncReason) {
    guard readers.contains(where: \.isFollowing) else { return }
    monitor.resyncCount.add(1, ordering: .relaxed)
    monitor.tell(.resynced(reason: reason))
  }

  /// - Returns: Whether there is something to deliver.
  private func end(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    var hasNews = false
    // By position: to go through the list itself is to retain it.
    for position in readers.indices where readers[position].transactionDidEnd(outcome) {
      hasNews = true
    }
    if outcome != .committed { bookkeeping.forget() }
    if recorder.end(outcome, in: db) {
      willResync(.unknownOutcome)
      for reader in readers { reader.missCommits(hasNewSchema: false, in: db) }
    }
    phase = .idle
    // Behind what was published: a place may lag behind contents, never be ahead of them.
    noteLogPlace()
    needsLogRepair.store(recorder.logNeedsRepair, ordering: .relaxed)
    return hasNews
  }

  // MARK: Commits of others

  /// Has whatever was committed read that nobody has read so far: by another connection, or in
  /// doubt.
  ///
  /// Of a file that is no longer at its path, the readers are told instead.
  ///
  /// Called on the writer, outside of a transaction.
  ///
  /// - Returns: Whether there is something to deliver. Where there is not, the caller must leave
  ///   ``deliver()`` alone: what a `write` left is delivered before that `write` returns.
  /// - Throws: Where the transaction cannot begin.
  @discardableResult
  func look(in db: Database) throws -> Bool {
    guard let error = fileReplaced(below: db) else {
      return try look(in: db, between: {}, and: {})
    }
    phase = .read
    for reader in readers { reader.fail(error) }
    return end(.committed, in: db)
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

  /// Has everything read although the change log names what was committed, to find what was written
  /// past it.
  ///
  /// - Parameter db: The writer, outside of a transaction.
  /// - Returns: See ``look(in:)``.
  /// - Throws: Where a transaction cannot begin.
  func audit(in db: Database) throws -> Bool {
    // What others committed in the open comes first, by itself.
    let hasNews = try look(in: db)
    guard recorder.hasLog, readers.contains(where: \.isFollowing) else { return hasNews }
    willResync(.audit)
    for reader in readers { reader.missCommits(hasNewSchema: false, in: db) }
    isAuditing = true
    defer { isAuditing = false }
    return try look(in: db) || hasNews
  }

  /// Has whatever was committed read that nobody has read so far, and holds the state that was
  /// read.
  ///
  /// - Parameters:
  ///   - db: The writer, outside of a transaction.
  ///   - view: What is to hold it; it has ended where others commit all the time, or the file is
  ///     not at its path any more.
  /// - Returns: Whether there is something to deliver.
  /// - Throws: Where the transaction cannot begin.
  func look(in db: Database, holding view: HeldView) throws -> Bool {
    if fileReplaced(below: db) != nil {
      view.end()
      return try look(in: db)
    }
    var isRead = false
    do {
      for attempt in 1...HeldView.attemptLimit where !isRead {
        try db.inTransaction(.deferred) {
          if try !view.begin(while: { _ = try DatabaseVersion(db) }) {
            // Somebody committed just then.
            if attempt < HeldView.attemptLimit { return .commit }
            view.end()
          }
          isRead = true
          try read(in: db)
          return .commit
        }
      }
    } catch {
      _ = end(.rolledBack, in: db)
      throw error
    }
    return end(.committed, in: db)
  }

  /// Has whatever was committed read that nobody has read so far, and reads in the same
  /// transaction.
  ///
  /// What is read is of the very version that the readers have when they have delivered. See
  /// ``look(in:)`` for more information.
  func look(in db: Database, reading body: () throws -> Void) throws -> Bool {
    // The transaction's version is that of its first read.
    try look(in: db, between: { _ = try DatabaseVersion(db) }, and: body)
  }

  /// Has whatever was committed read that nobody has read so far, publishes it, and reads on in the
  /// same transaction: what the readers show then is what the closure reads.
  ///
  /// - Parameters:
  ///   - db: The writer, outside of a transaction.
  ///   - hasNews: Set where there is something to deliver, also where the closure throws.
  ///   - body: Reads.
  /// - Throws: What the closure throws; where the transaction cannot begin.
  func look(
    in db: Database, hasNews: inout Bool, publishingBefore body: () throws -> Void
  ) throws {
    guard fileReplaced(below: db) == nil else {
      if try look(in: db) { hasNews = true }
      return try db.inTransaction(.deferred) {
        try body()
        return .commit
      }
    }
    var isPublished = false
    do {
      try db.inTransaction(.deferred) {
        // The transaction's version is that of its first read.
        _ = try DatabaseVersion(db)
        try read(in: db)
        if end(.committed, in: db) { hasNews = true }
        isPublished = true
        // Its own end tells nobody anything.
        phase = .read
        try body()
        return .commit
      }
      phase = .idle
    } catch {
      if isPublished { phase = .idle } else { _ = end(.rolledBack, in: db) }
      throw error
    }
  }

  /// Has whatever was committed read that nobody has read so far, for whoever looks again and
  /// again; and everything where an audit is due.
  ///
  /// Called on the writer, outside of a transaction.
  ///
  /// - Parameters:
  ///   - db: The writer.
  ///   - interval: How often there is an audit; nil for never.
  ///   - hasNews: Set where there is something to deliver.
  /// - Returns: What was found.
  /// - Throws: Where the transaction cannot begin.
  func look(
    in db: Database, auditingEvery interval: Duration?, hasNews: inout Bool
  ) throws -> ExternalChangePoller.Finding {
    guard fileReplaced(below: db) == nil, readers.contains(where: \.isFollowing) else {
      hasNews = try look(in: db)
      return .done
    }
    let count = outsideCount
    if let interval, ContinuousClock.now - lastAudit >= interval {
      lastAudit = .now
      hasNews = try audit(in: db)
    } else {
      hasNews = try look(in: db, between: {}, and: {})
    }
    return outsideCount == count ? .nothing : .done
  }

  private func look(
    in db: Database, between before: () throws -> Void, and after: () throws -> Void
  ) throws -> Bool {
    do {
      try db.inTransaction(.deferred) {
        try before()
        try read(in: db)
        try after()
        return .commit
      }
    } catch {
      _ = end(.rolledBack, in: db)
      throw error
    }
    return end(.committed, in: db)
  }

  /// Runs a closure in a transaction that only reads.
  ///
  /// Its end tells nobody anything: the caller looks afterwards, in a transaction of its own, when
  /// it is done with what it has read.
  ///
  /// - Parameters:
  ///   - db: The writer, outside of a transaction.
  ///   - body: Reads.
  /// - Throws: What the closure throws; where the transaction cannot begin.
  func inReadTransaction(of db: Database, _ body: () throws -> Void) throws {
    phase = .read
    do {
      try db.inTransaction(.deferred) {
        try body()
        // Where commits of others were noticed, that has ended a phase.
        phase = .read
        return .commit
      }
      phase = .idle
    } catch {
      _ = end(.rolledBack, in: db)
      throw error
    }
  }

  /// Has whatever was committed read that nobody has read so far, behind
  /// ``inReadTransaction(of:_:)``.
  ///
  /// Where it fails, what was read before holds nevertheless, and the next look finds the rest.
  ///
  /// - Returns: See ``look(in:)``.
  func lookBehindRead(in db: Database) -> Bool { (try? look(in: db)) ?? false }

  /// Takes note of commits of others before rows are read that are compared with older ones.
  ///
  /// - Returns: Whether there is something to deliver.
  /// - Throws: What reading throws.
  func noticeForeignCommits(in db: Database) throws -> Bool {
    guard try recorder.isOutdated(in: db) else { return false }
    if recorder.hasLog {
      try read(in: db)
      return end(.committed, in: db)
    }
    tellOfMissedCommits(recorder.skip(in: db), in: db)
    return false
  }

  /// Whether others have committed since the version of the database was read.
  ///
  /// - Throws: What reading throws.
  func isOutdated(in db: Database) throws -> Bool { try recorder.isOutdated(in: db) }

  /// Starts looking for commits of other processes.
  ///
  /// See ``ExternalChangePoller/start(every:watching:ownCommitCount:isStill:look:)``.
  func poll(
    every interval: Duration, watching path: String?,
    isStill: @escaping @Sendable (_ logIsWatched: Bool) -> Bool,
    look: @escaping @Sendable () -> ExternalChangePoller.Finding
  ) {
    let isWatched = poller.start(
      every: interval, watching: path,
      ownCommitCount: { [monitor] in monitor.commitCount.load(ordering: .relaxed) },
      isStill: isStill, look: look)
    if !isWatched { monitor.tell(.logNotWatched) }
  }

  // MARK: Delivering

  /// Delivers what the readers have to deliver.
  func deliver() {
    for position in readers.indices { readers[position].deliver() }
  }
}

extension CommitCenter {
  func outsideTransactionDidCommit(_ db: Database) {
    let former = phase
    guard former == .idle || former == .open else { return }
    let hasNews = readBehindCommit(in: db)
    phase = former
    bell.ring()
    guard hasNews else { return }
    Task.detached { [weak self] in self?.deliver() }
  }

  /// Reads what a transaction has done that has ended already: outside of a transaction each
  /// statement would read another state of the file, where others commit in between.
  ///
  /// The transaction is begun and ended past GRDB, which would tell its observers of it.
  ///
  /// - Returns: Whether there is something to deliver.
  private func readBehindCommit(in db: Database) -> Bool {
    guard (try? RawStatement.runCached("BEGIN DEFERRED", on: db)) != nil else {
      return end(.unknown, in: db)
    }
    try? read(in: db)
    try? RawStatement.runCached("COMMIT", on: db)
    return end(.committed, in: db)
  }

  func outsideTransactionDidRollback(_ db: Database) {
    // Of one that `Store.write` has begun, that tells the end.
    if phase == .idle { _ = end(.rolledBack, in: db) }
  }
}
