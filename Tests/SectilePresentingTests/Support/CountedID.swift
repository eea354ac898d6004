import Synchronization

/// An identity that counts how often it is hashed: how many look-ups by identity something takes.
struct CountedID: Hashable, Sendable {
  /// Counts for the identities of one test.
  final class Counter: Sendable {
    private let hashes = Atomic<Int>(0)

    func note() { hashes.wrappingAdd(1, ordering: .relaxed) }

    /// Returns how many identities a closure hashes.
    func hashes(in body: () throws -> Void) rethrows -> Int {
      let before = hashes.load(ordering: .relaxed)
      try body()
      return hashes.load(ordering: .relaxed) - before
    }
  }

  let number: Int
  let counter: Counter

  static func == (left: CountedID, right: CountedID) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) {
    counter.note()
    hasher.combine(number)
  }
}
