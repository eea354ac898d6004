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
  // - `undelivered`: guarded by the mutex. Filled on the writer, emptied outside of it.
  // - `awaitsLook`: whether some results have to be fetched again, for whoever is not on the
  //   writer.
  nonisolated(unsafe) let state: State
  let undelivered = Mutex(Undelivered())
  let awaitsLook = Atomic(false)
  let monitor: StoreMonitor

  /// Whether the next look has something to do, though nobody may have written.
  ///
  /// To be called from any thread.
  var needsLook: Bool { awaitsLook.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - recorder: Notes what transactions touch.
  ///   - monitor: Counts what is read again as a whole.
  init(_ recorder: CommitRecorder, _ monitor: StoreMonitor) {
    state = State(recorder)
    self.monitor = monitor
  }

  /// What was published and not handed to a drain yet.
  struct Undelivered: Sendable {
    var hubs: [HubCore] = []
    /// Of commits that changed several results: compositions wait until all of these are published.
    var holds: [WaveShare] = []
  }

  // What every commit asks is not checked at run time for accesses inside one another: there are
  // none.
  final class State {
    let recorder: CommitRecorder
    @exclusivity(unchecked) var registrations: [Registration] = []
    /// How many there may be before those of released results are looked for.
    var registrationLimit = 16
    /// Where the registrations of results are.
    var positions: [ObjectIdentifier: Int] = [:]
    /// The numbers of the plans that are followed: equal plans have one.
    var planNumbers: [FetchPlan: Int] = [:]
    /// Those of members of a family, which are told apart by less than a plan.
    var memberNumbers: [FamilyMember: Int] = [:]
    var lastPlanNumber = 0
    /// One of them that follows a query.
    weak var query: ResultsTracker?
    /// Whether more of them may.
    var mayFollowQueries = false
    /// Which of them want rows with a constant; nil where that is to be found out anew.
    var constants: ConstantFilters?
    var plans = PlanCache()
    /// Whether the plans were made ready for a schema that is there only if the transaction
    /// commits.
    var hasDoubtfulPlans = false
    /// Whether some results have to be fetched again, whatever a transaction touches.
    var hasOpenRefetch = false
    /// Whether everything is being read although nobody has told of a change.
    var isAuditing = false
    /// How often something was read that others have committed.
    var foreignCount = 0
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
    if state.recorder.hasRecordedRows {
      requireRefetch()
      state.recorder.forget()
    }
    return try FollowedPlan(plan, number: number(of: plan), watching: state.recorder, in: db)
  }

  /// A plan that differs from others of its family in one value.
  struct FamilyMember: Hashable {
    /// The number of the plan that all of them share.
    let family: Int
    let value: StoredValue
  }

  private func number(of plan: FetchPlan) -> Int {
    if let family = plan.ofFamily, let value = plan.familyValue {
      let member = FamilyMember(family: number(of: family), value: value)
      if let known = state.memberNumbers[member] { return known }
      state.lastPlanNumber += 1
      state.memberNumbers[member] = state.lastPlanNumber
      return state.lastPlanNumber
    }
    if let known = state.planNumbers[plan] { return known }
    state.lastPlanNumber += 1
    state.planNumbers[plan] = state.lastPlanNumber
    return state.lastPlanNumber
  }

  // MARK: Registrations

  /// Follows commits for a results object.
  func register(_ results: ResultsTracker, following plan: FollowedPlan) {
    if plan.query != nil { (state.query, state.mayFollowQueries) = (results, true) }
    let registration = Registration(results, following: plan)
    if let known = state.positions[ObjectIdentifier(results)] {
      state.registrations[known] = registration
      state.constants = nil
      return
    }
    state.positions[ObjectIdentifier(results)] = state.registrations.count
    state.registrations.append(registration)
    state.recorder.isFollowed = true
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

  /// Whether there are results of queries that are followed row by row.
  ///
  /// - Complexity: O(1) a commit: they are searched once for each that is gone.
  var followsQueries: Bool {
    if state.query == nil, state.mayFollowQueries {
      state.query = state.registrations.first { $0.plan.query != nil && $0.results != nil }?.results
      state.mayFollowQueries = state.query != nil
    }
    return state.query != nil
  }

  /// Forgets results that are gone, and what only they depended on.
  ///
  /// Those that were cancelled may be loaded again, and then compare with what they showed.
  private func removeReleasedResults() {
    state.registrations.removeAll { $0.results == nil }
    state.recorder.isFollowed = !state.registrations.isEmpty
    state.constants = nil
    state.registrationLimit = max(16, 2 * state.registrations.count)
    state.positions = [:]
    for (position, registration) in state.registrations.enumerated() {
      if let results = registration.results {
        state.positions[ObjectIdentifier(results)] = position
      }
    }
    state.recorder.forgetUnheld()
    var wanted = Set(state.registrations.map(\.plan.number))
    state.memberNumbers = state.memberNumbers.filter { wanted.contains($0.value) }
    wanted.formUnion(state.memberNumbers.keys.map(\.family))
    state.planNumbers = state.planNumbers.filter { wanted.contains($0.value) }
  }

  /// Watches tables of a new schema, where columns may stand elsewhere.
  func watchAnew(in db: Database) {
    (state.constants, state.mayFollowQueries) = (nil, true)
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

  func requireRefetch() {
    openRefetch()
    for registration in state.registrations { registration.results?.requireRefetch() }
  }
}
