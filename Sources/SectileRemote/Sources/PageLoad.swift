internal import SectileCore
internal import Synchronization

/// One load of a list, from its beginning to its end.
final class PageLoad<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// What a load is for.
  enum Kind: Hashable, Sendable {
    /// As much as there is, from the first page on.
    case refresh
    /// What comes next.
    case more
    /// The page whose first item has so many items before it.
    case page(firstRank: Int)
  }

  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var isWanted = true
    var isSpent = false
    var inserted: [ItemID] = []
  }

  let kind: Kind
  /// Does what the load is for.
  let work: @Sendable (PageLoad) async throws -> Void
  /// The lifecycle that listeners hear of.
  let open: OpenLoad<ItemID, Item>
  /// The paths of the items that the load brought, once it ended.
  let outcome = Outcome<[ItemPath]>()
  private let state = Mutex(State())

  init(
    _ kind: Kind, _ events: DataSourceEvents<ItemID, Item>,
    _ work: @escaping @Sendable (PageLoad) async throws -> Void
  ) {
    self.kind = kind
    self.work = work
    open = OpenLoad(events)
  }

  /// Whether the load must be made, and does not give way to a later one.
  var isWanted: Bool {
    get { state.withLock { $0.isWanted } }
    set { state.withLock { $0.isWanted = newValue } }
  }

  /// Whether readers see all that the load brings, though it has not ended: whoever asks for more
  /// now means what comes after it.
  var isSpent: Bool { state.withLock { $0.isSpent } }

  /// Takes note that readers see the last page of the load.
  func spend() {
    state.withLock { $0.isSpent = true }
  }

  /// The identities of the items that the load brought so far.
  var inserted: [ItemID] { state.withLock { $0.inserted } }

  /// Takes note of items that the load brought.
  func note(inserted: [ItemID]) {
    state.withLock { $0.inserted += inserted }
  }

  /// Names the task that does the work.
  func run(in task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Stops the work and wakes who waits for it.
  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
    outcome.settle(.failure(CancellationError()))
  }
}
