import GRDB
import SectileCore
import Synchronization

/// The live results of one store: works out, inside each transaction, what it means for each of
/// them, and publishes that when it has committed.
final class FollowedResults: Sendable {
  // MARK: - Mutable state
  //
  // - `state`: confined to the writer's serial queue; every method that takes a `Database` runs
  //   there.
  // - `unflushed`: guarded by the mutex. Filled on the writer, emptied outside of it.
  // - `awaitsLook`: whether some results have to be fetched again, for whoever is not on the
  //   writer.
  nonisolated(unsafe) private let state: State
  private let unflushed = Mutex<[HubCore]>([])
  private let awaitsLook = Atomic(false)

  /// Whether the next look has something to do, though nobody may have written.
  ///
  /// To be called from any thread.
  var needsLook: Bool { awaitsLook.load(ordering: .relaxed) }

  init(_ recorder: CommitRecorder) { state = State(recorder) }

  // What every commit asks is not checked at run time for accesses inside one another: there are
  // none.
  private final class State {
    let recorder: CommitRecorder
    @exclusivity(unchecked) var registrations: [Registration] = []
    /// How many there may be before those of released results are looked for.
    var registrationLimit = 16
    /// Where the registrations of results are.
    var positions: [ObjectIdentifier: Int] = [:]
    /// The numbers of the plans that are followed: equal plans have one.
    var planNumbers: [FetchPlan: Int] = [:]
    var lastPlanNumber = 0
    /// Which of them want rows with a constant; nil where that is to be found out anew.
    var constants: ConstantFilters?
    var plans = PlanCache()
    /// Whether the plans were made ready for a schema that is there only if the transaction
    /// commits.
    var hasDoubtfulPlans = false
    /// Whether some results have to be fetched again, whatever a transaction touches.
    var hasOpenRefetch = false
    /// Whether a transaction was read that has not ended yet.
    var hasRead = false
    /// What it comes to.
    @exclusivity(unchecked) var pending: [PendingCommit] = []

    init(_ recorder: CommitRecorder) { self.recorder = recorder }
  }

  // MARK: Plans

  /// Returns a plan made ready to run.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - items: What is made of its rows.
  ///   - db: The writing connection, outside of a transaction that wrote.
  /// - Returns: The plan, ready.
  /// - Throws: `schemaMismatch` where the items do not fit their table; what SQLite says of the
  ///   plan.
  func prepared(
    _ plan: FetchPlan, of items: any ItemDelivering, in db: Database
  ) throws -> PlanCache.Entry {
    let entry: PlanCache.Entry
    do {
      entry = try state.plans.entry(for: plan, in: db)
    } catch {
      if let refused = error as? StoreError, refused.code != .statementFailed { throw error }
      // A missing table or column fails here: say which, before SQLite's own words.
      try items.checkSchema(in: db)
      throw error
    }
    try state.plans.checkKey(of: items, in: db)
    return entry
  }

  /// Watches the tables of a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan with every table its SQL reads.
  ///   - db: The writing connection, outside of a transaction that wrote.
  /// - Returns: The plan, to be registered.
  /// - Throws: What reading the schema throws.
  func follow(_ plan: FetchPlan, in db: Database) throws -> FollowedPlan {
    // What was noted and could not be worked out yet has no values of columns that are new.
    if state.recorder.hasNotes {
      requireRefetch()
      state.recorder.forget()
    }
    return try FollowedPlan(plan, number: number(of: plan), watching: state.recorder, in: db)
  }

  private func number(of plan: FetchPlan) -> Int {
    if let known = state.planNumbers[plan] { return known }
    state.lastPlanNumber += 1
    state.planNumbers[plan] = state.lastPlanNumber
    return state.lastPlanNumber
  }

  // MARK: Registrations

  /// Follows commits for a results object.
  func register(_ results: ResultsTracker, following plan: FollowedPlan) {
    let registration = Registration(results, following: plan)
    if let known = state.positions[ObjectIdentifier(results)] {
      state.registrations[known] = registration
      state.constants = nil
      return
    }
    state.positions[ObjectIdentifier(results)] = state.registrations.count
    state.registrations.append(registration)
    state.constants?.add(plan, at: state.registrations.count - 1)
    // Behind it: what the new results depend on is wanted, too.
    if state.registrations.count > state.registrationLimit { removeReleasedResults() }
  }

  /// Where results deliver what was read, but for loads that read still: they may take long.
  var deliveringHubs: [HubCore] {
    state.registrations.compactMap { registration in
      registration.results.flatMap { $0.isReading ? nil : $0.hub }
    }
  }

  /// Whether a plan is the one by which results follow commits: a new schema brings another.
  func isCurrent(_ plan: FollowedPlan, of results: ResultsTracker) -> Bool {
    state.positions[ObjectIdentifier(results)].map { state.registrations[$0].plan === plan }
      ?? false
  }

  /// Forgets results that are gone, and what only they depended on.
  ///
  /// Those that were cancelled may be loaded again, and then compare with what they showed.
  private func removeReleasedResults() {
    state.registrations.removeAll { $0.results == nil }
    state.constants = nil
    state.registrationLimit = max(16, 2 * state.registrations.count)
    state.positions = [:]
    for (position, registration) in state.registrations.enumerated() {
      if let results = registration.results {
        state.positions[ObjectIdentifier(results)] = position
      }
    }
    state.recorder.forgetUnheld()
    let wanted = Set(state.registrations.map(\.plan.number))
    state.planNumbers = state.planNumbers.filter { wanted.contains($0.value) }
  }

  /// Watches tables of a new schema, where columns may stand elsewhere.
  private func watchAnew(in db: Database) {
    state.constants = nil
    for position in state.registrations.indices {
      // A table that is gone has no watch; its results fail when they fetch again.
      guard let results = state.registrations[position].results,
        let plan = try? follow(results.plan, in: db)
      else { continue }
      state.registrations[position] = Registration(results, following: plan)
    }
  }

  // MARK: Digests

  /// Lets results remember their rows before something happens that the recorder does not see.
  func rememberContents(in db: Database) {
    for registration in state.registrations {
      registration.results?.rememberContents(of: registration.plan.base, in: db)
    }
  }

  // MARK: Refetching

  /// Makes the next look, or the next transaction, fetch some results again.
  func requireRefetch(of results: ResultsTracker) {
    openRefetch()
    results.requireRefetch()
  }

  private func openRefetch() {
    state.hasOpenRefetch = true
    awaitsLook.store(true, ordering: .relaxed)
  }

  private func requireRefetch() {
    openRefetch()
    for registration in state.registrations { registration.results?.requireRefetch() }
  }
}

// MARK: - CommitReader

extension FollowedResults: CommitReader {
  var isFollowing: Bool { !state.registrations.isEmpty }

  func detach(from db: Database) { state.registrations = [] }

  func schemaWillChange(in db: Database) { rememberContents(in: db) }

  func missCommits(hasNewSchema: Bool, in db: Database) {
    requireRefetch()
    if hasNewSchema { watchAnew(in: db) }
    state.hasDoubtfulPlans = true
  }

  func fail(_ error: StoreError) {
    state.hasRead = true
    state.pending = state.registrations.compactMap { $0.results?.pendingFailure(error) }
  }

  func read(_ record: TransactionRecord, in db: Database) {
    state.hasRead = true
    guard !record.isCertain || state.hasOpenRefetch || state.recorder.hasNotes else { return }
    let commit = ReadCommit(
      isCertain: record.isCertain, hasForeignRows: record.hasForeignRows,
      hasLog: state.recorder.hasLog,
      shared: state.registrations.count > 1 ? SharedChanges() : nil)
    let isPrunable =
      record.isCertain
      && (state.registrations.count >= CommitPruning.leastCount
        || state.registrations.contains { $0.plan.rowFilter?.hasLongList == true })
    var pruning = CommitPruning()
    let hasOpenRefetch = state.hasOpenRefetch
    @inline(__always)
    func read(_ registration: Registration, isBehind: Bool) {
      let isTouched =
        registration.plan.isTouched || (record.hasForeignRows && registration.plan.isUncertain)
      guard !record.isCertain || hasOpenRefetch || isTouched else { return }
      var isRuledOut = isPrunable && isTouched && pruning.rulesOut(registration.plan, in: db)
      guard let results = registration.results else { return }
      if isRuledOut, record.hasForeignRows {
        isRuledOut = results.haveNone(of: pruning.lostKeys(of: registration.plan))
      }
      if isBehind { results.catchUp(with: registration.plan) }
      guard
        let pending = commit.pending(
          for: results, registration.plan, isTouched: isTouched, isRuledOut: isRuledOut, in: db)
      else { return }
      state.pending.append(pending)
    }
    if isPrunable, !hasOpenRefetch, let candidates = candidates(&pruning, in: db) {
      for position in candidates { read(state.registrations[position], isBehind: true) }
    } else {
      for registration in state.registrations { read(registration, isBehind: false) }
    }
  }

  /// The registrations that the transaction may concern, where they can be looked up; transactions
  /// before may have left them behind.
  private func candidates(_ pruning: inout CommitPruning, in db: Database) -> [Int]? {
    guard state.registrations.count >= ConstantFilters.leastCount, !InternalChecks.isOn
    else { return nil }
    var constants =
      state.constants.take() ?? ConstantFilters(state.registrations.lazy.map(\.plan))
    defer { state.constants = constants }
    return constants.candidates(&pruning, in: db) { position, keys in
      state.registrations[position].results.map { !$0.haveNone(of: keys) } ?? false
    }
  }

  var changedCount: Int {
    state.pending.count(where: { if case .change? = $0.outcome { true } else { false } })
  }

  func transactionDidEnd(_ outcome: TransactionOutcome) -> Bool {
    var hasNews = false
    switch outcome {
    case .committed: hasNews = publish()
    case .rolledBack: break
    case .unknown: requireRefetch()
    }
    // One by one from the end: whoever removes a range has to move what is behind it.
    while state.pending.popLast() != nil {}
    state.hasRead = false
    // The next schema with this number may be another one.
    if outcome != .committed, state.hasDoubtfulPlans { state.plans.removeAll() }
    state.hasDoubtfulPlans = false
    return hasNews
  }

  /// Queues for delivery what the transaction came to.
  @inline(__always)
  private func publish() -> Bool {
    var (hasNews, needsRefetch) = (false, false)
    let place = state.recorder.publishedLogPlace.map(SharedPlace.init)
    for position in state.pending.indices {
      let results = state.pending[position].results
      let published = results.publish(&state.pending[position], after: place)
      if published.isNews {
        unflushed.withLock { $0.append(results.hub) }
        hasNews = true
      }
      needsRefetch = needsRefetch || published.needsRefetch
    }
    if state.hasRead {
      if state.hasOpenRefetch, !needsRefetch { awaitsLook.store(false, ordering: .relaxed) }
      state.hasOpenRefetch = needsRefetch
    }
    return hasNews
  }

  func deliver() {
    DrainScope.flush(unflushed.withLock { exchange(&$0, with: []) })
  }
}
