internal import CEditLine

extension ShellSession {
  /// Runs something that Ctrl-C ends by itself, such as a watch.
  ///
  /// - Parameter body: Gets the signal.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  func withStopSignal<Result>(_ body: (StopSignal) throws -> Result) rethrows -> Result {
    // The signal gives the system's default back when it goes; the prompt needs its own.
    defer { if isInteractive { sectile_interrupt_catch() } }
    return try Self.withStopSignal(body)
  }

  private static func withStopSignal<Result>(
    _ body: (StopSignal) throws -> Result
  ) rethrows -> Result {
    let stop = StopSignal()
    return try body(stop)
  }
}
