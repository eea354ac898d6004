/// Durations as a person reads them.
enum DurationText {
  /// Returns a duration in seconds, milliseconds or microseconds with three digits.
  static func text(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds >= 1 { return "\(rounded(seconds)) s" }
    if seconds >= 0.001 { return "\(rounded(seconds * 1e3)) ms" }
    return "\(rounded(seconds * 1e6)) µs"
  }

  private static func rounded(_ value: Double) -> String {
    if value >= 100 { return "\(Int64(value.rounded()))" }
    let factor: Double = value >= 10 ? 10 : 100
    return "\((value * factor).rounded() / factor)"
  }
}
