internal import Glibc
internal import Sectile
internal import SectilePresenting

/// How far a long piece of work has come, on one line of standard error that is rewritten in place.
///
/// Silent where standard error is not a terminal.
struct Progress {
  /// What is counted.
  enum Unit {
    /// Rows, steps: shown as a share of the total.
    case count
    /// Bytes: shown as a bar, with how many come in a second and how long the rest will take.
    case bytes
  }

  private static let interval: Duration = .milliseconds(100)
  private static let barWidth = 20
  private static let labelWidth = 26

  private let label: String
  private let total: Int
  private let unit: Unit
  private let isShown: Bool
  private let output = Output.standardError()
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// Creates a progress line.
  ///
  /// - Parameters:
  ///   - label: What is being done.
  ///   - total: How many units there are; zero where nobody knows.
  ///   - unit: What is counted.
  init(_ label: String, total: Int, unit: Unit = .count) {
    self.label = unit == .bytes ? TerminalText.truncated(label, to: Self.labelWidth) : label
    self.total = total
    self.unit = unit
    isShown = isatty(STDERR_FILENO) == 1
  }

  /// Shows that so many units are done, at most ten times a second.
  mutating func advance(to count: Int) throws {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let last, now - last < Self.interval { return }
    last = now
    let amount =
      switch unit {
      case .count: "… " + (total > 0 ? "\(min(100, count * 100 / total)) %" : "\(count)")
      case .bytes: Self.bytes(count, of: total, after: now - start)
      }
    try output.write("\r\(label) \(amount)\u{1B}[K")
    try output.flush()
  }

  /// Removes the line.
  func finish() throws {
    guard isShown, last != nil else { return }
    try output.write("\r\u{1B}[K")
    try output.flush()
  }

  /// Returns a bar with share, rate and time left; without a total the amount and the rate.
  static func bytes(_ count: Int, of total: Int, after duration: Duration) -> String {
    let seconds = max(duration / .seconds(1), 1e-3)
    let rate = Double(count) / seconds
    let speed = "\(SizeText.text(kibibytes: Int64(rate / 1024)))/s"
    guard total > 0 else { return "\(SizeText.text(kibibytes: Int64(count / 1024)))  \(speed)" }
    let share = min(1, Double(count) / Double(total))
    let filled = Int(share * Double(barWidth))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
    guard rate > 0 else { return "\(bar) 0 %" }
    let left = clock(Int((Double(max(0, total - count)) / rate).rounded(.up)))
    return "\(bar) \(Int(share * 100)) %  \(speed)  \(left) left"
  }

  private static func clock(_ seconds: Int) -> String {
    if seconds < 60 { return "\(seconds) s" }
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let minutes = seconds / 60
    if minutes < 60 { return "\(minutes):\(two(seconds % 60))" }
    return "\(minutes / 60):\(two(minutes % 60)):\(two(seconds % 60))"
  }
}
