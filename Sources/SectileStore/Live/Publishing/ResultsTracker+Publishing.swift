import GRDB
import SectileCore
import Synchronization

// What happens to results in a transaction, on the writer: they say where they stand, somebody
// works out their change from there, and they publish it when the transaction has committed.
extension ResultsTracker {
  var hub: HubCore { items.hub }

  /// Whether the results follow commits: from their load until they are cancelled.
  var isTracking: Bool { state.withLock { $0.isTracking || $0.unread != nil } }

  /// Makes the next transaction fetch the results again, whatever it touches.
  func requireRefetch() {
    state.withLock { $0.needsRefetch = true }
  }

  /// Counts commits of others that the change log has told of.
  func countLogged() { state.withLock { $0.statistics.loggedCount += 1 } }

  // MARK: Inside a transaction

  /// Where a transaction finds the results.
  enum Position: ~Copyable {
    /// They do not follow it.
    case elsewhere
    /// Without a look it is known what it comes to.
    case settled(PendingCommit)
    /// Their change is to be worked out from these contents.
    case at(Baseline, PlanContents)
  }

  /// Takes note of a transaction, inside of it.
  ///
  /// - Parameters:
  ///   - plan: The plan that is followed.
  ///   - isTouched: Whether the transaction touched a row that the plan depends on.
  ///   - isCertain: Whether everything that happened since the last commit is known from the
  ///     recorder.
  ///   - isRuledOut: Whether the rows that it touched are none that the plan wants.
  /// - Returns: Where it finds the results.
  @inline(__always)
  func position(
    following plan: FollowedPlan, isTouched: Bool, isCertain: Bool, isRuledOut: Bool
  ) -> Position {
    state.withLock { state in
      guard isTouched || state.needsRefetch, state.isTracking || state.unread != nil else {
        return .elsewhere
      }
      guard state.unread == nil else {
        if !isCertain || !plan.isBaseAloneTouched { state.unread?.concernOtherTables = true }
        return .settled(PendingCommit(results: self, epoch: state.epoch, outcome: .unread))
      }
      state.statistics.commitCount += 1
      if isRuledOut, !state.needsRefetch, !InternalChecks.isOn, let node = plan.base.node {
        return .settled(
          PendingCommit(results: self, epoch: state.epoch, outcome: .unchanged(node)))
      }
      return .at(Baseline(&state), state.latestContents())
    }
  }

  /// Whether none of some rows is in the contents, or on its way out of them.
  func haveNone(of keys: [RowKey]) -> Bool {
    state.withLock { state in
      guard state.isTracking else { return false }
      let contents = state.latestContents()
      return keys.allSatisfy { contents.keys.handle(of: $0) == nil }
    }
  }

  /// Takes note that no transaction before the one under way concerned the results, of those that
  /// left them behind.
  func catchUp(with plan: FollowedPlan) {
    guard let former = plan.base.notes?.formerNode else { return }
    state.withLock { state in
      guard state.isTracking, !state.needsRefetch, state.failure == nil else { return }
      state.advance(to: former)
    }
  }

  /// Works out a change, and takes note of what that took.
  ///
  /// - Throws: What reading throws.
  @inline(__always)
  func derived(_ derivation: consuming CommitDerivation) throws -> PlanChange? {
    let change = try derivation.change()
    let effort = derivation.effort
    state.withLock { $0.statistics.add(effort) }
    if derivation.isRowByRow { try check(change, by: derivation.maintainer) }
    return change
  }

  /// Fetches again although the recorder may have missed something, maybe the schema itself.
  ///
  /// - Throws: What reading throws.
  func refetched(
    _ contents: consuming PlanContents, _ past: RowsBefore, in db: Database
  ) throws -> PlanChange? {
    let queries = try PlanQueries(plan, in: db)
    state.withLock { state in
      state.queries = queries
      state.statistics.resyncCount += 1
    }
    return try ContentsMaintainer(
      reader: PlanReader(queries: queries, db: db), items: items.makeSink(), base: contents,
      past: past
    ).rebuild(.commit).change
  }

  /// Returns a failure instead of a change; nil where there is nobody to hear of it.
  func pendingFailure(_ error: any Error) -> PendingCommit? {
    state.withLock { state in
      // One that was delivered already is not news.
      guard state.isTracking, state.failure?.text != String(describing: error) else { return nil }
      return PendingCommit(results: self, epoch: state.epoch, outcome: .failure(error))
    }
  }

  // MARK: After the commit

  /// Queues for delivery what a transaction came to that has committed.
  ///
  /// - Parameters:
  ///   - pending: What it came to.
  ///   - place: Up to where the change log was published before it.
  /// - Returns: Whether there is something to deliver, and whether the next transaction fetches the
  ///   results again.
  func publish(
    _ pending: inout PendingCommit, after place: SharedPlace?
  ) -> (isNews: Bool, needsRefetch: Bool) {
    switch state.withLock({ publish(&pending, after: place, &$0) }) {
    case .nothing(let released, let needsRefetch):
      withExtendedLifetime(released) {}
      return (false, needsRefetch)
    case .change:
      hub.submitNext()
      return (true, false)
    case .failure(let error): return (fail(error), true)
    }
  }

  /// What there is to deliver of a transaction.
  private enum News {
    /// Nothing, but something to release outside of the lock.
    case nothing([PlanChange] = [], needsRefetch: Bool)
    case change
    case failure(any Error)
  }

  @inline(__always)
  private func publish(
    _ pending: inout PendingCommit, after place: SharedPlace?, _ state: inout State
  ) -> News {
    guard pending.epoch == state.epoch else {
      return .nothing(needsRefetch: state.needsRefetch)
    }
    switch pending.outcome.take() {
    case .change(var change):
      // Contents that are fetched again lacked more than that.
      if let place, !state.needsRefetch { change.place = place }
      state.needsRefetch = false
      let isQuiet = change.isQuiet
      let released = enqueue(change, &state)
      return isQuiet ? .nothing(released, needsRefetch: false) : .change
    case .unchanged(let node):
      state.needsRefetch = false
      state.failure = nil
      state.advance(to: node)
      return .nothing(needsRefetch: false)
    case .unread, nil: return .nothing(needsRefetch: state.needsRefetch)
    case .failure(let error): return .failure(error)
    }
  }

  /// Delivers a failure, unless the same one was delivered last; then it returns false.
  private func fail(_ error: any Error) -> Bool {
    let failure = StandingFailure(error)
    let former = state.withLock { state in
      state.needsRefetch = true
      return exchange(&state.failure, with: failure)
    }
    let isNew = former?.text != failure.text
    if isNew { items.submitFailure(error) }
    return isNew
  }
}

extension VersionNode {
  /// The version after a commit of which nobody knows what it touched.
  ///
  /// Rows of older versions are then found in the database, or found to be others than they were.
  func unknownSuccessor() -> VersionNode {
    let successor = VersionNode()
    connect(to: successor, before: .unknown)
    return successor
  }
}
