import GRDB
import SectileCore
import Synchronization

// What happens to results in a transaction, on the writer: they say where they stand, somebody
// works out their change from there, and they publish it when the transaction has committed.
extension ResultsTracker {
  var hub: HubCore { items.hub }

  /// Whether the results follow commits: from their load until they are cancelled.
  var isTracking: Bool { state.withLock { $0.phase != .idle } }

  /// Makes the next transaction fetch the results again, whatever it touches.
  func requireRefetch() { state.withLock { $0.requireRefetch() } }

  // MARK: Inside a transaction

  /// Says where a transaction finds the results, inside of it.
  ///
  /// - Parameters:
  ///   - plan: The plan that is followed.
  ///   - isTouched: Whether the transaction touched a row that the plan depends on.
  ///   - isRuledOut: Whether the rows that it touched are none that the plan wants.
  ///   - reading: What is known of these rows.
  /// - Returns: Where it finds them.
  @inline(__always)
  func stand(
    following plan: FollowedPlan, isTouched: Bool, isRuledOut: Bool,
    _ reading: ResultsStateMachine.Reading
  ) -> ResultsStateMachine.Standing {
    state.withLock {
      $0.stand(
        isTouched: isTouched, reading, concernsOtherTables: !plan.isBaseAloneTouched,
        nodeOfSameContents: isRuledOut && !InternalChecks.isOn ? plan.base.node : nil)
    }
  }

  /// Whether none of some rows is in the contents, or on its way out of them.
  func haveNone(of keys: [RowKey]) -> Bool {
    state.withLock { machine in
      guard machine.isFollowing else { return false }
      let contents = machine.versions.latest()
      return keys.allSatisfy { contents.keys.handle(of: $0) == nil }
    }
  }

  /// Takes note that no transaction before the one under way concerned the results, of those that
  /// left them behind.
  func catchUp(with plan: FollowedPlan) {
    guard let former = plan.base.recordedRows?.formerNode else { return }
    catchUp(to: former)
  }

  /// Takes note that no transaction before the one under way concerned the results.
  ///
  /// - Parameter former: The version of the base table before that transaction.
  func catchUp(to former: VersionNode) { state.withLock { $0.catchUp(to: former) } }

  /// Takes note that everything is read again, by these statements.
  func willRefetch(by queries: PlanQueries) { state.withLock { $0.willRefetch(by: queries) } }

  /// Takes note of what it took to work out a change.
  ///
  /// - Throws: What the check of a change throws, where changes are checked.
  @inline(__always)
  func note(_ derivation: borrowing CommitDerivation, of change: PlanChange?) throws {
    let effort = derivation.effort
    state.withLock { $0.note(effort) }
    if InternalChecks.isOn, derivation.isRowByRow {
      try check(change, in: derivation.context)
    }
  }

  /// Puts what a transaction comes to into the terms of the results.
  ///
  /// - Throws: Where a key does not fit the type of the identity.
  @inline(__always)
  func outcome(
    of change: PlanChange?, from baseline: borrowing Baseline, _ node: VersionNode
  ) throws -> CommitOutcome {
    guard let change else { return .unchanged(node) }
    return .change(try pending(change, from: baseline, node: node))
  }

  /// Returns a failure instead of a change; nil where there is nobody to hear of it.
  func pendingFailure(_ error: any Error) -> PendingCommit? {
    let failure = StandingFailure(error)
    return state.withLock { $0.epoch(of: failure) }.map {
      PendingCommit(results: self, epoch: $0, outcome: .failure(failure))
    }
  }

  // MARK: After the commit

  /// Queues for delivery what a transaction came to that has committed.
  ///
  /// - Parameters:
  ///   - pending: What it came to.
  ///   - place: Up to where the change log was published before it.
  ///   - wave: What the transaction sets going where compositions may show several results; nil
  ///     where they do not.
  /// - Returns: Whether there is something to deliver, and whether the next transaction fetches the
  ///   results again.
  func publish(
    _ pending: inout PendingCommit, after place: SharedPlace?, in wave: Wave?
  ) -> (isNews: Bool, needsRefetch: Bool) {
    let epoch = pending.epoch
    let (action, needsRefetch, past) = state.withLock { machine in
      let standing = machine.failure
      let action = machine.publish(&pending.outcome, of: epoch, after: place)
      keepItems(action, &machine)
      return (action, machine.needsRefetch, machine.failure == nil ? standing : nil)
    }
    switch action {
    case .none, .carriedOut, .release:
      // Who heard of a failure hears that it is over, also where nothing came of it.
      if past != nil { items.submitRecovery() }
      // Outside of the lock: what the release of an item, or of an error, runs is not ours.
      withExtendedLifetime((action, past)) {}
      return (past != nil, needsRefetch)
    case .submitNext:
      hub.submitNext(in: hub.joinsWaves ? wave : nil)
      return (true, needsRefetch)
    case .submitFailure(let failure, _):
      items.submitFailure(failure.error)
      return (true, needsRefetch)
    }
  }
}

extension BaseRows {
  /// The newest version of the rows, after one that somebody has read.
  func node(after former: VersionNode) -> VersionNode { node ?? former.unknownSuccessor() }
}

extension VersionNode {
  /// The version after a commit of which nobody knows what it touched.
  ///
  /// Rows of older versions are then found in the database, or found to be others than they were.
  fileprivate func unknownSuccessor() -> VersionNode {
    let successor = VersionNode()
    connect(to: successor, before: .unknown)
    return successor
  }
}
