internal import SectileCore
internal import Synchronization

/// What a ``FetchedDataSource`` does, apart from the source itself, so that a fetch that runs does
/// not keep the source alive.
final class FetchEngine<Fetcher: ItemFetcher>: Sendable {
  typealias Item = Fetcher.Item
  typealias ItemID = Fetcher.Item.ID

  /// What a source is told about fetching when it is made.
  struct Settings: Sendable {
    let header: SourceSection
    let mode: FetchMode
    let limit: FetchLimit
    let keepsEmptySection: Bool
  }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. The store and the hub are told inside it what begins and ends, so
  // that this stands in order; they call nobody before they are flushed, which happens outside.
  private struct State {
    /// The load under way, and the task that fetches for it.
    var current: (load: OpenLoad<ItemID, Item>, task: Task<Void, Never>)?
    /// Something changed while the current fetch was under way.
    var wantsAnother = false
    /// A load was complete at least once.
    var hasCompleted = false
    var watch: (key: WatchKey, task: Task<Void, Never>)?
  }

  /// Tells one watch from an earlier one.
  private final class WatchKey: Sendable {}

  let store: ItemStore<ItemID, Item>
  private let fetcher: Fetcher
  private let settings: Settings
  private let state = Mutex(State())

  init(fetcher: Fetcher, settings: Settings, store: ItemStore<ItemID, Item>) {
    self.fetcher = fetcher
    self.settings = settings
    self.store = store
  }

  /// Begins a load, unless one is under way.
  func load() {
    state.withLock { state in
      if state.current == nil { begin(&state) }
      if state.watch == nil { watch(&state) }
    }
    store.events.flush()
  }

  /// Ends everything that is under way.
  func cancel() {
    let finish = state.withLock { state in
      state.current?.task.cancel()
      state.current = nil
      state.watch?.task.cancel()
      state.watch = nil
      state.wantsAnother = false
      return store.stop(isReset: true)
    }
    finish()
  }

  private func begin(_ state: inout State) {
    let load = OpenLoad(store.events)
    let life = store.begin(load)
    let isEmpty = store.current.count == 0
    let plan = FetchRun<Item>.Plan(
      header: settings.header, limit: settings.limit,
      keepsEmptySection: settings.keepsEmptySection,
      showsArrivals: isEmpty || !state.hasCompleted || !settings.mode.isReplacing,
      replaces: settings.mode.isReplacing && !isEmpty)
    let run = FetchRun<Item>(store: store, life: life, plan: plan)
    state.current = (load, Task { await self.perform(run, load) })
  }

  private func perform(_ run: FetchRun<Item>, _ load: OpenLoad<ItemID, Item>) async {
    var error: (any Error)?
    do {
      try await fetcher.fetch { try await run.receive($0) }
    } catch let thrown {
      error = thrown
    }
    let failure = await run.end(error)
    state.withLock { state in
      guard state.current?.load === load else { return }
      state.current = nil
      if let failure {
        load.fail(failure)
      } else {
        state.hasCompleted = true
        load.finish()
      }
      guard state.wantsAnother else { return }
      state.wantsAnother = false
      begin(&state)
    }
    store.events.flush()
  }

  // MARK: - Watching

  private func watch(_ state: inout State) {
    let key = WatchKey()
    let task = Task { await fetcher.watch { self.noteChange(key) } }
    state.watch = (key, task)
  }

  private func noteChange(_ key: WatchKey) {
    state.withLock { state in
      guard state.watch?.key === key else { return }
      if state.current == nil { begin(&state) } else { state.wantsAnother = true }
    }
    store.events.flush()
  }
}
