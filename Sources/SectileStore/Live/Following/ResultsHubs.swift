internal import SectileCore
internal import Synchronization

/// Where the live results of one store tell what happens, those among them that were never loaded.
///
/// Their sequences end with the store, whatever became of their loads.
final class ResultsHubs: Sendable {
  private struct WeakHub {
    weak var hub: HubCore?
    /// What keeps the contents; nil where the results are gone.
    weak var tracker: ResultsTracker?
  }

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. Hubs are ended, and may be released, outside of it.
  private struct State {
    var hubs: [WeakHub] = []
    /// How many there may be before those that are gone are looked for.
    var limit = 16
    var isEnded = false
  }

  private let state = Mutex(State())

  /// Takes note of a hub, and ends it where the store is closed.
  ///
  /// - Parameters:
  ///   - hub: The hub.
  ///   - tracker: What keeps the contents of its results.
  /// - Complexity: O(1), amortized.
  func add(_ hub: HubCore, of tracker: ResultsTracker? = nil) {
    let isEnded = state.withLock { state in
      guard !state.isEnded else { return true }
      state.hubs.append(WeakHub(hub: hub, tracker: tracker))
      if state.hubs.count > state.limit {
        state.hubs.removeAll { $0.hub == nil }
        state.limit = max(16, 2 * state.hubs.count)
      }
      return false
    }
    if isEnded { hub.endRing() }
  }

  /// How many hubs are known, some that are gone among them.
  var count: Int { state.withLock { $0.hubs.count } }

  /// The results that are out of date, by the names of their tables, and why.
  ///
  /// - Complexity: O(*n*) for *n* results.
  var failures: [(table: String, error: any Error)] {
    // Let go of outside of the lock: nobody else may hold them then.
    let trackers = state.withLock { state in state.hubs.compactMap { $0.tracker } }
    return trackers.compactMap { tracker in
      tracker.failure.map { (table: tracker.plan.table, error: $0) }
    }
  }

  /// Ends the sequences of all results, also of those that are made later.
  func end() {
    let hubs = state.withLock { state in
      state.isEnded = true
      return exchange(&state.hubs, with: [])
    }
    for hub in hubs { hub.hub?.endRing() }
  }
}
