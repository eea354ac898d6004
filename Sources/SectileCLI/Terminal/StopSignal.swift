internal import Dispatch
internal import Glibc
internal import Synchronization

/// Waits, and hears of Ctrl-C and of a request to terminate.
final class StopSignal: Sendable {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let semaphore = DispatchSemaphore(value: 0)

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. The action runs outside of it.
  // - `sources`: set once, before anybody else knows the object.
  private let state = Mutex(State())
  nonisolated(unsafe) private var sources: [any DispatchSourceSignal] = []

  private struct State {
    var hasStopped = false
    var hasEnded = false
    var action: (@Sendable () -> Void)?
  }

  /// Takes the signals over from the system's default, which is to end the process at once.
  init() {
    sources = Self.signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [weak self] in
        EndingSignal.note(number)
        self?.stop()
      }
      source.resume()
      return source
    }
  }

  deinit {
    end()
  }

  /// Gives the signals back to the system's default.
  ///
  /// The object may live a little longer than its owner, where a signal is just being told; whoever
  /// takes the signals over next ends it first.
  func end() {
    let hasEnded = state.withLock { state in
      defer { state.hasEnded = true }
      return state.hasEnded
    }
    if hasEnded { return }
    for source in sources { source.cancel() }
    for number in Self.signals { signal(number, SIG_DFL) }
  }

  /// Whether a signal came.
  var hasStopped: Bool { state.withLock { $0.hasStopped } }

  /// Says what to do at once when a signal comes, on a thread of the system's; called for a signal
  /// that came before, too.
  func whenStopped(_ action: @escaping @Sendable () -> Void) {
    let hasStopped = state.withLock { state in
      state.action = action
      return state.hasStopped
    }
    if hasStopped { action() }
  }

  /// Stops as a signal does.
  func stop() {
    let action = state.withLock { state in
      state.hasStopped = true
      return state.action
    }
    semaphore.signal()
    action?()
  }

  /// Waits, and returns whether a signal ended the wait early.
  func wait(for duration: Duration) -> Bool {
    let nanoseconds = Int(duration / .nanoseconds(1))
    return semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success
  }
}
