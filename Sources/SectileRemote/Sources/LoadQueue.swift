internal import SectileCore
internal import Synchronization

/// The loads of a source and the versions they bring, apart from the source itself, so that
/// requests under way do not keep the source alive.
///
/// Loads run one at a time, in the order in which they were asked for. A load prepares versions of
/// the list and *submits* them to the hub, which makes one after the other *visible*.
final class LoadQueue<Item: Identifiable & Sendable, Progress: Sendable>: Sendable
where Item.ID: Sendable {
  typealias Load = PageLoad<Item.ID, Item>
  typealias Snapshot = PagedSnapshot<Item.ID, Item>

  /// A version of the list, and how far it was loaded by then.
  struct Version: Sendable {
    var snapshot = Snapshot()
    var progress: Progress
  }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. What compares and hashes items is the user's code and runs
  // outside, on a copy; only the first load in the queue changes `submitted`, so that the copy is
  // up to date as long as that load is. Versions that are replaced are returned from inside and
  // released outside, since the last reference to an item runs the user's code too. Cycles are
  // submitted inside, so that they stand in the order of the changes, and flushed outside.
  private struct State {
    var submitted: Version
    var visible: Version
    /// The load that runs, and those that wait: at most one of each kind, and one more where the
    /// one that runs is spent.
    var queue: [Load] = []
    /// Grows with each cancellation: a step of an earlier life flips nothing.
    var life = 0

    /// Drops the oldest load that may give way, where too many wait.
    mutating func makeRoom() {
      let dispensable = queue.indices.dropFirst().filter { !queue[$0].isWanted }
      if let oldest = dispensable.first, dispensable.count >= LoadQueue.unwantedLoadLimit {
        queue.remove(at: oldest)
      }
    }
  }

  /// How many loads may wait that nobody must have.
  static var unwantedLoadLimit: Int { 8 }

  let events: DataSourceEvents<Item.ID, Item>
  let configuration: RemoteConfiguration
  private let state: Mutex<State>

  init(progress: Progress, configuration: RemoteConfiguration, delivery: CallbackDelivery) {
    events = DataSourceEvents(delivery: delivery)
    self.configuration = configuration
    let version = Version(progress: progress)
    state = Mutex(State(submitted: version, visible: version))
  }

  /// What a reader sees.
  var visible: Version { state.withLock { $0.visible } }

  /// Whether a load runs.
  var isLoading: Bool { state.withLock { !$0.queue.isEmpty } }

  /// Whether no load runs or waits that may yet bring something.
  var isSettled: Bool { state.withLock { $0.queue.allSatisfy(\.isSpent) } }

  // MARK: - Loads

  /// Begins a load, or joins one of the same kind that may yet bring something.
  ///
  /// - Parameters:
  ///   - kind: What the load is for.
  ///   - isWanted: Whether the load must be made; otherwise it may give way to a later one.
  ///   - work: Does the work of a load; it throws `CancellationError` only where the load was
  ///     cancelled.
  /// - Returns: The load.
  @discardableResult func load(
    _ kind: Load.Kind, isWanted: Bool = true,
    _ work: @escaping @Sendable (Load) async throws -> Void
  ) -> Load {
    let (load, isNext) = state.withLock { state in
      if let load = state.queue.first(where: { $0.kind == kind && !$0.isSpent }) {
        if isWanted { load.isWanted = true }
        return (load, false)
      }
      events.resume()
      if !isWanted { state.makeRoom() }
      let load = Load(kind, events, work)
      load.isWanted = isWanted
      state.queue.append(load)
      if state.queue.count == 1 { load.open.begin() }
      return (load, state.queue.count == 1)
    }
    if isNext { launch(load) }
    return load
  }

  /// Announces a load that is first in the queue, and lets it run.
  private func launch(_ load: Load) {
    events.flush()
    let limit = configuration.loadTimeout
    load.run(
      in: Task(executorPreference: configuration.executor) { [self] in
        let late = RemoteError(
          code: .loadTimedOut,
          message: "The load did not end within \(limit.map(\.description) ?? "the time").",
          hint: "Raise loadTimeout, or load fewer pages at a time.")
        do {
          try await withDeadline(limit, configuration, late: late) { try await load.work(load) }
          end(load, nil)
        } catch {
          end(load, RemoteError(wrapping: error))
        }
      })
  }

  /// Ends a load, unless it was cancelled, and lets the next one run.
  private func end(_ load: Load, _ error: RemoteError?) {
    guard let snapshot = current(load)?.snapshot else { return }
    let paths = error == nil ? load.inserted.compactMap { snapshot.path(of: $0) }.sorted() : []
    let result: Result<[ItemPath], any Error> = error.map { .failure($0) } ?? .success(paths)
    let (isOver, next) = state.withLock { state -> (Bool, Load?) in
      guard state.queue.first === load else { return (false, nil) }
      state.queue.removeFirst()
      if let error { load.open.fail(error) } else { load.open.finish() }
      // Behind the end, so that who waits for the load finds it delivered.
      let wake = LoadCycle<Item.ID, Item>(
        onDropped: { load.cancel() },
        deriving: {
          load.outcome.settle(result)
          return nil
        })
      events.submit(wake)
      state.queue.first?.open.begin()
      return (true, state.queue.first)
    }
    if let next { launch(next) } else if isOver { events.flush() }
  }

  // MARK: - What a load does

  /// The version that a load goes on from, or nil where it was cancelled.
  func current(_ load: Load) -> Version? {
    state.withLock { $0.queue.first === load ? $0.submitted : nil }
  }

  /// Makes the next version visible in its turn.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - changes: What is different in it.
  ///   - load: The load that brings it.
  ///   - isLast: Whether the load brings no further one, so that nobody who sees this one joins it.
  /// - Throws: `CancellationError` where the load was cancelled.
  func submit(
    _ version: Version, _ changes: Changeset<Item.ID, Item>, in load: Load, isLast: Bool = false
  ) throws {
    let inserted = changes.inserts.map(\.id)
    let former: Version? = state.withLock { state in
      guard state.queue.first === load else { return nil }
      defer { state.submitted = version }
      let life = state.life
      let spent = isLast ? load : nil
      load.open.append { [self] in flip(to: version, life, spent) ? changes : nil }
      return state.submitted
    }
    guard former != nil else { throw CancellationError() }
    load.note(inserted: inserted)
    events.flush()
  }

  /// Returns false where nothing changes for the listeners, or the source was cancelled meanwhile.
  private func flip(to version: Version, _ life: Int, _ spent: Load?) -> Bool {
    let former: Version? = state.withLock { state in
      guard state.life == life else { return nil }
      spent?.spend()
      defer { state.visible = version }
      return state.visible
    }
    return former.map { $0.snapshot.version != version.snapshot.version } ?? false
  }

  // MARK: - Stopping

  /// Stops all loads and all callbacks.
  func cancel() {
    let (former, finish) = state.withLock { state in
      let former = state
      state.life += 1
      state.submitted = state.visible
      state.queue = []
      return (former, events.stop())
    }
    for load in former.queue { load.cancel() }
    withExtendedLifetime(former) { finish() }
  }

  /// Stops all loads, since nobody is left to hear of them.
  func abandon() {
    let loads = state.withLock { state in
      defer { state.queue = [] }
      return state.queue
    }
    for load in loads { load.cancel() }
  }
}
