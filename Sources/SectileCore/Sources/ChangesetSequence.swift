/// The changesets of a source as they are delivered, from the moment the sequence was made.
///
/// Each consumer receives the changes at its own pace, and costs the source nothing while it
/// sleeps. One that is slower than the source gets what it missed merged into one changeset,
/// relative to the last one it received: memory stays bounded, and versions have no gaps. Changes
/// that cancel each other out while nobody looked are never seen.
///
/// A consumer that is more than a thousand changesets behind, or some ten thousand rows, gets the
/// difference between the contents as they were and as they are. A row that was written in between
/// is then reported as updated also where it came out as it was, if its old values are not known
/// any more.
///
/// The sequence ends when the source is cancelled or released, when its store is closed, or when
/// the consuming task is cancelled; what was delivered before can still be read. One that is opened
/// when the store is closed already ends at once. A load that fails does not end it: failures mend
/// themselves, and are told by ``DataSource/events``; that of a load is thrown by the load, too. It
/// does not keep the source alive.
///
/// ```swift
/// for await changes in results.changesets {
///   print(changes.sourceVersion, "→", changes.targetVersion)
/// }
/// ```
///
/// ``DataSource/follow()`` answers the contents that the first of them applies to.
public struct ChangesetSequence<ItemID: Hashable & Sendable, Item: Sendable>: AsyncSequence,
  Sendable
{
  /// What the sequence consists of.
  public typealias Element = Changeset<ItemID, Item>

  private let reader: SourceReader<ItemID, Item>
  private let open: @Sendable () -> SourceReader<ItemID, Item>?

  init(
    reader: SourceReader<ItemID, Item>, open: @escaping @Sendable () -> SourceReader<ItemID, Item>?
  ) {
    self.reader = reader
    self.open = open
  }

  /// Returns an iterator.
  ///
  /// The first one receives everything since the sequence was made, every other one what happens
  /// from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: reader.claim() ? reader : open())
  }

  /// Receives the changesets for one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: SourceReader<ItemID, Item>?
    private var merged = MergedChanges<ItemID, Item>()
    private var ready = FirstInFirstOut<Element>()

    init(reader: SourceReader<ItemID, Item>?) {
      self.reader = reader
    }

    /// Returns the next changeset, waiting for it, or nil at the end.
    public mutating func next() async -> Changeset<ItemID, Item>? {
      await next(isolation: nil)
    }

    /// Returns the next changeset, waiting for it, or nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> Changeset<ItemID, Item>? {
      while true {
        if let changes = ready.popFirst() { return changes }
        guard let events = await reader?.next(wantsLifecycle: false) else { return nil }
        for changes in merged.merge(events.compactMap(\.changes)) { ready.append(changes) }
      }
    }
  }
}

extension DataSourceEvent {
  /// What changed; nil where nothing did.
  var changes: Changeset<ItemID, Item>? {
    if case .didPartiallyLoad(let changes) = self { return changes }
    return nil
  }
}
