internal import Glibc

/// How far a long piece of work has come, on one line of standard error that is rewritten in place.
///
/// Silent where standard error is not a terminal.
struct Progress {
  private static let interval: Duration = .milliseconds(100)

  private let label: String
  private let total: Int
  private let isShown: Bool
  private let output = Output.standardError()
  private var last: ContinuousClock.Instant?

  /// Creates a progress line.
  ///
  /// - Parameters:
  ///   - label: What is being done.
  ///   - total: How many units there are; zero where nobody knows.
  init(_ label: String, total: Int) {
    self.label = label
    self.total = total
    isShown = isatty(STDERR_FILENO) == 1
  }

  /// Shows that so many units are done, at most ten times a second.
  mutating func advance(to count: Int) throws {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let last, now - last < Self.interval { return }
    last = now
    let amount = total > 0 ? "\(min(100, count * 100 / total)) %" : "\(count)"
    try output.write("\r\(label) … \(amount)\u{1B}[K")
    try output.flush()
  }

  /// Removes the line.
  func finish() throws {
    guard isShown, last != nil else { return }
    try output.write("\r\u{1B}[K")
    try output.flush()
  }
}
