import GRDB
import SectileCore
import Synchronization

/// Keeps the contents of one results object: what readers see now, and what is on its way to them.
///
/// ```
///   commit ──derive──▶ PendingCommit ──publish──▶ pending … ──flip──▶ visible
///        (writer, inside the transaction)     (writer)         (delivery)
/// ```
///
/// What happens to them is decided by a ``ResultsStateMachine``, which answers what is to be done;
/// the tracker guards it, and does that.
final class ResultsTracker: QueuedChanges {
  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. No callback and no query runs under it.
  // - `request.queries` inside it changes on the writer only.
  // - `typedRequest`: guarded by itself. Written when a load has read what it wants, one after
  //   another.
  let state: Mutex<ResultsStateMachine>
  /// The request that the plan was made of; nil where the results were given a plan.
  private let typedRequest = Mutex<(any Sendable)?>(nil)
  let items: any ItemDelivering

  init(plan: FetchPlan, items: any ItemDelivering) {
    self.items = items
    state = Mutex(ResultsStateMachine(plan))
  }

  var plan: FetchPlan { state.withLock { $0.request.plan } }

  /// The request that the plan was made of; nil where the results were given a plan, or one of
  /// another type.
  func request<Request: Sendable>(as type: Request.Type) -> Request? {
    typedRequest.withLock { $0 } as? Request
  }

  /// Takes note of the request that the plan was made of; nil for none.
  func noteRequest(_ request: (any Sendable)?) {
    let former = typedRequest.withLock { exchange(&$0, with: request) }
    withExtendedLifetime(former) {}
  }

  /// What keeps the contents from being up to date; nil where they are.
  var failure: (any Error)? { state.withLock { $0.failure }?.error }

  /// A number for the request; see ``FetchPlan/requestNumber``.
  var requestNumber: UInt64 {
    let (known, plan) = state.withLock { ($0.request.number, $0.request.plan) }
    if let known { return known }
    let number = plan.requestNumber
    state.withLock { $0.request.note(number: number, of: plan) }
    return number
  }

  // MARK: Working out changes (on the writer)

  /// Puts a change that was worked out into the terms of this results object.
  @inline(__always)
  func pending(
    _ change: PlanChange, from start: borrowing Baseline, node: VersionNode,
    view: HeldView? = nil
  ) throws -> PendingChange {
    let step = VersionStep(
      source: start.version, node: node, batchSize: start.batchSize, view: view)
    return PendingChange(
      change, boxed: try items.boxedChanges(change, step), targetVersion: step.target, node: node,
      number: start.nextNumber)
  }

  /// Queues a change; it is flipped when its turn comes.
  ///
  /// One that was worked out before a `stop()` is dropped: the contents it leads from are gone.
  func enqueue(_ change: PendingChange, in epoch: Int) {
    let action = state.withLock { machine in
      guard epoch == machine.epoch else { return ResultsStateMachine.Action.none }
      let action = machine.enqueue(change)
      keepItems(action, &machine)
      return action
    }
    // The load that has found it delivers it, too.
    withExtendedLifetime(action) {}
  }

  /// Does what is to be done with remembered items, under the lock.
  @inline(__always)
  func keepItems(_ action: ResultsStateMachine.Action, _ machine: inout ResultsStateMachine) {
    if case .carriedOut(let step, _, _) = action { keepItems(step, &machine) }
  }

  @inline(__always)
  private func keepItems(_ step: RecentItems.Step, _ machine: inout ResultsStateMachine) {
    switch step {
    case .none: break
    case .remember(let change): machine.items.isRemembering = items.remember(change)
    case .forgetAll: items.forgetAll()
    }
  }

  // MARK: Delivering

  /// Makes the oldest pending change visible; nil if there is none any more.
  func flip() -> BoxedChanges? {
    var released = ResultsStateMachine.ReleasedChanges()
    defer { withExtendedLifetime(released) {} }
    let boxed: BoxedChanges? = state.withLock { machine in
      guard let (change, step) = machine.flip(releasing: &released) else { return nil }
      keepItems(step, &machine)
      while let step = machine.flipSilently(releasing: &released) { keepItems(step, &machine) }
      return change.boxed
    }
    if released.mayForgetItems { items.releaseForgotten() }
    return boxed
  }

  /// Whether there is something to deliver: a load that came before may have delivered it already.
  var hasPending: Bool { state.withLock { !$0.versions.pending.isEmpty } }

  /// Stops following commits; the visible contents stay.
  ///
  /// - Parameter stopDelivery: Called in the same breath, so that a load on another thread comes
  ///   either before both or after both.
  /// - Returns: What `stopDelivery` returns.
  func stop<Rest>(and stopDelivery: () -> Rest) -> Rest {
    // Released outside of the lock: what the release of an item runs is not ours.
    var dropped: [PendingChange] = []
    defer { withExtendedLifetime(dropped) {} }
    return state.withLock { machine in
      dropped = machine.stop()
      return stopDelivery()
    }
  }
}
