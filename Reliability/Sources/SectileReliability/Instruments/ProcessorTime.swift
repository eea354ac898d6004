internal import Glibc

/// Returns the processor time that this process has taken so far, in milliseconds.
func processorMilliseconds() -> Int {
  Int(Double(clock()) * 1_000 / Double(CLOCKS_PER_SEC))
}
