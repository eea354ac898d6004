internal import Glibc
internal import Synchronization

/// Shows on standard error that a statement runs, and how long already; only on a terminal.
final class RunningIndicator: Sendable {
  private struct State {
    var start: ContinuousClock.Instant?
    var shownSeconds: Int64 = 0
  }

  private let isTerminal = isatty(STDERR_FILENO) == 1

  // MARK: - Mutable state
  //
  // - `state`: guarded by its mutex.
  private let state = Mutex(State())

  /// Whether anything is ever shown.
  var isShown: Bool { isTerminal }

  /// Takes note that a statement begins; nil that it has ended.
  func setRunning(since start: ContinuousClock.Instant?) {
    hide()
    state.withLock { $0.start = start }
  }

  /// Shows the time, where a statement has been running for a second.
  func update() {
    state.withLock { state in
      guard isTerminal, let start = state.start else { return }
      let seconds = (ContinuousClock.now - start).components.seconds
      guard seconds > state.shownSeconds else { return }
      state.shownSeconds = seconds
      Self.show("\r… running for \(seconds) s\u{1B}[K")
    }
  }

  /// Removes what is shown.
  func hide() {
    state.withLock { state in
      if state.shownSeconds > 0 { Self.show("\r\u{1B}[K") }
      state.shownSeconds = 0
    }
  }

  /// An indication that cannot be written is none.
  private static func show(_ text: String) {
    try? Output.send(Array(text.utf8), to: STDERR_FILENO)
  }
}
