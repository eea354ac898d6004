import GRDB
import SectileCore
import Synchronization

/// Keeps the contents of one results object: what readers see now, and what is on its way to them.
///
/// ```
///   commit ──prepare──▶ inFlight ──publish──▶ pending … ──flip──▶ visible
///            (writer, inside the transaction)   (writer)            (delivery)
/// ```
///
/// Contents are changed in place when a change is flipped. Only while changes are pending is there a
/// second copy, `ahead`, that the next commit is compared with.
final class ResultsTracker<Item: Identifiable & Sendable>: Sendable where Item.ID: EntityKey {
  typealias Hub = SourceHub<Item.ID, Item>
  typealias Cycle = LoadCycle<Item.ID, Item>

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. No callback and no query runs under it.
  // - `queries` inside it changes on the writer only; `inFlight` is set and taken on the writer.
  struct State {
    var visible = PlanContents()
    var version = 0
    var node = VersionNode()
    var pending: [PreparedChange<Item>] = []
    var ahead: PlanContents?
    var inFlight: Preparation?
    var cache: ItemCache<Item>
    var plan: FetchPlan
    var queries: PlanQueries?
    var isTracking = false
    /// Whether the first batch of a first load is there and the rest is not: commits are not worked
    /// out, but what they overwrite is kept for readers of the batch.
    var isFirstBatch = false
    /// Grows with each `stop()`: a load that was under way then does not start following.
    var epoch = 0
    var needsRefetch = false
    /// The last failure that was delivered, so that it is not delivered again with every commit.
    var failure: String?
    var statistics = ResultsStatistics()

    /// The version of the latest contents.
    ///
    /// A change nobody hears of makes no version.
    var latestVersion: Int {
      pending.last { !$0.changes.isEmpty }?.changes.targetVersion ?? version
    }
    var latestNode: VersionNode { pending.last?.node ?? node }
  }

  /// What a transaction came to.
  enum Preparation {
    case change(PreparedChange<Item>, from: VersionNode)
    case unchanged
    /// Nothing was worked out, but old values were kept.
    case linked(VersionNode)
    case failure(any Error)
  }

  let state: Mutex<State>
  let deliveryHub: Hub
  let format: RowFormat<Item>
  let access: ReadAccess
  let reader: ItemReader<Item>

  init(plan: FetchPlan, format: RowFormat<Item>, delivery: Delivery, access: ReadAccess) {
    self.format = format
    self.access = access
    reader = ItemReader(
      format: format, table: plan.table, keyColumns: plan.keyColumns, access: access)
    let limit = max(ItemCache<Item>.defaultLimit, 2 * plan.batchSize)
    state = Mutex(State(cache: ItemCache(limit: limit), plan: plan))
    deliveryHub = Hub(delivery: delivery)
  }

  // MARK: Contents

  func snapshot() -> ResultsSnapshot<Item> {
    state.withLock { state in
      makeSnapshot(
        state.visible, version: state.version, node: state.node, batchSize: state.plan.batchSize)
    }
  }

  private func makeSnapshot(
    _ contents: PlanContents, version: Int, node: VersionNode, batchSize: Int
  ) -> ResultsSnapshot<Item> {
    ResultsSnapshot(
      contents: contents, version: version, node: node, reader: reader, batchSize: batchSize)
  }

  func item(at path: ItemPath) throws -> Item {
    var cached: Item?
    let missing = state.withLock { state -> (PlanContents, Int, VersionNode, Int)? in
      cached = state.cache.item(state.visible.key(at: path))
      if cached != nil { return nil }
      return (state.visible, state.version, state.node, state.plan.batchSize)
    }
    if let cached { return cached }
    guard let (contents, version, node, batchSize) = missing else { throw StaleContents() }
    let batch = try contents.fault(at: path, batchSize: batchSize, node: node, by: reader)
    state.withLock { state in
      if state.version == version { state.cache.insert(batch) }
    }
    return batch.item
  }

  // MARK: Working out changes (on the writer)

  /// Works out a change relative to the latest contents, which may not be visible yet.
  func maintain(
    in db: Database, queries: PlanQueries? = nil,
    _ work: (ContentsMaintainer<Item>) throws -> PreparedChange<Item>?
  ) throws -> Preparation {
    let (base, version, node, current, batchSize) = state.withLock { state in
      (latest(&state), state.latestVersion, state.latestNode, state.queries, state.plan.batchSize)
    }
    guard let queries = queries ?? current else { return .unchanged }
    let maintainer = ContentsMaintainer(
      reader: PlanReader(queries: queries, db: db), format: format, base: base,
      baseVersion: version, node: VersionNode(),
      makeSnapshot: { [self] in
        makeSnapshot($0, version: $1, node: $2, batchSize: batchSize)
      })
    guard let change = try work(maintainer) else { return .unchanged }
    return .change(change, from: node)
  }

  private func latest(_ state: inout State) -> PlanContents {
    if state.pending.isEmpty { return state.visible }
    if let ahead = state.ahead { return ahead }
    var ahead = state.visible
    for change in state.pending { change.apply(to: &ahead) }
    state.ahead = ahead
    return ahead
  }

  var plan: FetchPlan { state.withLock { $0.plan } }

  /// Queues a change; it is flipped when its turn comes.
  ///
  /// A change that nobody needs to hear of (a sort key changed and moved nothing) is carried out
  /// with the one before it, or at once. One that was worked out before a `stop()` is dropped: the
  /// contents it leads from are gone.
  func enqueue(_ change: PreparedChange<Item>, in epoch: Int) {
    state.withLock { state in
      guard state.epoch == epoch else { return }
      state.failure = nil
      if state.pending.isEmpty {
        if change.changes.isEmpty {
          carryOut(change, &state)
        } else {
          state.pending.append(change)
        }
        return
      }
      if var ahead = state.ahead.take() {
        change.apply(to: &ahead)
        state.ahead = ahead
      }
      state.pending.append(change)
    }
  }

  // MARK: Delivering

  /// Makes the oldest pending change visible; nil if there is none any more.
  func flip() -> Changeset<Item.ID, Item>? {
    state.withLock { state in
      guard let change = state.pending.first else { return nil }
      state.pending.removeFirst()
      carryOut(change, &state)
      while let quiet = state.pending.first, quiet.changes.isEmpty {
        state.pending.removeFirst()
        carryOut(quiet, &state)
      }
      if state.pending.isEmpty { state.ahead = nil }
      return change.changes
    }
  }

  private func carryOut(_ change: PreparedChange<Item>, _ state: inout State) {
    change.apply(to: &state.visible)
    state.node = change.node
    if !change.changes.isEmpty { state.version = change.changes.targetVersion }
    for (key, item) in change.items {
      if let item {
        state.cache.insert(item, for: key)
      } else {
        state.cache.remove(key)
      }
    }
  }

  /// The cycle that delivers one commit, unless a load that came before has delivered it already.
  func commitCycle() -> Cycle {
    Cycle(
      steps: [{ [self] in flip() }],
      isStillNeeded: { [self] in state.withLock { !$0.pending.isEmpty } })
  }

  /// Stops following commits; the visible contents stay.
  ///
  /// - Parameter stopDelivery: Called in the same breath, so that a load on another thread comes
  ///   either before both or after both.
  /// - Returns: What `stopDelivery` returns.
  func stop<Rest>(and stopDelivery: () -> Rest) -> Rest {
    state.withLock { state in
      state.epoch += 1
      state.isTracking = false
      state.isFirstBatch = false
      state.pending = []
      state.ahead = nil
      state.inFlight = nil
      return stopDelivery()
    }
  }
}
