internal import Foundation

/// How long tests wait for what has to come about: less than the time limit of their suites, so
/// that the one which waited in vain says what for.
private let patience = Duration.seconds(240)

/// Waits until something is so, and returns whether it came to be.
///
/// What takes a moment on an idle machine may take long on a busy one: four minutes are waited for.
///
/// - Parameter isSo: Whether it is so by now.
/// - Returns: Whether it came to be.
/// - Throws: What `isSo` throws.
package func comesTrue(_ isSo: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + patience
  while try await !isSo() {
    guard ContinuousClock.now < end else { return false }
    try await Task.sleep(for: .milliseconds(2))
  }
  return true
}

/// Waits until something is so as ``comesTrue(_:)`` does, on a thread that may be blocked.
///
/// - Parameter isSo: Whether it is so by now.
/// - Returns: Whether it came to be.
/// - Throws: What `isSo` throws.
package func waitedUntil(_ isSo: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + patience
  while try !isSo() {
    guard ContinuousClock.now < end else { return false }
    Thread.sleep(forTimeInterval: 0.005)
  }
  return true
}
