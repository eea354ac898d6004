internal import CEditLine

extension ShellSession {
  /// Runs something that Ctrl-C ends by itself, such as a watch.
  ///
  /// - Parameter body: Gets the signal.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  func withStopSignal<Result>(_ body: (StopSignal) throws -> Result) rethrows -> Result {
    let stop = StopSignal()
    defer {
      stop.end()
      // That gives the system's default back; the prompt needs its own.
      if isInteractive { sectile_interrupt_catch() }
    }
    return try body(stop)
  }
}
