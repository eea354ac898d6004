import Foundation
import SectileStore
import Synchronization
import Testing

/// Runs an action once, on a thread of its own, while a load compares texts.
final class Meddler: Sendable {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)
  /// Whether the action ended before the load went on.
  let hasEnded = Mutex(false)

  var collation: TextCollation {
    TextCollation("meddling") { [self] left, right in
      if let action = action.withLock({ $0.take() }) {
        let isDone = DispatchSemaphore(value: 0)
        Thread {
          action()
          isDone.signal()
        }.start()
        let result = isDone.wait(timeout: .now() + 10)
        hasEnded.withLock { $0 = result == .success }
      }
      return left == right ? 0 : left < right ? -1 : 1
    }
  }

  func arm(_ body: @escaping @Sendable () throws -> Void) {
    action.withLock {
      $0 = {
        do { try body() } catch { Issue.record(error) }
      }
    }
  }

  func disarm() { action.withLock { $0 = nil } }
}
