import GRDB
import SectileCore
import Synchronization

// Where live results stand, what a commit comes to for them, and what they publish of it.
extension FollowedResults: CommitReader {
  /// Whether there are results that follow commits.
  var isFollowing: Bool { !state.registrations.isEmpty }

  /// How often something was read that others have committed.
  var foreignCount: Int { state.foreignCount }

  func detach(from db: Database) {
    state.registrations = []
    state.recorder.isFollowed = false
  }

  /// Closes the record of the transaction, and works out what it comes to.
  func transactionWillCommit(by origin: CommitOrigin?, in db: Database) {
    guard !state.registrations.isEmpty else { return }
    let record = state.recorder.close(in: db)
    if record.hasForeignRows || !record.isCertain { state.foreignCount &+= 1 }
    if !record.isCertain { missCommits(record, in: db) }
    read(record, in: db)
    if state.isAuditing { countFinds(record) }
  }

  func transactionDidEnd(_ outcome: TransactionOutcome, in db: Database) -> Bool {
    let hasNews = outcome == .committed && publish()
    // One by one from the end: whoever removes a range has to move what is behind it.
    while state.pending.popLast() != nil {}
    state.hasRead = false
    // The next schema with this number may be another one.
    if outcome != .committed, state.hasDoubtfulPlans { state.plans.removeAll() }
    state.hasDoubtfulPlans = false
    if outcome != .committed, state.recorder.losesTrack(where: outcome) {
      willResync(.unknownOutcome)
      missCommits(hasNewSchema: false, in: db)
    }
    return hasNews
  }

  func deliver() {
    let undelivered = undelivered.withLock { exchange(&$0, with: Undelivered()) }
    DrainScope.flush(undelivered.hubs, ending: undelivered.holds)
  }

  // MARK: What is missed

  /// Called where nobody knows what was touched since the record before.
  ///
  /// - Parameters:
  ///   - record: The record, which is not certain.
  ///   - db: The writing connection.
  func missCommits(_ record: TransactionRecord, in db: Database) {
    if let error = record.failure {
      monitor.lookFailed(.wrapping(error, file: nil))
    } else {
      willResync(record.hasNewSchema ? .newSchema : .foreignCommit)
    }
    missCommits(hasNewSchema: record.hasNewSchema, in: db)
  }

  private func missCommits(hasNewSchema: Bool, in db: Database) {
    requireRefetch()
    if hasNewSchema { watchAnew(in: db) }
    state.hasDoubtfulPlans = true
  }

  /// Takes note that everything is read again, and tells whoever listens.
  private func willResync(_ reason: StoreEvent.RefetchReason) {
    guard isFollowing else { return }
    monitor.resyncCount.add(1, ordering: .relaxed)
    monitor.tell(.resynced(reason: reason))
  }

  /// Takes note that some results were found to be wrong, though nobody has told of a change.
  func countUnseenChange() {
    monitor.auditMismatchCount.add(1, ordering: .relaxed)
    willResync(.unseenChange)
  }

  /// Takes note that commits cannot be read any more: the file is no longer at its path.
  func fail(_ error: StoreError) {
    state.hasRead = true
    state.pending = state.registrations.compactMap { $0.results?.pendingFailure(error) }
  }

  /// Has everything read although nobody has told of a change, to find what was written past the
  /// change log.
  ///
  /// - Parameters:
  ///   - db: The writing connection.
  ///   - look: Has it read.
  /// - Throws: What the closure throws.
  func audit(in db: Database, by look: () throws -> Void) rethrows {
    willResync(.audit)
    missCommits(hasNewSchema: false, in: db)
    state.isAuditing = true
    defer { state.isAuditing = false }
    try look()
  }

  private func countFinds(_ record: TransactionRecord) {
    monitor.auditCount.add(1, ordering: .relaxed)
    // Somebody who has committed just then may have changed anything.
    guard record.isCertain, !record.hasForeignRows else { return }
    let changed = state.pending.count { if case .change? = $0.outcome { true } else { false } }
    monitor.auditMismatchCount.add(changed, ordering: .relaxed)
  }

  // MARK: Reading

  private func read(_ record: TransactionRecord, in db: Database) {
    state.hasRead = true
    guard !record.isCertain || state.hasOpenRefetch || state.recorder.hasRecordedRows else {
      return
    }
    let commit = ReadCommit(
      record: record, hasLog: state.recorder.log.isThere,
      shared: state.registrations.count > 1 ? SharedChanges() : nil)
    let isPrunable =
      record.isCertain
      && (state.registrations.count >= CommitPruning.leastCount
        || state.registrations.contains { $0.plan.rowFilter?.hasLongList == true })
    var pruning = CommitPruning()
    let hasOpenRefetch = state.hasOpenRefetch
    @inline(__always)
    func settle(_ registration: Registration, isBehind: Bool) {
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
      for position in candidates { settle(state.registrations[position], isBehind: true) }
    } else {
      // Or else each would go through all that was committed since it was asked last.
      let mayBeBehind = state.registrations.count >= ConstantFilters.leastCount
      for registration in state.registrations { settle(registration, isBehind: mayBeBehind) }
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
    } catchUp: { position, former in
      state.registrations[position].results?.catchUp(to: former)
    }
  }

  // MARK: Publishing

  /// What the transaction sets going in compositions that may show several of the results; nil
  /// where there are none.
  ///
  /// A row that goes from one of the results to the other would be in neither in between.
  private var waveOfCommit: Wave? {
    guard state.pending.count > 1 else { return nil }
    var count = 0
    for pending in state.pending where pending.results.hub.joinsWaves {
      count += 1
      if count > 1 { return Wave() }
    }
    return nil
  }

  /// Queues for delivery what the transaction came to.
  @inline(__always)
  private func publish() -> Bool {
    var (hasNews, needsRefetch) = (false, false)
    let place = state.recorder.log.publishedPlace.map(SharedPlace.init)
    let wave = waveOfCommit
    let hold = wave?.hold()
    for position in state.pending.indices {
      let results = state.pending[position].results
      let published = results.publish(&state.pending[position], after: place, in: wave)
      if published.isNews {
        undelivered.withLock { $0.hubs.append(results.hub) }
        hasNews = true
      }
      needsRefetch = needsRefetch || published.needsRefetch
    }
    // Without news nobody is in the wave, and nobody may come to end the hold.
    if hasNews, let hold { undelivered.withLock { $0.holds.append(hold) } }
    if state.hasRead {
      if state.hasOpenRefetch, !needsRefetch { awaitsLook.store(false, ordering: .relaxed) }
      state.hasOpenRefetch = needsRefetch
    }
    return hasNews
  }
}
