internal import Synchronization

/// One consumer of what a source tells: a place in its ring, and what it knows of the contents.
///
/// Everything that takes time is done by the consumer: reading, comparing, merging.
package final class SourceReader<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Changes = Changeset<ItemID, Item>
  package typealias Event = DataSourceEvent<ItemID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`; no code of the user's runs inside. Two consumers of one reader
  // would be a misuse; each of them gets some of the events, and neither waits for ever.
  private struct State {
    var place: ChangeRing.Place
    /// Older changes than those that lead from here are known already.
    var knownVersion: Int?
    var isClaimed = false
    var isEnded = false
  }

  private let ring: ChangeRing
  private let kind: ChangeRing.Kind<ItemID, Item>
  private let state: Mutex<State>

  /// Creates a consumer of what is told from now on.
  init(of ring: ChangeRing, _ kind: ChangeRing.Kind<ItemID, Item>) {
    self.ring = ring
    self.kind = kind
    state = Mutex(State(place: ring.head))
  }

  /// Leaves out what leads up to a version.
  package func skip(to version: Int) { state.withLock { $0.knownVersion = version } }

  /// Returns true to the first who asks: two consumers do not share a reader.
  func claim() -> Bool {
    state.withLock { state in
      defer { state.isClaimed = true }
      return !state.isClaimed
    }
  }

  /// Returns the events since the last call, waiting for some; nil at the end.
  ///
  /// Where there are too many to be known any more, one change stands for those that are not: what
  /// the contents are now, compared with what they were.
  ///
  /// - Parameter wantsLifecycle: Whether beginnings and ends are worth waking up for.
  /// - Returns: The events, in order.
  package func next(wantsLifecycle: Bool) async -> [Event]? {
    while !Task.isCancelled {
      let (place, isEnded) = state.withLock { ($0.place, $0.isEnded) }
      if isEnded { return nil }
      let isLast = ring.isEnded(at: place)
      if !isLast { await ring.wait(past: place, wantsLifecycle: wantsLifecycle) }
      if Task.isCancelled { break }
      let events = read()
      if !events.isEmpty { return events }
      if isLast { return nil }
    }
    end()
    return nil
  }

  /// Ends the sequence for this consumer, and gives back what waits.
  private func end() {
    let former = state.withLock { state in
      state.isEnded = true
      return exchange(&state.place, with: ring.head)
    }
    // Released outside of the lock: what the release of an item runs is not ours.
    withExtendedLifetime(former) {}
  }

  private func read() -> [Event] {
    let (backlog, known, former) = state.withLock { state in
      let former = state.place
      return (ring.read(from: &state.place), state.knownVersion, former)
    }
    withExtendedLifetime(former) {}
    var events = backlog.events.compactMap { event(of: $0, after: known) }
    if backlog.isCut, let rest = difference(from: backlog.snapshot) {
      state.withLock { $0.knownVersion = max(rest.targetVersion, $0.knownVersion ?? 0) }
      events.append(.didPartiallyLoad(rest))
      events.append(.didFinishLoading)
    }
    return events
  }

  /// Returns an event of the items; nil for a change that leads up to what the consumer knows.
  private func event(of event: ErasedEvent, after known: Int?) -> Event? {
    switch event {
    case .willLoad: return .willLoad
    case .didPartiallyLoad(let erased):
      let changes = kind.changes(erased)
      if let known, changes.targetVersion <= known { return nil }
      return .didPartiallyLoad(changes)
    case .didFinishLoading: return .didFinishLoading
    case .didFail(let error): return .didFail(error)
    }
  }

  /// Compares the contents as they were with those of now.
  private func difference(from former: (any Sendable)?) -> Changes? {
    guard let former = former as? any DataSourceSnapshot<ItemID, Item>, let now = kind.snapshot()
    else { return nil }
    return Self.difference(from: former, to: now)
  }

  private static func difference<Snapshot: DataSourceSnapshot<ItemID, Item>>(
    from former: any DataSourceSnapshot<ItemID, Item>, to now: Snapshot
  ) -> Changes? {
    (former as? Snapshot).map { now.changes(since: $0) }
  }
}
