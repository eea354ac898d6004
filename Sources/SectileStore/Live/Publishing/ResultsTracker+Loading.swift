import SectileCore
import Synchronization

// What a load does to results: it reads, and they follow commits from there on.
extension ResultsTracker {
  var epoch: Int { state.withLock { $0.epoch } }

  /// Whether a load reads, and has nothing to deliver so far.
  var isReading: Bool { state.withLock { $0.isReading && $0.versions.pending.isEmpty } }

  /// Whether nothing was loaded yet.
  var isUnloaded: Bool { state.withLock { $0.isUnloaded } }

  /// How many changes wait for their delivery.
  var pendingCount: Int { state.withLock { $0.versions.pending.count } }

  /// Returns where the results stand.
  ///
  /// - Parameter contents: Becomes their latest contents.
  /// - Returns: Where they stand.
  func baseline(_ contents: inout PlanContents) -> Baseline {
    state.withLock { machine in
      contents = machine.versions.latest()
      return machine.baseline()
    }
  }

  /// Takes all rows that a first load has read already.
  func takeAllContents() -> PlanContents? { state.withLock { $0.takeAllContents() } }

  /// Leaves commits to a load from now on; false where the results were cancelled.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the load.
  ///   - place: Up to where the change log was published.
  /// - Returns: Whether the load reads.
  func leaveCommitsToLoad(in epoch: Int, after place: LogPlace?) -> Bool {
    state.withLock { $0.leaveCommitsToLoad(in: epoch, after: place) }
  }

  /// Takes commits back from a load that has failed.
  ///
  /// - Returns: Whether there are results that follow commits: what was committed meanwhile was not
  ///   worked out.
  func takeCommitsBack(in epoch: Int) -> Bool {
    state.withLock { $0.takeCommitsBack(in: epoch) }
  }

  /// Whether a commit that was left to the load touched other tables than the base table, or nobody
  /// knows what.
  var unreadCommitsConcernOtherTables: Bool {
    state.withLock { $0.phase.unread?.concernOtherTables } ?? false
  }

  /// Follows commits from now on, or leaves them to the load once more where it has not read all.
  ///
  /// - Returns: False where the results were cancelled meanwhile.
  func follow(
    _ plan: FetchPlan, _ queries: PlanQueries, _ rebuilt: LoadDerivation.Outcome, in epoch: Int
  ) -> Bool {
    state.withLock { $0.follow(plan, by: queries, rebuilt, in: epoch) }
  }

  /// Queues a change that was worked out for a load, or takes note that there is none.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - baseline: What it was worked out from.
  ///   - node: The version of the base table after it.
  ///   - view: The rows after it, where the load holds them.
  ///   - epoch: The epoch of the load.
  /// - Throws: Where a key does not fit the type of the identity.
  func enqueue(
    _ change: PlanChange?, from baseline: borrowing Baseline, node: VersionNode,
    seenBy view: HeldView? = nil, in epoch: Int
  ) throws {
    if let change {
      enqueue(try pending(change, from: baseline, node: node, view: view), in: epoch)
    } else {
      state.withLock { $0.versions.advance(to: node) }
    }
  }

  /// Takes note that a load holds the rows of the contents with all pending changes.
  func hold(_ view: HeldView?) { state.withLock { $0.versions.hold(view) } }

  /// Takes note of what a load met of results that follow no commits: it stands until another load.
  func noteFailedLoad(_ error: any Error, in epoch: Int) {
    let failure = StandingFailure(error)
    let former = state.withLock { $0.noteFailedLoad(failure, in: epoch) }
    withExtendedLifetime(former) {}
  }

  /// Ends a first load whose rest was read, or was not.
  func endFirstBatch() { state.withLock { $0.endFirstBatch() } }
}
