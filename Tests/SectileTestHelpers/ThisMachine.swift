internal import Foundation
internal import Synchronization

/// What does not run on every machine: a suite that is left out says so, and why.
package enum ThisMachine {
  private static let told = Mutex<Set<String>>([])

  /// Returns whether tests run here; where they do not, that is said on standard error.
  ///
  /// - Parameters:
  ///   - tests: The name of the suite, or of the test.
  ///   - isPossible: Whether there is what they need.
  ///   - reason: What they need.
  /// - Returns: Whether they run.
  package static func runs(
    _ tests: String, if isPossible: Bool, otherwise reason: @autoclosure () -> String
  ) -> Bool {
    if !isPossible { doesNotRun(tests, because: reason()) }
    return isPossible
  }

  /// Says on standard error, once, that tests do not run here.
  package static func doesNotRun(_ tests: String, because reason: String) {
    guard told.withLock({ $0.insert(tests).inserted }) else { return }
    FileHandle.standardError.write(Data("SKIPPED: \(tests): \(reason)\n".utf8))
  }
}
