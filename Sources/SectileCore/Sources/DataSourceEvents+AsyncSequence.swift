/// The whole lifecycle of a source, as it is told from now on.
///
/// A failure is an event like the others, and the sequence goes on after it: what fails now mends
/// itself later, and what follows is relative to the last good contents.
///
/// ```swift
/// for await event in results.events {
///   switch event {
///   case .didPartiallyLoad(let changes): show(changes)
///   case .didFail(let error): log.warning("\(error)")
///   case .willLoad, .didFinishLoading: break
///   }
/// }
/// ```
///
/// Events come in the lifecycle's grammar, *will load → partially loaded, any number of times →
/// finished, or failed*. A consumer that is slower than the source gets the lifecycles it missed as
/// one, with the changes merged, unless one of them failed: no failure is left out, as long as the
/// consumer is less than a thousand changesets behind. See ``ChangesetSequence`` for what a slow
/// consumer costs, and for when the sequence ends.
extension DataSourceEvents: AsyncSequence {
  /// What the sequence consists of.
  public typealias Element = DataSourceEvent<ItemID, Item>

  /// Returns an iterator over what is told from now on.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: openReader()) }

  /// Receives the events for one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: SourceReader<ItemID, Item>
    private var lifecycles = MergedLifecycles<ItemID, Item>()
    private var ready = FirstInFirstOut<Element>()

    init(reader: SourceReader<ItemID, Item>) {
      self.reader = reader
    }

    /// Returns the next event, waiting for it, or nil at the end.
    public mutating func next() async -> DataSourceEvent<ItemID, Item>? {
      await next(isolation: nil)
    }

    /// Returns the next event, waiting for it, or nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> DataSourceEvent<ItemID, Item>? {
      while true {
        if let event = ready.popFirst() { return event }
        guard let events = await reader.next(wantsLifecycle: true) else { return nil }
        for event in lifecycles.merge(events) { ready.append(event) }
      }
    }
  }
}
