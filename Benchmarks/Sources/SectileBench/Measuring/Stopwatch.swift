internal import Glibc

/// Measures the processor time this process takes, on all of its threads.
///
/// Other processes, and waiting for a disk, do not count. What one measures alone must be compared
/// with what is measured next to it in the same run.
enum Stopwatch {
  static var nanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// Returns the time a closure takes, and its result.
  static func time<Result>(_ body: () throws -> Result) rethrows -> (
    nanoseconds: Double, result: Result
  ) {
    let start = nanoseconds
    let result = try body()
    return (nanoseconds - start, result)
  }
}
