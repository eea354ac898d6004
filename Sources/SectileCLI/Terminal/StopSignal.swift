internal import Dispatch
internal import Glibc
internal import Synchronization

/// Waits, and hears of Ctrl-C and of a request to terminate.
final class StopSignal: Sendable {
  /// The signals that ask a command to end, but for those it was told to ignore by whoever started
  /// it, as `nohup` and shells do for what runs in the background.
  static let signals = [SIGINT, SIGTERM, SIGHUP].filter { number in
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      != unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let stopCount = Atomic(0)

  /// Whether somebody who listens was asked to end: a reason not to wait any longer for anything.
  static var isRequested: Bool { stopCount.load(ordering: .relaxed) > 0 }

  private let semaphore = DispatchSemaphore(value: 0)
  /// Whether a wait was ended early that has not noticed it yet: one is, however often that
  /// happens.
  private let isWoken = Atomic(false)

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex. The action runs outside of it.
  private let state = Mutex(State())

  /// How long after the first signal another one ends the process.
  ///
  /// What runs cannot be interrupted then, as one call of a function in SQL. A signal that comes
  /// twice at once is one.
  private static let patience = Duration.seconds(2)

  private struct State {
    var hasStopped = false
    /// When the first signal came.
    var signalled: ContinuousClock.Instant?
    var hasEnded = false
    var action: (@Sendable () -> Void)?
    /// What hears of the signals.
    var sources: [any DispatchSourceSignal] = []
  }

  /// Takes the signals over from the system's default, which is to end the process at once.
  init() {
    state.withLock { state in
      for number in Self.signals {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { [weak self] in
          EndingSignal.note(number)
          self?.hear()
        }
        source.resume()
        state.sources.append(source)
      }
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
    let (hasEnded, hasStopped) = state.withLock { state in
      defer { state.hasEnded = true }
      for source in state.sources { source.cancel() }
      return (state.hasEnded, state.hasStopped)
    }
    if hasEnded { return }
    if hasStopped { Self.stopCount.subtract(1, ordering: .relaxed) }
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

  /// Stops, or ends the process where it was asked to stop a while ago.
  private func hear() {
    let now = ContinuousClock.now
    let first = state.withLock { state in
      state.signalled = state.signalled ?? now
      return state.signalled ?? now
    }
    if now - first > Self.patience { EndingSignal.endProcess() }
    stop()
  }

  /// Stops as a signal does.
  func stop() {
    let action = state.withLock { state in
      if !state.hasStopped && !state.hasEnded { Self.stopCount.add(1, ordering: .relaxed) }
      state.hasStopped = true
      return state.action
    }
    semaphore.signal()
    action?()
  }

  /// Ends the wait that is under way, or the next one, though nobody asks to stop.
  func wake() {
    if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { semaphore.signal() }
  }

  /// Waits for a moment that nothing cuts short.
  func rest(for duration: Duration) { usleep(useconds_t(duration / .microseconds(1))) }

  /// Waits until the time is over, or somebody ends the wait; returns whether a signal came.
  func wait(for duration: Duration) -> Bool {
    if hasStopped { return true }
    let nanoseconds = Int(duration / .nanoseconds(1))
    _ = semaphore.wait(timeout: .now() + .nanoseconds(nanoseconds))
    isWoken.store(false, ordering: .releasing)
    return hasStopped
  }
}
