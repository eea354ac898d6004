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
  //   last. Compared, never called.
  // - `waits`: the gate that each drain waits for, if it does. One list for all gates, since the
  //   circles run through several, and gates follow a drain from thread to thread.
  private let passage = Mutex<Void>(())
  private let caller = Mutex<ObjectIdentifier?>(nil)
  private static let waits = Mutex<[ObjectIdentifier: CallbackGate]>([:])

  /// Names the drain that is about to make callbacks.
  ///
  /// It is named once for all of them, not for each: between two callbacks it waits for no gate, so
  /// no circle is seen that is not there.
  func begin(_ drain: ObjectIdentifier) {
    caller.withLock { $0 = drain }
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
    guard let drain = CurrentDrain.identity else { return false }
    return Self.waits.withLock { leads(to: drain, by: $0) }
  }

  /// Returns when no callback is running, at once when called from inside one of this gate.
  func wait() {
    guard let drain = CurrentDrain.identity else {
      passage.withLock { _ in }
      return
    }
    let mayWait = Self.waits.withLock { waits in
      guard !leads(to: drain, by: waits) else { return false }
      waits[drain] = self
      return true
    }
    guard mayWait else { return }
    passage.withLock { _ in }
    Self.waits.withLock { $0[drain] = nil }
  }

  /// Returns whether waiting here means waiting for a drain, by way of what it waits for.
  ///
  /// A drain that is in the list stands still, and one that is the caller of a gate is at work: so
  /// no other can have come to the address of either.
  private func leads(
    to drain: ObjectIdentifier, by waits: [ObjectIdentifier: CallbackGate]
  ) -> Bool {
    var gate: CallbackGate? = self
    while let current = gate {
      guard let holder = current.caller.withLock({ $0 }) else { return false }
      if holder == drain { return true }
      gate = waits[holder]
    }
    return false
  }
}
