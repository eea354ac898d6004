/// The changesets of a source as they are delivered, from the moment the sequence was made.
///
/// Each consumer receives the changes at its own pace. A consumer that is slower than the source
/// gets what it missed merged into one changeset, relative to the last one it received: memory stays
/// bounded by the contents, and versions have no gaps. Changes that cancel each other out while
/// nobody looked are never seen.
///
/// The sequence ends when the consuming task is cancelled or the source is released. It does not
/// keep the source alive.
///
/// ```swift
/// for await changes in results.changesets {
///   print(changes.sourceVersion, "→", changes.targetVersion)
/// }
/// ```
public struct ChangesetSequence<ItemID: Hashable & Sendable, Item: Sendable>: AsyncSequence,
  Sendable
{
  /// What the sequence consists of.
  public typealias Element = Changeset<ItemID, Item>

  private let mailbox: ChangesetMailbox<ItemID, Item>
  private let open: @Sendable () -> ChangesetMailbox<ItemID, Item>?

  init(
    mailbox: ChangesetMailbox<ItemID, Item>,
    open: @escaping @Sendable () -> ChangesetMailbox<ItemID, Item>?
  ) {
    self.mailbox = mailbox
    self.open = open
  }

  /// Returns an iterator.
  ///
  /// The first one receives everything since the sequence was made, every other one what happens
  /// from now on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox.claim() ? mailbox : open())
  }

  /// Receives the changesets for one consumer.
  public struct Iterator: AsyncIteratorProtocol {
    private let mailbox: ChangesetMailbox<ItemID, Item>?

    init(mailbox: ChangesetMailbox<ItemID, Item>?) {
      self.mailbox = mailbox
    }

    /// Returns the next changeset, waiting for it, or nil at the end.
    public mutating func next() async -> Changeset<ItemID, Item>? {
      await mailbox?.next()
    }

    /// Returns the next changeset, waiting for it, or nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> Changeset<ItemID, Item>? {
      await mailbox?.next()
    }
  }
}
