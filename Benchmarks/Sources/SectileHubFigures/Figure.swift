#if Postgres
  internal import Foundation

  /// Prints what was measured: a line for each.
  enum Figure {
    /// A line of some durations.
    static func line(_ name: String, _ durations: [Duration]) {
      let sorted = durations.sorted()
      func text(_ part: Double) -> String {
        let place = min(sorted.count - 1, Int(Double(sorted.count) * part))
        return String(format: "%8.2f", sorted[place] / .milliseconds(1))
      }
      print(
        padded(name) + "p50 \(text(0.5))  p90 \(text(0.9))  p99 \(text(0.99))  most \(text(1)) ms")
    }

    /// A line of one number.
    static func line(_ name: String, _ value: Double, _ unit: String) {
      print(padded(name) + String(format: "%12.2f ", value) + unit)
    }

    /// How long something takes.
    static func time(_ body: () async throws -> Void) async rethrows -> Duration {
      let begin = ContinuousClock.now
      try await body()
      return ContinuousClock.now - begin
    }

    private static func padded(_ name: String) -> String {
      name + String(repeating: " ", count: max(1, 52 - name.count))
    }
  }

  extension Duration {
    var seconds: Double { self / .seconds(1) }
  }
#endif
