/// What one client of a ``Feed`` is told, at its own pace.
///
/// A reset comes first where the client has no position that is good here; from then on changesets,
/// each relative to the one before it. Nothing is queued for the client: see ``FeedBuffering`` for
/// one that is slow.
///
/// The sequence ends when the feed, its source or the source's store does, after everything that
/// was told before; when the client was dropped; and when the consuming task is cancelled. Each
/// iterator begins at the position that was asked for.
public struct FeedEvents: AsyncSequence, Sendable {
  /// What the sequence consists of.
  public typealias Element = FeedEvent

  let makeReader: @Sendable () -> any FeedReading
  /// Has a closure called once when the feed has ended, though there may be more to read; returns
  /// what takes that back.
  let whenEnded: @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void

  init(
    whenEnded: @escaping @Sendable (@escaping @Sendable () -> Void) -> @Sendable () -> Void,
    _ makeReader: @escaping @Sendable () -> any FeedReading
  ) {
    self.whenEnded = whenEnded
    self.makeReader = makeReader
  }

  /// Returns an iterator from the position on.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

  /// Receives the events for one client.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: any FeedReading

    init(reader: any FeedReading) { self.reader = reader }

    /// Returns the next event, waiting for it, or nil at the end.
    public mutating func next() async -> FeedEvent? { await reader.next() }

    /// Returns the next event, waiting for it, or nil at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> FeedEvent? {
      await reader.next()
    }
  }
}

/// What reads for one client, whatever the items are.
protocol FeedReading: Sendable {
  mutating func next() async -> FeedEvent?
}
