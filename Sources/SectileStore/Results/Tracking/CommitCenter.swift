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
  private let unflushed = Mutex(UnflushedHubs())
  private let poller = ExternalChangePoller()
  /// Whether others use the writing connection too.
  ///
  /// They may change the schema on it unnoticed, inside a transaction of `Store.write`.
  let isWriterShared = Atomic<Bool>(false)

  package init() {
    writerState = WriterState()
  }

  /// What a transaction comes to for some results.
  private struct Prepared {
    let results: ResultsTracker
    var preparation: Preparation
  }

  // What every commit asks is not checked at run time for accesses inside one another: there are none.
  private final class WriterState {
    let recorder = CommitRecorder()
    /// The plans that are followed, each with its results.
    @exclusivity(unchecked) var registrations: [PlanRegistration] = []
    /// How many there may be before those of released results are looked for.
    var registrationLimit = 16
    /// The numbers of the plans that are followed: equal plans have one.
    var planNumbers: [FetchPlan: Int] = [:]
    var lastPlanNumber = 0
    /// Which of them want rows with a constant; nil where that is to be found out anew.
    var constants: ConstantFilters?
    /// Where the registrations of results are.
    var positions: [ObjectIdentifier: Int] = [:]
    /// Whether some results have to be fetched again, whatever a transaction touches.
    var hasOpenRefetch = false
    /// What the transaction that has not ended yet comes to, by results object.
    @exclusivity(unchecked) var prepared: [Prepared] = []
    var isPrepared = false
    var isInsideWrite = false
    /// Whether a transaction of `Store.write` has begun.
    var isInsideTransaction = false
    /// Whether rows were noted before the transaction began: they were committed past it.
    var hasOlderNotes = false
    let versions = VersionWatch()
    var preparedPlans = PreparedPlans()
    /// Whether the database's version was read inside the transaction and differs from the one before.
    var hasNewVersion = false
  }

  // MARK: Results

  /// Returns a plan made ready to run.
  ///
  /// - Precondition: Called on the writer, outside of a transaction that wrote.
  func prepared(_ plan: FetchPlan, in db: Database) throws -> PreparedPlans.Entry {
    try writerState.preparedPlans.entry(for: plan, in: db)
  }

  /// Watches the tables of a plan.
  ///
  /// - Precondition: Called on the writer, outside of a transaction that wrote.
  func watch(_ plan: TrackedPlan, in db: Database) throws -> PlanRegistration {
    // What was noted and could not be worked out yet has no values of columns that are new.
    if writerState.recorder.hasNotes {
      requireRefetch()
      writerState.recorder.beginVersions(isCertain: false)
      writerState.recorder.reset()
    }
    let dependencies = try writerState.recorder.watch(plan, in: db)
    try writerState.versions.readIfUnknown(in: db)
    let base = BaseRows(dependencies, itemColumns: plan.plan.itemColumns)
    return PlanRegistration(
      dependencies: dependencies, base: base, rowFilter: try RowFilter(plan.plan, base, in: db),
      planNumber: number(of: plan.plan))
  }

  private func number(of plan: FetchPlan) -> Int {
    if let known = writerState.planNumbers[plan] { return known }
    writerState.lastPlanNumber += 1
    writerState.planNumbers[plan] = writerState.lastPlanNumber
    return writerState.lastPlanNumber
  }

  /// Follows commits for a results object.
  func register(_ results: ResultsTracker, _ registration: PlanRegistration) {
    registration.results = results
    if let known = writerState.positions[ObjectIdentifier(results)] {
      writerState.registrations[known] = registration
      writerState.constants = nil
      return
    }
    writerState.positions[ObjectIdentifier(results)] = writerState.registrations.count
    writerState.registrations.append(registration)
    writerState.constants?.add(registration, at: writerState.registrations.count - 1)
    // Behind it: what the new results depend on is wanted, too.
    if writerState.registrations.count > writerState.registrationLimit { removeReleasedResults() }
  }

  /// Forgets results that are gone, and what only they depended on.
  ///
  /// Those that were cancelled may be loaded again, and then compare with what they showed.
  private func removeReleasedResults() {
    writerState.registrations.removeAll { $0.results == nil }
    writerState.constants = nil
    writerState.registrationLimit = max(16, 2 * writerState.registrations.count)
    writerState.positions = [:]
    for (position, registration) in writerState.registrations.enumerated() {
      if let results = registration.results {
        writerState.positions[ObjectIdentifier(results)] = position
      }
    }
    let plans = writerState.registrations.compactMap { $0.results?.trackedPlan }
    writerState.recorder.unwatch(except: plans)
    let wanted = Set(plans.map(\.plan))
    writerState.planNumbers = writerState.planNumbers.filter { wanted.contains($0.key) }
  }

  // MARK: Commits

  /// Works out what the transaction means for each results object.
  private func prepare(in db: Database) {
    writerState.isPrepared = true
    guard !writerState.registrations.isEmpty else { return }
    let isCertain = checkDatabaseVersion(in: db)
    let hasNews = !isCertain || writerState.hasOpenRefetch || writerState.recorder.hasNotes
    guard hasNews else { return }
    writerState.recorder.beginVersions(isCertain: isCertain)
    let shared = writerState.registrations.count > 1 ? SharedChanges() : nil
    let hasOpenRefetch = writerState.hasOpenRefetch
    let isPrunable =
      isCertain
      && (writerState.registrations.count >= CommitPruning.leastCount
        || writerState.registrations.contains { $0.rowFilter?.hasLongList == true })
    var pruning = CommitPruning()
    @inline(__always)
    func prepare(_ registration: PlanRegistration, isBehind: Bool) {
      let isTouched = registration.isTouched
      guard !isCertain || hasOpenRefetch || isTouched else { return }
      let scope = CommitScope(
        isTouched: isTouched, isCertain: isCertain,
        isRuledOut: isPrunable && isTouched && pruning.rulesOut(registration, in: db),
        shared: shared)
      guard let results = registration.results else { return }
      if isBehind { results.catchUp(with: registration) }
      guard let preparation = results.prepare(registration, scope, in: db) else { return }
      writerState.prepared.append(
        Prepared(results: consume results, preparation: preparation))
    }
    if isPrunable, !hasOpenRefetch, let candidates = candidates(&pruning, in: db) {
      for position in candidates {
        prepare(writerState.registrations[position], isBehind: true)
      }
    } else {
      for registration in writerState.registrations { prepare(registration, isBehind: false) }
    }
  }

  /// The registrations that the transaction may concern, where they can be looked up; transactions before
  /// may have left them behind.
  private func candidates(_ pruning: inout CommitPruning, in db: Database) -> [Int]? {
    guard writerState.registrations.count >= ConstantFilters.leastCount, !InternalChecks.isOn
    else { return nil }
    var constants =
      writerState.constants.take() ?? ConstantFilters(writerState.registrations)
    defer { writerState.constants = constants }
    return constants.candidates(&pruning, in: db)
  }

  /// Returns whether the recorder saw everything that happened since the last look: no other
  /// connection wrote, and no table was created, dropped or altered.
  private func checkDatabaseVersion(in db: Database) -> Bool {
    let known = writerState.versions.known
    switch writerState.versions.check(in: db) {
    case .unknown: return false
    case .same: return true
    case .other: break
    }
    writerState.hasNewVersion = true
    requireRefetch()
    if writerState.versions.known?.schema != known?.schema {
      db.clearSchemaCache()
      watchAnew(in: db)
    }
    return false
  }

  /// Watches tables of a new schema, where columns may stand elsewhere.
  private func watchAnew(in db: Database) {
    writerState.recorder.unwatchAll()
    writerState.constants = nil
    for position in writerState.registrations.indices {
      // A table that is gone has no watch; its results fail when they fetch again.
      guard let results = writerState.registrations[position].results,
        let registration = try? watch(results.trackedPlan, in: db)
      else { continue }
      registration.results = results
      writerState.registrations[position] = registration
    }
  }

  /// Takes note of commits of others before results are loaded that compare with older contents.
  func noticeForeignCommits(in db: Database) throws {
    guard try writerState.versions.isOutdated(in: db) else { return }
    _ = checkDatabaseVersion(in: db)
    writerState.hasNewVersion = false
    writerState.recorder.beginVersions(isCertain: false)
    writerState.recorder.reset()
  }

  /// Whether others have committed since the version of the database was read.
  func isOutdated(in db: Database) throws -> Bool { try writerState.versions.isOutdated(in: db) }

  /// Lets results remember their rows before something happens that the recorder does not see: a
  /// statement that changes the schema, or work on GRDB's own connection.
  func rememberContents(in db: Database) {
    for registration in writerState.registrations {
      registration.results?.rememberContents(of: registration.base, in: db)
    }
  }

  private func resolve(_ outcome: TransactionOutcome) {
    switch outcome {
    case .committed: publishPrepared()
    case .rolledBack: break
    case .unknown: requireRefetch()
    }
    // One by one from the end: whoever removes a range has to move what is behind it.
    while writerState.prepared.popLast() != nil {}
    writerState.isPrepared = false
    forgetNotes(after: outcome)
    // The next schema with this number may be another one.
    if outcome != .committed, writerState.hasNewVersion {
      writerState.versions.forget()
      writerState.preparedPlans.removeAll()
    }
    writerState.hasNewVersion = false
  }

  /// Queues for delivery what the transaction came to.
  @inline(__always)
  private func publishPrepared() {
    var needsRefetch = false
    for position in writerState.prepared.indices {
      let results = writerState.prepared[position].results
      let published = results.publish(&writerState.prepared[position].preparation)
      if published.isNews { unflushed.withLock { $0.append(results.hub) } }
      needsRefetch = needsRefetch || published.needsRefetch
    }
    if writerState.isPrepared { writerState.hasOpenRefetch = needsRefetch }
  }

  /// Forgets what was recorded, but for rows that may have been committed: those a statement wrote
  /// outside of every transaction that was noticed, such as an `INSERT OR FAIL` that failed midway.
  private func forgetNotes(after outcome: TransactionOutcome) {
    let recorder = writerState.recorder
    switch outcome {
    case .committed: recorder.reset()
    case .unknown:
      recorder.forgetVersions()
      recorder.beginVersions(isCertain: false)
      recorder.reset()
    case .rolledBack:
      recorder.forgetVersions()
      let isOwn = writerState.isInsideTransaction && !writerState.hasOlderNotes
      if isOwn {
        recorder.reset()
      } else if recorder.touchedCount > CommitRecorder.retainedRowLimit {
        requireRefetch()
        recorder.beginVersions(isCertain: false)
        recorder.reset()
      }
    }
  }

  /// Whether a registration is the one by which results follow commits: a new schema brings another.
  func isCurrent(_ registration: PlanRegistration, of results: ResultsTracker) -> Bool {
    writerState.positions[ObjectIdentifier(results)]
      .map { writerState.registrations[$0] === registration } ?? false
  }

  /// Makes the next look, or the next transaction, fetch some results again.
  func requireRefetch(of results: ResultsTracker) {
    writerState.hasOpenRefetch = true
    results.requireRefetch()
  }

  private func requireRefetch() {
    writerState.hasOpenRefetch = true
    for registration in writerState.registrations { registration.results?.requireRefetch() }
  }

  /// Fetches again whatever may be out of date: another connection wrote, or a commit ended in
  /// doubt.
  ///
  /// Results of a file that is no longer at its path fail instead.
  ///
  /// Called on the writer, outside of a transaction.
  ///
  /// - Returns: Whether there is something to deliver. Where there is not, the caller must leave
  ///   ``flush()`` alone: what a `write` left is delivered before that `write` returns.
  @discardableResult
  func refresh(in db: Database) throws -> Bool {
    if let error = StoreError.fileReplaced(below: db) {
      writerState.isPrepared = true
      writerState.prepared = writerState.registrations.compactMap(\.results).compactMap { results in
        results.prepareFailure(error).map { Prepared(results: results, preparation: $0) }
      }
      defer { resolve(.committed) }
      return !writerState.prepared.isEmpty
    }
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

  /// Fetches again whatever may be out of date, and reads in the same transaction.
  ///
  /// What is read is of the very version that the results have when the changes are delivered. See
  /// ``refresh(in:)`` for more information.
  func refresh(in db: Database, reading body: (Database) throws -> Void) throws -> Bool {
    do {
      try db.inTransaction(.deferred) {
        // The transaction's version is that of its first read.
        _ = try DatabaseVersion(db)
        prepare(in: db)
        try body(db)
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
    var hubs = unflushed.withLock { exchange(&$0, with: UnflushedHubs()) }
    hubs.flush()
  }
}

extension CommitCenter: CommitObserving {
  package func attach(to db: Database) throws {
    try writerState.recorder.attach(to: db)
    db.add(transactionObserver: OutsideCommits(center: self), extent: .databaseLifetime)
  }

  package func detach(from db: Database) {
    writerState.registrations = []
    writerState.recorder.detach(from: db)
  }

  package func schemaWillChange(in db: Database) {
    writerState.versions.schemaWillChange()
    rememberContents(in: db)
  }

  package func transactionDidBegin(_ db: Database) {
    writerState.isInsideTransaction = true
    writerState.versions.transactionDidBegin(
      isWriterShared: isWriterShared.load(ordering: .relaxed))
    writerState.hasOlderNotes = writerState.recorder.hasNotes
  }

  package func transactionWillCommit(_ db: Database) throws {
    writerState.isInsideWrite = true
    prepare(in: db)
  }

  package func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) {
    writerState.isInsideWrite = false
    resolve(outcome)
    writerState.versions.transactionDidEnd(outcome, in: db)
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
