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
/// Contents are changed in place when a change is flipped. Only while changes are pending is there
/// a second copy, `ahead`, that the next commit is compared with.
final class ResultsTracker: QueuedChanges {
  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. No callback and no query runs under it.
  // - `queries` inside it changes on the writer only.
  struct State {
    var visible = PlanContents()
    var version = 0
    /// The number of the contents with all pending changes: no others of these results have it.
    var number = 0
    private var greatestNumber = 0
    /// The version of the base table that `visible` belongs to.
    var node = VersionNode()
    var pending: [PendingChange] = []
    var ahead: PlanContents?
    var plan: FetchPlan {
      didSet {
        batchSize = plan.batchSize
        var former = oldValue
        // What it reads, and nobody named, is found out with each load.
        former.dependencies = plan.dependencies
        guard plan != former else { return }
        requestNumber = nil
        notedPlace = nil
        requestedSince = latestVersion + 1
      }
    }
    /// See ``FetchPlan/requestNumber``; nil where nobody asked for it.
    var requestNumber: UInt64?
    /// The first version that shows the request; zero where it never was another.
    private(set) var requestedSince = 0
    /// A place in the change log up to which everything is in what readers see; nil where none was
    /// asked for.
    private(set) var notedPlace: LogPlace?
    /// The plan's; by itself, because to ask the plan for it copies the plan.
    private(set) var batchSize: Int
    var queries: PlanQueries?
    var isTracking = false
    /// The commits since a load began to read, which are not worked out: the load catches up with
    /// them.
    ///
    /// Nil where no load reads.
    var unread: UnreadCommits?
    /// All rows of a first load, where they were read before the first batch was delivered.
    var allContents: PlanContents?
    /// Grows with each `stop()`: a load that was under way then does not start following.
    var epoch = 0
    var needsRefetch = false
    /// What keeps the contents from being up to date; it is not delivered again with every commit.
    var failure: StandingFailure?
    var statistics = ResultsStatistics()
    /// The change that was carried out last, if it is a small one: its items are at hand for those
    /// who ask for one when they hear of the change.
    var latest: PlanChange?
    /// Whether items are remembered that were read before.
    var remembersItems = false
    /// The rows of small changes since somebody asked for a remembered item.
    ///
    /// Theirs do not hold any more; nothing else is done about it until somebody asks again.
    var overwritten: [RowKey] = []
    /// The rows of a version, where the load holds them that read it.
    private var held: (version: Int, view: HeldView)?
    /// Digests of the contents that are being taken.
    var digestPass: DigestPass?

    init(_ plan: FetchPlan) { (self.plan, batchSize) = (plan, plan.batchSize) }

    /// Takes note of up to where the change log is in what readers see.
    ///
    /// - Parameter place: Up to where it is in what they see when all that is pending is delivered,
    ///   and a load that is under way has caught up.
    mutating func notePlace(_ place: LogPlace?) {
      if let next = pending.first {
        if let before = next.place { notedPlace = before.value }
      } else if unread == nil {
        notedPlace = place
      }
    }

    /// Forgets up to where the change log is in what readers see.
    mutating func forgetPlace() { notedPlace = nil }

    /// Returns a number for other contents.
    mutating func nextNumber() -> Int {
      greatestNumber += 1
      return greatestNumber
    }

    /// The rows of what is visible, where a load holds them.
    var view: HeldView? { held.flatMap { $0.version == version ? $0.view : nil } }

    /// Takes note that a load holds the rows of the contents with all pending changes.
    mutating func hold(_ view: HeldView?) {
      held = view.map { (latestVersion, $0) }
    }

    /// The version of the contents with all pending changes.
    var latestVersion: Int {
      // A change nobody hears of makes no version.
      pending.last { !$0.isQuiet }?.targetVersion ?? version
    }

    /// Takes the oldest pending change.
    mutating func takePending() -> PendingChange {
      // The only one is taken from the end: from the front, the rest would be moved up.
      pending.count == 1 ? pending.removeLast() : pending.removeFirst()
    }

    /// The version of the base table that the contents with all pending changes belong to.
    var latestNode: VersionNode { pending.last?.node ?? node }

    /// Returns the contents with all pending changes.
    mutating func latestContents() -> PlanContents {
      if pending.isEmpty { return visible }
      if let ahead { return ahead }
      var contents = visible
      for next in pending { next.change.apply(to: &contents) }
      ahead = contents
      return contents
    }

    /// Takes note of a newer version of the base table in which these contents are the same.
    mutating func advance(to newest: VersionNode) {
      guard let last = pending.popLast() else {
        node = newest
        return
      }
      pending.append(last.with(last.change, at: newest))
    }
  }

  /// Commits that a load catches up with.
  struct UnreadCommits {
    /// Whether one of them touched another table than the base table, or nobody knows what.
    var concernOtherTables = false
  }

  /// A failure that was delivered, and that nothing has mended so far.
  final class StandingFailure: Sendable {
    let error: any Error
    /// What tells it from others.
    let text: String

    init(_ error: any Error) {
      self.error = error
      text = String(describing: error)
    }
  }

  let state: Mutex<State>
  let items: any ItemDelivering

  init(plan: FetchPlan, items: any ItemDelivering) {
    self.items = items
    state = Mutex(State(plan))
  }

  var plan: FetchPlan { state.withLock { $0.plan } }

  /// What keeps the contents from being up to date; nil where they are.
  var failure: (any Error)? { state.withLock { $0.failure }?.error }

  /// A number for the request; see ``FetchPlan/requestNumber``.
  var requestNumber: UInt64 {
    let (known, plan) = state.withLock { ($0.requestNumber, $0.plan) }
    if let known { return known }
    let number = plan.requestNumber
    state.withLock { if $0.plan == plan { $0.requestNumber = number } }
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
    let released = state.withLock { state in
      state.epoch == epoch ? enqueue(change, &state) : []
    }
    withExtendedLifetime(released) {}
  }

  /// Queues a change; it is flipped when its turn comes.
  ///
  /// A change that nobody needs to hear of (a sort key changed and moved nothing) is carried out
  /// with the one before it, or at once.
  ///
  /// - Returns: What is to be released outside of the lock: what the release of an item runs is not
  ///   ours.
  @inline(__always)
  func enqueue(_ change: consuming PendingChange, _ state: inout State) -> [PlanChange] {
    state.failure = nil
    state.number = change.number
    if state.pending.isEmpty {
      guard change.isQuiet else {
        state.pending.append(change)
        return []
      }
      let released = [change.change] + [state.latest.take()].compactMap(\.self)
      carryOut(change, &state)
      return released
    }
    if var ahead = state.ahead.take() {
      change.change.apply(to: &ahead)
      state.ahead = ahead
    }
    state.pending.append(change)
    return []
  }

  // MARK: Delivering

  /// Makes the oldest pending change visible; nil if there is none any more.
  func flip() -> BoxedChanges? {
    // Released outside of the lock: what the release of an item runs is not ours.
    var former: PlanChange?
    var others: [PlanChange] = []
    var forgets = false
    defer { withExtendedLifetime((former, others)) {} }
    let boxed: BoxedChanges? = state.withLock { state in
      guard !state.pending.isEmpty else { return nil }
      let remembersItems = state.remembersItems
      former = state.latest.take()
      let change = state.takePending()
      carryOut(change, &state)
      forgets = remembersItems && (state.latest == nil || !state.remembersItems)
      while let quiet = state.pending.first, quiet.isQuiet {
        _ = state.takePending()
        if let latest = state.latest { others.append(latest) }
        others.append(quiet.change)
        carryOut(quiet, &state)
      }
      if state.latest == nil { others.append(change.change) }
      if !others.isEmpty { forgets = true }
      if state.pending.isEmpty { state.ahead = nil }
      return change.boxed
    }
    if forgets { items.releaseForgotten() }
    return boxed
  }

  /// The most rows of a change whose items are looked through.
  private static let latestRowLimit = 8
  /// How many rows may be overwritten before items that nobody asked for since are forgotten.
  private static let overwrittenLimit = 256

  @inline(__always)
  private func carryOut(_ change: PendingChange, _ state: inout State) {
    change.change.apply(to: &state.visible)
    state.node = change.node
    if !change.isQuiet { state.version = change.targetVersion }
    let isSmall = change.change.rowCount <= Self.latestRowLimit && !change.change.isWhole
    state.latest = isSmall ? change.change : nil
    if !isSmall {
      state.remembersItems = items.remember(change.change)
    } else if state.remembersItems {
      state.overwritten.append(contentsOf: change.change.rows.lazy.map(\.key))
      if state.overwritten.count > Self.overwrittenLimit {
        items.forgetAll()
        state.remembersItems = false
        state.overwritten = []
      }
    }
  }

  /// Whether there is something to deliver: a load that came before may have delivered it already.
  var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Stops following commits; the visible contents stay.
  ///
  /// - Parameter stopDelivery: Called in the same breath, so that a load on another thread comes
  ///   either before both or after both.
  /// - Returns: What `stopDelivery` returns.
  func stop<Rest>(and stopDelivery: () -> Rest) -> Rest {
    // Released outside of the lock, likewise.
    var dropped: [PendingChange] = []
    defer { withExtendedLifetime(dropped) {} }
    return state.withLock { state in
      state.epoch += 1
      state.isTracking = false
      state.forgetPlace()
      state.unread = nil
      state.allContents = nil
      swap(&state.pending, &dropped)
      state.number = state.nextNumber()
      state.ahead = nil
      return stopDelivery()
    }
  }
}
