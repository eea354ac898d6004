internal import Synchronization

/// Tasks that wait for what another one brings about, in the order in which they came.
///
/// They belong to the state of whoever wakes them, behind its lock: so nobody begins to wait for
/// what has just happened. They are taken out inside of the lock, and woken outside of it.
///
/// ```text
///  task    wait ── lock: is it there? no: append ── sleeps ─────────────────── goes on
///  owner                                   lock: change, removeAll ── resume ──┘
/// ```
package struct Waiters<Value: Sendable>: Sendable {
  /// A task that waits.
  package struct Waiter: Sendable {
    fileprivate let number: Int
    private let continuation: CheckedContinuation<Value, Never>

    fileprivate init(number: Int, _ continuation: CheckedContinuation<Value, Never>) {
      self.number = number
      self.continuation = continuation
    }

    /// Wakes the task; once, and outside of the lock.
    package func resume(returning value: Value) { continuation.resume(returning: value) }
  }

  private var waiting: [Waiter] = []

  /// Creates an empty list.
  package init() {}

  /// Whether nobody waits.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Appends a task, which now waits.
  package mutating func append(_ waiter: Waiter) { waiting.append(waiter) }

  /// Takes all out of another list, and appends them.
  package mutating func appendAll(of other: inout Waiters) { waiting += other.removeAll() }

  /// Takes all out; whoever calls this wakes them.
  package mutating func removeAll() -> [Waiter] { exchange(&waiting, with: []) }

  /// Takes out the task that has a number; nil where it was taken out before.
  ///
  /// - Complexity: O(*w*) for *w* tasks.
  package mutating func remove(_ number: Int) -> Waiter? {
    waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0) }
  }

  /// Waits until the task is taken out of a list and woken, or until it is cancelled.
  ///
  /// - Parameters:
  ///   - cancellation: What is returned where the task is cancelled.
  ///   - add: Locks, and appends the task to a list; or returns what there is already.
  ///   - remove: Locks, and takes the task that has a number out again.
  /// - Returns: What the task was woken with, what there was already, or `cancellation`.
  package static func wait(
    cancellation: Value, adding add: (Waiter) -> Value?,
    removing remove: @Sendable (Int) -> Waiter?
  ) async -> Value {
    let number = lastWaiter.wrappingAdd(1, ordering: .relaxed).newValue
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let known = add(Waiter(number: number, continuation)) {
          continuation.resume(returning: known)
        } else if Task.isCancelled {
          // It may have been cancelled before it was in the list, where nobody found it.
          remove(number)?.resume(returning: cancellation)
        }
      }
    } onCancel: {
      remove(number)?.resume(returning: cancellation)
    }
  }
}

extension Waiters.Waiter where Value == Void {
  /// Wakes the task; once, and outside of the lock.
  package func resume() { resume(returning: ()) }
}

/// Numbers the tasks that wait, so that those that are cancelled are found.
private let lastWaiter = Atomic<Int>(0)
