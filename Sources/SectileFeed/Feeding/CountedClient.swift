/// A client of a family: it counts until it is released.
final class CountedClient: Sendable {
  /// The number of its entry.
  let number: Int
  private let leave: @Sendable () -> Void

  init(number: Int, _ leave: @escaping @Sendable () -> Void) {
    (self.number, self.leave) = (number, leave)
  }

  deinit { leave() }
}

/// Reads for a client that is counted.
struct CountedReader: FeedReading {
  var reader: any FeedReading
  let client: CountedClient
  let member: any Sendable

  mutating func next() async -> FeedEvent? { await reader.next() }
}
