import Glibc

/// Writes a line to standard error.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}

/// Ends the process with a message, which libFuzzer takes for a crash.
func violated(_ what: String) -> Never {
  say("\nPROPERTY VIOLATED: \(what)")
  abort()
}

/// Ends the process unless a property holds.
func require(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { violated(what()) }
}

/// Returns what a closure returns; nil where it throws an error of the one type it may throw.
func attempt<Result, Failure: Error>(
  _ failure: Failure.Type, _ body: () throws -> Result
) throws -> Result? {
  do {
    return try body()
  } catch is Failure {
    return nil
  }
}
