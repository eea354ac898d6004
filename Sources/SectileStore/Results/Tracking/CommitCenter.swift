package import GRDB
internal import SectileCore
import Synchronization

/// Follows the commits of one store and keeps its live results up to date.
///
/// ```
/// closure of write returns
///   └─ transactionWillCommit   inside the transaction: each touched results object works out its
///                              change from rows read in this very transaction
/// COMMIT
///   └─ transactionDidEnd       committed: the changes queue up for delivery, in commit order
///                              rolled back: they are forgotten
///                              unknown: everything is fetched again and compared
/// the writer is free again
///   └─ transactionFinished     delivery, on the thread that called write, outside of every lock
/// ```
///
/// A transaction that goes past `Store.write`, on an adopted GRDB database, is noticed when it has
/// committed; its changes are worked out then, and delivered from a thread of their own.
package final class CommitCenter: Sendable {
  // MARK: - Mutable state
  //
  // - `writerState`: confined to the writer's serial queue; every method that takes a `Database`
  //   runs there.
  // - `unflushed`: guarded by the mutex. Filled on the writer, emptied outside of it.
  nonisolated(unsafe) private let writerState: WriterState
  private let unflushed = Mutex<[any HubFlushing]>([])
  private let poller = ExternalChangePoller()

  package init() {
    writerState = WriterState()
  }

  private final class WriterState {
    let recorder = CommitRecorder()
    var entries: [Entry] = []
    /// The results that worked out a change in the transaction that has not ended yet.
    var prepared: [any TrackedResults] = []
    var isPrepared = false
    var isInsideWrite = false
    /// Whether a transaction of `Store.write` has begun.
    var isInsideTransaction = false
    /// Whether rows were noted before the transaction began: they were committed past it.
    var hasOlderNotes = false
    var databaseVersion: DatabaseVersion?
    /// Whether `databaseVersion` was read inside the transaction and differs from the one before.
    var hasNewVersion = false
  }

  private struct Entry {
    let results: WeakResults
    let dependencies: [ResolvedDependency]
  }

  private struct WeakResults {
    weak var value: (any TrackedResults)?
  }

  // MARK: Results

  /// Starts following commits for a results object, or follows its new plan.
  ///
  /// - Precondition: Called on the writer, outside of a transaction that wrote.
  func register(_ results: any TrackedResults, in db: Database) throws {
    try register(keeping: { $0 !== results }, adding: [results], in: db)
  }

  private func register(
    keeping isKept: (any TrackedResults) -> Bool, adding: [any TrackedResults], in db: Database
  ) throws {
    let kept = writerState.entries.compactMap(\.results.value).filter {
      isKept($0) && $0.isTracking
    }
    // Watching anew forgets what was noted and could not be worked out yet.
    if writerState.recorder.hasNotes { for results in kept { results.requireRefetch() } }
    let all = kept + adding
    try writerState.recorder.watch(all.map(\.trackedPlan), in: db)
    writerState.entries = all.map { results in
      Entry(
        results: WeakResults(value: results),
        dependencies: results.trackedPlan.dependencies.map {
          ResolvedDependency($0, watch: writerState.recorder.watch(on: $0.table))
        })
    }
    if writerState.databaseVersion == nil {
      writerState.databaseVersion = try DatabaseVersion(db)
    }
  }

  // MARK: Commits

  /// Works out what the transaction means for each results object.
  private func prepare(in db: Database) {
    writerState.isPrepared = true
    guard !writerState.entries.isEmpty else { return }
    let isCertain = checkDatabaseVersion(in: db)
    for entry in writerState.entries {
      guard let results = entry.results.value, results.isTracking else { continue }
      let scope = CommitScope(
        db: db, dependencies: entry.dependencies, isCertain: isCertain)
      guard scope.isTouched || results.needsRefetch else { continue }
      results.prepare(scope)
      writerState.prepared.append(results)
    }
  }

  /// Returns whether the recorder saw everything that happened since the last look: no other
  /// connection wrote, and no table was created, dropped or altered.
  private func checkDatabaseVersion(in db: Database) -> Bool {
    guard let version = try? DatabaseVersion(db) else { return false }
    defer { writerState.databaseVersion = version }
    guard version != writerState.databaseVersion else { return true }
    writerState.hasNewVersion = true
    requireRefetch()
    if version.schema != writerState.databaseVersion?.schema {
      db.clearSchemaCache()
      // A table that is gone has no watch; its results fail when they fetch again.
      try? register(keeping: { _ in true }, adding: [], in: db)
    }
    return false
  }

  private func resolve(_ outcome: TransactionOutcome) {
    for results in writerState.prepared {
      switch outcome {
      case .committed:
        results.publish()
        unflushed.withLock { $0.append(results.hub) }
      case .rolledBack: results.discard()
      case .unknown:
        results.discard()
        results.requireRefetch()
      }
    }
    if outcome == .unknown { requireRefetch() }
    writerState.prepared = []
    writerState.isPrepared = false
    forgetNotes(after: outcome)
    // The next schema with this number may be another one.
    if outcome != .committed, writerState.hasNewVersion { writerState.databaseVersion = nil }
    writerState.hasNewVersion = false
  }

  /// Forgets what was recorded, but for rows that may have been committed: those a statement wrote
  /// outside of every transaction that was noticed, such as an `INSERT OR FAIL` that failed midway.
  private func forgetNotes(after outcome: TransactionOutcome) {
    let isOwn = writerState.isInsideTransaction && !writerState.hasOlderNotes
    guard outcome == .rolledBack, !isOwn else { return writerState.recorder.reset() }
    guard writerState.recorder.touchedCount > CommitRecorder.retainedRowLimit else { return }
    requireRefetch()
    writerState.recorder.reset()
  }

  private func requireRefetch() {
    for entry in writerState.entries { entry.results.value?.requireRefetch() }
  }

  /// Fetches again whatever may be out of date: another connection wrote, or a commit ended in
  /// doubt.
  ///
  /// Called on the writer, outside of a transaction.
  ///
  /// - Returns: Whether there is something to deliver. Where there is not, the caller must leave
  ///   ``flush()`` alone: what a `write` left is delivered before that `write` returns.
  @discardableResult
  func refresh(in db: Database) throws -> Bool {
    do {
      try db.inTransaction(.deferred) {
        prepare(in: db)
        return .commit
      }
    } catch {
      resolve(.rolledBack)
      throw error
    }
    defer { resolve(.committed) }
    return !writerState.prepared.isEmpty
  }

  /// Starts looking for commits of other processes.
  ///
  /// See ``ExternalChangePoller/start(every:look:)``.
  func poll(every interval: Duration, look: @escaping @Sendable () async -> Bool) {
    poller.start(every: interval, look: look)
  }

  /// Delivers what the writer left to deliver.
  func flush() {
    let hubs = unflushed.withLock { hubs in
      defer { hubs = [] }
      return hubs
    }
    hubs.flush()
  }
}

extension CommitCenter: CommitObserving {
  package func attach(to db: Database) throws {
    try writerState.recorder.attach(to: db)
    db.add(transactionObserver: OutsideCommits(center: self), extent: .databaseLifetime)
  }

  package func detach(from db: Database) {
    writerState.entries = []
    writerState.recorder.detach(from: db)
  }

  package func transactionDidBegin(_ db: Database) {
    writerState.isInsideTransaction = true
    writerState.hasOlderNotes = writerState.recorder.hasNotes
  }

  package func transactionWillCommit(_ db: Database) throws {
    writerState.isInsideWrite = true
    prepare(in: db)
  }

  package func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) {
    writerState.isInsideWrite = false
    resolve(outcome)
    writerState.isInsideTransaction = false
    if outcome == .unknown { _ = try? refresh(in: db) }
  }

  package func transactionFinished() {
    flush()
  }
}

/// Notices transactions that do not go through `Store.write`.
///
/// GRDB owns the observer, so it holds the center weakly.
private final class OutsideCommits: TransactionObserver {
  private weak let center: CommitCenter?

  init(center: CommitCenter) {
    self.center = center
  }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

  func databaseDidChange(with event: DatabaseEvent) {}

  func databaseDidCommit(_ db: Database) {
    center?.outsideTransactionDidCommit(db)
  }

  func databaseDidRollback(_ db: Database) {
    center?.outsideTransactionDidRollback()
  }
}

extension CommitCenter {
  fileprivate func outsideTransactionDidCommit(_ db: Database) {
    guard !writerState.isInsideWrite, !writerState.isPrepared else { return }
    prepare(in: db)
    resolve(.committed)
    guard !unflushed.withLock(\.isEmpty) else { return }
    Task.detached { [weak self] in self?.flush() }
  }

  fileprivate func outsideTransactionDidRollback() {
    guard !writerState.isInsideWrite else { return }
    resolve(.rolledBack)
  }
}
