internal import Glibc

/// Reads both clocks.
enum Stopwatch {
  static var now: Sample {
    Sample(cpu: read(CLOCK_PROCESS_CPUTIME_ID), wall: read(CLOCK_MONOTONIC))
  }

  /// Seconds on the wall, for budgets.
  static var seconds: Double { read(CLOCK_MONOTONIC) / 1e9 }

  /// Returns the time a closure takes, and its result.
  static func time<Result>(_ body: () throws -> Result) rethrows -> (
    time: Sample, result: Result
  ) {
    let start = now
    let result = try body()
    return (now - start, result)
  }

  /// Waits until work in the background has ended, and returns what it took.
  static func settle() -> Sample {
    let start = now
    var last = start
    while true {
      usleep(5_000)
      let next = now
      if (next - last).cpu < 0.2e6 { return last - start }
      last = next
    }
  }

  private static func read(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
