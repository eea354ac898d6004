/// Waits until something is so, and returns whether it came to be.
///
/// What takes a moment on an idle machine may take long on a busy one: it is waited for for four
/// minutes. What never comes about is told of by the test that expected it, and not by the time
/// limit of its suite.
///
/// - Parameter isSo: Whether it is so by now.
/// - Returns: Whether it came to be.
/// - Throws: What `isSo` throws.
package func comesTrue(_ isSo: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(240)
  while try await !isSo() {
    guard ContinuousClock.now < end else { return false }
    try await Task.sleep(for: .milliseconds(2))
  }
  return true
}
