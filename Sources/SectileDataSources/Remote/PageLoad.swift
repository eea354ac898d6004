internal import SectileCore
internal import Synchronization

/// One load of a list, from its beginning to its end.
final class PageLoad<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  /// What a load is for.
  enum Kind: Sendable {
    /// As much as there is, from the first page on.
    case refresh
    /// What comes next.
    case more
  }

  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var inserted: [ItemID] = []
  }

  let kind: Kind
  /// The lifecycle that listeners hear of.
  let open: OpenLoad<ItemID, Item>
  /// The paths of the items that the load brought, once it ended.
  let outcome = Outcome<[ItemPath]>()
  private let state = Mutex(State())

  init(_ kind: Kind, hub: SourceHub<ItemID, Item>) {
    self.kind = kind
    open = OpenLoad(hub: hub)
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
