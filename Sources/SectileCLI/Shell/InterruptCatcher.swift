internal import CEditLine
internal import Foundation
internal import Sectile
internal import Synchronization

/// Lets Ctrl-C stop the statement that runs, instead of the process.
final class InterruptCatcher: Sendable {
  private let interrupter: Interrupter

  // MARK: - Mutable state
  //
  // - `hasThread`: guarded by its mutex.
  private let hasThread = Mutex(false)

  /// Creates a catcher for the statements of a connection.
  init(_ interrupter: Interrupter) {
    self.interrupter = interrupter
  }

  /// From now on Ctrl-C ends no process.
  func begin() {
    sectile_interrupt_catch()
    let isFirst = hasThread.withLock { hasThread in
      defer { hasThread = true }
      return !hasThread
    }
    guard isFirst else { return }
    let interrupter = interrupter
    Thread.detachNewThread {
      while true {
        sectile_interrupt_wait()
        interrupter.interrupt()
      }
    }
  }

  /// From now on Ctrl-C ends the process again.
  func end() {
    if hasThread.withLock({ $0 }) { sectile_interrupt_release() }
  }
}
