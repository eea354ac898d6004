internal import Dispatch
internal import Foundation
internal import Synchronization

/// Threads that do something again and again until it is over; what one of them meets is kept.
final class Others: Sendable {
  let isOver = Atomic(false)
  // MARK: - Mutable state
  //
  // - `found`: guarded by its mutex; the first failure.
  private let found = Mutex<String?>(nil)
  private let group = DispatchGroup()

  /// What the first thread met that failed; nil where none did.
  var problem: String? { found.withLock { $0 } }

  /// Runs a closure on a thread of its own until it is over.
  func run(_ body: @escaping @Sendable () throws -> Void) {
    group.enter()
    Thread.detachNewThread { [self] in
      do {
        while !isOver.load(ordering: .relaxed) { try body() }
      } catch {
        found.withLock { if $0 == nil { $0 = "\(error)" } }
      }
      group.leave()
    }
  }

  /// Has all of them end, and waits for it.
  func end() {
    isOver.store(true, ordering: .relaxed)
    group.wait()
  }
}
