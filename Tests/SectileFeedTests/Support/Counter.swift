import Synchronization

/// Counts what several tasks do.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  var value: Int { count.load(ordering: .relaxed) }

  func increment() { count.wrappingAdd(1, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }
}
