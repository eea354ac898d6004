import GRDB
import SectileCore
import Synchronization

/// Leads the transactions of one store's writer from their beginning to their end, past those who
/// take part in them: see ``CommitParticipant``.
///
/// ```text
/// Store.write   BEGIN
///                 └─ did begin       what others have committed comes first
///               its closure
///                 └─ will commit
///               COMMIT
///                 └─ did end         committed, rolled back, or unknown
///               the writer is free again
///                 └─ finished        delivery, on the thread that called write, outside of locks
/// ```
///
/// What others have committed comes in by one door:
/// ``catchUp(in:holding:publishing:hasNews:then:)``. A transaction that goes past `Store.write`, on
/// an adopted GRDB database, is noticed when it has committed; it is read then, and delivered from
/// a thread of its own.
final class CommitCenter: SchemaChangeTelling, Sendable {
  // MARK: - Mutable state
  //
  // - `confined`: to the writer's serial queue; every method that takes a `Database` runs there.
  nonisolated(unsafe) let confined: State
  /// The live results of the store.
  let results: FollowedResults
  /// What keeps the change log of the file.
  let log: LogKeeper
  private let readers: [any CommitReader]
  /// The tables of the change log, for those who read it.
  let loggedTables = LoggedTables()
  private let poller = ExternalChangePoller()
  private let monitor: StoreMonitor
  /// Tells those who wait for commits, whoever makes them.
  let bell = CommitBell()
  /// What the connections have open beside the file.
  let logFiles = LogFiles()
  /// Whether others use the writing connection too.
  ///
  /// They may change the schema on it unnoticed, inside a transaction of `Store.write`.
  let isWriterShared = Atomic<Bool>(false)

  final class State {
    let recorder: CommitRecorder
    // What every commit asks is not checked at run time for accesses inside one another: there are
    // none.
    @exclusivity(unchecked) fileprivate var participants: [any CommitParticipant]
    @exclusivity(unchecked) var phase = Phase.idle
    /// When everything was read last although nobody had told of a change.
    var lastAudit = ContinuousClock.now

    fileprivate init(_ recorder: CommitRecorder, _ participants: [any CommitParticipant]) {
      (self.recorder, self.participants) = (recorder, participants)
    }
  }

  enum Phase {
    /// There is no transaction that anybody knows of.
    case idle
    /// A transaction of `Store.write` is in its closure.
    case open
    /// A transaction is about to end that was read, or whose end tells nobody anything.
    case read
    /// The connection lives on without the store.
    case detached
  }

  /// Creates a center, with the participants of a store.
  ///
  /// - Parameters:
  ///   - readers: Who else reads each transaction, in this order.
  ///   - retention: What is kept of the file's change log.
  ///   - monitor: What counts the store's work.
  init(
    readBy readers: [any CommitReader],
    keeping retention: StoreConfiguration.ChangeLogRetention, _ monitor: StoreMonitor
  ) {
    let recorder = CommitRecorder(LogWatch())
    let results = FollowedResults(recorder, monitor)
    let log = LogKeeper(recorder, keeping: retention)
    self.readers = [results] + readers
    confined = State(
      recorder, [results] + readers + [recorder, log, FormerStateKeeper(recorder, for: results)])
    (self.results, self.log, self.monitor) = (results, log, monitor)
  }

  /// What notes the rows of a transaction.
  var recorder: CommitRecorder { confined.recorder }

  /// Has a file looked for in each transaction from now on, first and last.
  ///
  /// - Parameters:
  ///   - file: The file that is written; nil where none is.
  ///   - db: The writing connection.
  func watch(_ file: WrittenFile?, in db: Database) {
    if let file { confined.participants.insert(FileCheck(of: file, logFiles), at: 0) }
  }

  /// Installs what the participants need on the writing connection, before statements are prepared.
  func attach(to db: Database) throws {
    for participant in confined.participants { try participant.attach(to: db) }
    db.add(transactionObserver: OutsideCommits(center: self), extent: .databaseLifetime)
  }

  /// Removes it from a connection that lives on without the store.
  func detach(from db: Database) {
    for participant in confined.participants { participant.detach(from: db) }
    confined.phase = .detached
  }

  // MARK: Transactions of Store.write

  /// Begins a transaction, after what others have committed was read: that comes first, is told by
  /// itself, and stays where the transaction is rolled back.
  ///
  /// - Parameter db: The writing connection, outside of a transaction.
  /// - Throws: Where the transaction cannot begin; there is none then.
  func begin(_ db: Database) throws {
    try Self.beginImmediately(db)
    // Seen where a transaction has begun. Read outside of it: others need not wait while all is
    // read.
    guard log.mayLag(in: db) else { return }
    do {
      confined.phase = .read
      defer { confined.phase = .idle }
      try db.cachedStatement(sql: "COMMIT TRANSACTION").execute()
    } catch {
      try? db.rollback()
      throw error
    }
    // Delivered with the transaction that begins.
    var hasNews = false
    try catchUp(in: db, hasNews: &hasNews)
    try Self.beginImmediately(db)
    do {
      if log.mayLag(in: db) { try catchUp(inside: db) }
    } catch {
      try? db.rollback()
      end(.rolledBack, in: db)
      throw error
    }
  }

  // Cached statements: compiling BEGIN and COMMIT would cost as much as running them.
  private static func beginImmediately(_ db: Database) throws {
    try db.cachedStatement(sql: "BEGIN IMMEDIATE TRANSACTION").execute()
  }

  /// Called when the transaction has begun, before the write's closure.
  ///
  /// - Throws: What forbids it; the transaction is to be rolled back.
  func transactionDidBegin(in db: Database) throws {
    confined.phase = .open
    // By position, here and below: to go through the list itself is to retain it.
    for position in confined.participants.indices {
      try confined.participants[position].transactionDidBegin(in: db)
    }
    if isWriterShared.load(ordering: .relaxed) { recorder.schemaWillChange() }
  }

  func schemaWillChange(in db: Database) {
    recorder.schemaWillChange()
    results.rememberContents(in: db)
  }

  /// Called at the end of a transaction, inside of it.
  ///
  /// - Parameters:
  ///   - origin: Who commits, for the change log; nil where what others have committed is read.
  ///   - db: The writing connection.
  /// - Throws: What forbids it; the transaction is to be rolled back.
  func transactionWillCommit(by origin: CommitOrigin?, in db: Database) throws {
    if origin == nil { confined.phase = .read }
    for position in confined.participants.indices.reversed() {
      try confined.participants[position].transactionWillCommit(by: origin, in: db)
    }
    confined.phase = .read
  }

  /// Called when the transaction is over, still on the writer, outside of the transaction.
  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) {
    end(outcome, in: db)
    var hasNews = false
    if outcome == .unknown { try? catchUp(in: db, hasNews: &hasNews) }
  }

  /// - Returns: Whether there is something to deliver.
  @discardableResult
  func end(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    var hasNews = false
    for position in confined.participants.indices
    where confined.participants[position].transactionDidEnd(outcome, in: db) {
      hasNews = true
    }
    confined.phase = .idle
    return hasNews
  }

  /// Called when the writer is free again, before `write` returns or throws.
  func transactionFinished() {
    deliver()
    bell.ring()
  }

  /// Delivers what the readers have to deliver.
  func deliver() {
    for position in readers.indices { readers[position].deliver() }
  }

  // MARK: Looking for commits of others

  /// Starts looking for commits of other processes.
  ///
  /// See ``ExternalChangePoller/start(every:watching:ownCommitCount:isStill:look:)``.
  func poll(
    every interval: Duration, watching path: String?,
    isStill: @escaping @Sendable (_ logIsWatched: Bool) -> Bool,
    look: @escaping @Sendable () -> ExternalChangePoller.LookOutcome
  ) {
    let isWatched = poller.start(
      every: interval, watching: path,
      ownCommitCount: { [monitor] in monitor.commitCount.load(ordering: .relaxed) },
      isStill: isStill, look: look)
    if !isWatched { monitor.tell(.logNotWatched) }
  }
}

// MARK: - Transactions past Store.write

extension CommitCenter {
  func outsideTransactionDidCommit(_ db: Database) {
    let former = confined.phase
    guard former == .idle || former == .open else { return }
    let hasNews = readBehindCommit(in: db)
    confined.phase = former
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
    try? transactionWillCommit(by: nil, in: db)
    try? RawStatement.runCached("COMMIT", on: db)
    return end(.committed, in: db)
  }

  func outsideTransactionDidRollback(_ db: Database) {
    // Of one that `Store.write` has begun, that tells the end.
    if confined.phase == .idle { end(.rolledBack, in: db) }
  }
}
