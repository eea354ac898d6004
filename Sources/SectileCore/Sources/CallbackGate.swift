internal import Synchronization

/// Knows whether a callback is running, and lets `cancel()` wait until it returned.
///
/// The gate is closed while a callback runs. Nobody takes it but the one thread that delivers, and
/// whoever cancels: so a callback is free to do anything, since nothing it may call waits for the
/// gate, except cancelling. Cancelling from inside the callback does not wait, and neither does a
/// wait that would close a circle: two callbacks on two threads that cancel each other's source.
final class CallbackGate: Sendable {
  // MARK: - Mutable state
  //
  // - `passage`: held while a callback runs.
  // - `caller`: the drain that takes `passage`, from before its first callback until after its
  //   last.
  // - `waits`: guards every drain's `awaitedGate`, for all gates: the circles run through several.
  private let passage = Mutex<Void>(())
  private let caller = Mutex<DrainScope?>(nil)
  private static let waits = Mutex<Void>(())

  /// Names the drain that is about to make callbacks.
  ///
  /// It is named once for all of them, not for each: between two callbacks it waits for no gate, so
  /// no circle is seen that is not there.
  func begin(_ scope: DrainScope) {
    caller.withLock { $0 = scope }
  }

  /// Ends what ``begin(_:)`` began.
  func end() {
    caller.withLock { $0 = nil }
  }

  /// Runs callbacks with the gate closed.
  func pass<Result>(_ callbacks: () throws -> Result) rethrows -> Result {
    try passage.withLock { _ in try callbacks() }
  }

  /// Whether ``wait()`` would return at once, though a callback may be running.
  var isEntered: Bool {
    guard let scope = DrainScope.current else { return false }
    return Self.waits.withLock { _ in leads(to: scope) }
  }

  /// Returns when no callback is running, at once when called from inside one of this gate.
  func wait() {
    let scope = DrainScope.current
    guard let scope else {
      passage.withLock { _ in }
      return
    }
    let mayWait = Self.waits.withLock { _ in
      guard !leads(to: scope) else { return false }
      scope.awaitedGate = self
      return true
    }
    guard mayWait else { return }
    passage.withLock { _ in }
    Self.waits.withLock { _ in scope.awaitedGate = nil }
  }

  /// Returns whether waiting here means waiting for a drain, by way of what it waits for.
  private func leads(to scope: DrainScope) -> Bool {
    var gate: CallbackGate? = self
    while let current = gate {
      guard let holder = current.caller.withLock({ $0 }) else { return false }
      if holder === scope { return true }
      gate = holder.awaitedGate
    }
    return false
  }
}
