extension Duration {
  /// The longest wait: Swift's clocks end the process where the moment to wake does not fit 64 bits
  /// of seconds.
  private static let longestWait = Duration.seconds(100 * 365 * 86_400)

  /// The duration as it can be waited for: none below zero, and a century for what is longer.
  package var waitable: Duration { min(max(self, .zero), Self.longestWait) }
}
