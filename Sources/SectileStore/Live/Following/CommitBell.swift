import SectileCore
import Synchronization

/// Tells those who wait that somebody may have committed: this store, or another process.
///
/// It is a hint that comes at once, and may get lost: whoever needs to know looks from time to time
/// as well.
final class CommitBell: Sendable {
  private struct State {
    var listeners: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
    /// One for all who listen: the system has few of them.
    var watch: EchoingLogWatch?
  }

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. Listeners are called outside of it.
  // - `isHeard`: whether there is a listener, which each commit asks.
  private let state = Mutex(State())
  private let isHeard = Atomic(false)

  /// Calls a closure whenever somebody may have committed, until what is returned is released.
  ///
  /// - Parameters:
  ///   - path: The file that others may write to; nil where nobody can.
  ///   - wake: Called on any thread, the one that commits among them: it must not wait.
  /// - Returns: What listens.
  func listen(watching path: String?, _ wake: @escaping @Sendable () -> Void) -> CommitListening {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.listeners[state.lastNumber] = wake
      if state.watch == nil {
        state.watch = path.flatMap { EchoingLogWatch(of: $0) { [weak self] in self?.ring() } }
      }
      isHeard.store(true, ordering: .relaxed)
      return state.lastNumber
    }
    return CommitListening { [self] in stop(number) }
  }

  /// Whether somebody listens.
  var hasListeners: Bool { isHeard.load(ordering: .relaxed) }

  /// Calls those who listen.
  @inline(__always)
  func ring() {
    if isHeard.load(ordering: .relaxed) { callListeners() }
  }

  private func callListeners() {
    for wake in state.withLock({ Array($0.listeners.values) }) { wake() }
  }

  private func stop(_ number: Int) {
    // Released outside: a closure may hold what stops listening when it goes.
    let released = state.withLock { state in
      let wake = state.listeners.removeValue(forKey: number)
      let isLast = state.listeners.isEmpty
      if isLast { isHeard.store(false, ordering: .relaxed) }
      return (wake, isLast ? exchange(&state.watch, with: nil) : nil)
    }
    withExtendedLifetime(released) {}
  }
}

/// Somebody who hears of commits, as long as it is kept.
package final class CommitListening: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
