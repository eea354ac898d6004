internal import Synchronization

/// An identity that counts how often it is hashed: how many look-ups by identity something takes.
package struct CountedID: Hashable, Sendable {
  /// Counts for the identities of one test.
  package final class Counter: Sendable {
    private let hashes = Atomic<Int>(0)

    package init() {}

    package func note() { hashes.wrappingAdd(1, ordering: .relaxed) }

    /// Returns how many identities a closure hashes.
    package func hashes(in body: () throws -> Void) rethrows -> Int {
      let before = hashes.load(ordering: .relaxed)
      try body()
      return hashes.load(ordering: .relaxed) - before
    }
  }

  package let number: Int
  package let counter: Counter

  package init(number: Int, counter: Counter) {
    self.number = number
    self.counter = counter
  }

  package static func == (left: CountedID, right: CountedID) -> Bool { left.number == right.number }

  package func hash(into hasher: inout Hasher) {
    counter.note()
    hasher.combine(number)
  }
}
