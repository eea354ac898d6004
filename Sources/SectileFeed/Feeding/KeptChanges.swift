internal import SectileCore
internal import Synchronization

/// What a source told lately, for all clients of a feed: the last changesets, within a cap of
/// bytes.
///
/// ```text
///        floor                                latest
///          │ 7→8 │ 8→9 │ 9→11 │ … │ 40→41 │ 41→42 │   ◀── one task appends what the source tells
///                  ▲ a client's version         ▲ another's: it waits
/// ```
///
/// A client at a version below the floor, or inside of a changeset, cannot go on from here.
final class KeptChanges<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Kept = KeptChangeset<ItemID, Item>

  /// What comes next for a client.
  enum Step {
    /// A changeset, and how many there are from the client's version on.
    case changeset(Kept, behind: Int)
    /// What leads on from the client's version is not kept.
    case lost
    /// The source failed, and does still; the number says which failure it is.
    case failed(Int, any Error)
    /// The failure that the client was told is over.
    case recovered
    /// Nothing comes any more.
    case ended
  }

  /// What a row counts for before anybody encoded it, and after.
  private static var bytesPerRow: Int { 64 }
  /// How many merged changesets are at hand.
  private static var mergedLimit: Int { 8 }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`; no code of the user's runs inside, and clients are woken outside.
  private struct State {
    var kept: [(changeset: Kept, cost: Int)] = []
    var bytes = 0
    /// The version that the first changeset leads from; that of `latest` where there is none.
    var floor: Int
    /// The version that the last one leads to.
    var latest: Int
    /// Several changesets in one, by the version that it leads from; it leads to `latest`.
    var merged: [Int: Kept] = [:]
    var failure: (number: Int, error: any Error, isOver: Bool)?
    var waiters = Waiters<Void>()
    var isEnded = false
    /// What is called when it ends, by number.
    var listeners: [Int: @Sendable () -> Void] = [:]
    var lastListener = 0

    /// The position of the first changeset that leads beyond a version.
    func position(after version: Int) -> Int {
      kept.partitioningIndex { $0.changeset.changes.targetVersion > version }
    }

    /// The position of the changeset that leads on from a version; nil where it is not kept.
    func changeset(from version: Int) -> Int? {
      let position = position(after: version)
      guard version >= floor, position < kept.count,
        kept[position].changeset.changes.sourceVersion == version
      else { return nil }
      return position
    }
  }

  private let state: Mutex<State>
  private let configuration: FeedConfiguration

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - version: The version of the source that what is appended leads on from.
  ///   - configuration: How much is kept.
  init(from version: Int, _ configuration: FeedConfiguration) {
    state = Mutex(State(floor: version, latest: version))
    self.configuration = configuration
  }

  // MARK: - The source's side

  /// Appends what the source told; called by one task.
  func append(_ events: [DataSourceEvent<ItemID, Item>]) {
    // What is dropped is released outside of the lock: what the release of an item runs is not
    // ours.
    var dropped: [Kept] = []
    let woken = state.withLock { state in
      var isAnything = false
      for event in events {
        switch event {
        case .didPartiallyLoad(let changes):
          append(changes, to: &state, &dropped)
          isAnything = true
        case .didFail(let error):
          state.failure = ((state.failure?.number ?? 0) + 1, error, false)
          isAnything = true
        case .didFinishLoading:
          guard state.failure?.isOver == false else { continue }
          state.failure?.isOver = true
          isAnything = true
        case .willLoad: break
        }
      }
      return isAnything ? state.waiters.removeAll() : []
    }
    for waiter in woken { waiter.resume() }
    withExtendedLifetime(dropped) {}
  }

  private func append(
    _ changes: Changeset<ItemID, Item>, to state: inout State, _ dropped: inout [Kept]
  ) {
    dropped += state.merged.values
    state.merged = [:]
    if changes.sourceVersion != state.latest {
      dropped += state.kept.map(\.changeset)
      (state.kept, state.bytes, state.floor) = ([], 0, changes.sourceVersion)
    }
    let cost = min(changes.rowCount, Int(Int32.max)) * Self.bytesPerRow
    state.kept.append((Kept(changes), cost))
    state.bytes += cost
    state.latest = changes.targetVersion
    trim(&state, &dropped)
  }

  private func trim(_ state: inout State, _ dropped: inout [Kept]) {
    while let first = state.kept.first,
      state.bytes > configuration.keptBytes || state.kept.count > configuration.keptChangesets
    {
      state.kept.removeFirst()
      state.bytes -= first.cost
      state.floor = first.changeset.changes.targetVersion
      dropped.append(first.changeset)
    }
  }

  /// Ends the list: what is in it can still be read.
  func end() {
    let (woken, listeners) = state.withLock {
      state -> ([Waiters<Void>.Waiter], [@Sendable () -> Void]) in
      state.isEnded = true
      defer { state.listeners = [:] }
      return (state.waiters.removeAll(), Array(state.listeners.values))
    }
    for waiter in woken { waiter.resume() }
    for listener in listeners { listener() }
  }

  /// Whether nothing is appended any more.
  var hasEnded: Bool { state.withLock { $0.isEnded } }

  /// Calls a closure once when the list has ended, or now; returns what takes that back.
  func whenEnded(_ listener: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let number = state.withLock { state -> Int? in
      guard !state.isEnded else { return nil }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return state.lastListener
    }
    guard let number else {
      listener()
      return {}
    }
    return { [weak self] in
      // Released outside of the lock: it may be the last that refers to a stream.
      let former = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
      withExtendedLifetime(former) {}
    }
  }

  // MARK: - The clients' side

  /// The number of the last failure that is over.
  var pastFailure: Int {
    state.withLock { state in
      state.failure.map { $0.isOver ? $0.number : $0.number - 1 } ?? 0
    }
  }

  /// How many bytes are kept, by the measure of ``FeedConfiguration/keptBytes``.
  var keptBytes: Int { state.withLock { $0.bytes } }

  /// The version that the last changeset leads to.
  var latest: Int { state.withLock { $0.latest } }

  /// Returns whether a client at a version can go on from here.
  func reaches(_ version: Int) -> Bool {
    state.withLock { state in
      if version >= state.latest { return true }
      return state.changeset(from: version) != nil
    }
  }

  /// Returns whether something was told after a version.
  func isBehind(_ version: Int) -> Bool { state.withLock { version < $0.latest } }

  /// Returns what comes next for a client, waiting for it; nil where its task is cancelled.
  ///
  /// - Parameters:
  ///   - version: The client's version.
  ///   - told: What it was told of failures.
  /// - Returns: The step; nil where the task is cancelled.
  func next(after version: Int, told: ToldFailure) async -> Step? {
    while !Task.isCancelled {
      let step = state.withLock { Self.step(after: version, told, in: $0) }
      if let step { return step }
      await wait(after: version, told)
    }
    return nil
  }

  private static func step(after version: Int, _ told: ToldFailure, in state: State) -> Step? {
    if told.lasts, state.failure?.isOver == true { return .recovered }
    if version < state.latest {
      guard let position = state.changeset(from: version) else { return .lost }
      return .changeset(state.kept[position].changeset, behind: state.kept.count - position)
    }
    if let last = state.failure, !last.isOver, last.number > told.number {
      return .failed(last.number, last.error)
    }
    return state.isEnded ? .ended : nil
  }

  private func wait(after version: Int, _ told: ToldFailure) async {
    await Waiters<Void>.wait(cancellation: ()) { waiter in
      state.withLock { state -> Void? in
        guard Self.step(after: version, told, in: state) == nil else { return () }
        state.waiters.append(waiter)
        return nil
      }
    } removing: { number in
      state.withLock { $0.waiters.remove(number) }
    }
  }

  /// Counts bytes that a client encoded.
  func charge(_ kept: Kept, _ bytes: Int) {
    var dropped: [Kept] = []
    state.withLock { state in
      let position = state.position(after: kept.changes.sourceVersion)
      guard position < state.kept.count, state.kept[position].changeset === kept else { return }
      state.kept[position].cost += bytes
      state.bytes += bytes
      trim(&state, &dropped)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Returns what leads from a version to now as one changeset; nil where that is not kept.
  ///
  /// Clients that are equally far behind share it.
  ///
  /// - Complexity: O(*c* log *c* log *k*) for *k* changesets of *c* changes, for the first of them.
  func merged(after version: Int) -> Kept? {
    let (known, changes) = state.withLock { state -> (Kept?, [Changeset<ItemID, Item>]) in
      if let known = state.merged[version] { return (known, []) }
      guard let position = state.changeset(from: version) else { return (nil, []) }
      return (nil, state.kept[position...].map(\.changeset.changes))
    }
    if let known { return known }
    guard !changes.isEmpty, let all = try? Changeset.merged(changes[...]) else { return nil }
    let merged = Kept(all)
    return state.withLock { state in
      guard all.targetVersion == state.latest else { return merged }
      if let known = state.merged[version] { return known }
      if state.merged.count < Self.mergedLimit { state.merged[version] = merged }
      return merged
    }
  }
}

/// What a client was told of the failures of its source.
struct ToldFailure {
  /// The number of the last failure that it was told, or that was over before.
  var number: Int
  /// Whether it was not told yet that this one is over.
  var lasts = false
}
