public import SectileCore

/// A source over items that never change: it can be read and shown, and offers no way to edit it.
///
/// The items form one section without a title, or sections by what a closure says of each item; a
/// source without items has no sections. Sections stand in the order in which their first items
/// stand in the array.
///
/// ```swift
/// let banner = FixedDataSource(name: "banner", items: [Banner(text: "New in this version")])
/// banner.load()
/// ```
public final class FixedDataSource<Item: Identifiable & Sendable>: DataSource
where Item.ID: Sendable {
  /// What identifies an item: its own `id`.
  public typealias ItemID = Item.ID

  /// What a reader would call the source.
  public let name: String
  private let store: ItemStore<ItemID, Item>

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items; no two may share an `id`, or ``load()`` delivers a failure.
  ///   - delivery: Where callbacks are made.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  public init(
    name: String, items: some Sequence<Item>, delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) {
    self.name = name
    // The contents are compared with themselves only, so it does not matter how.
    store = ItemStore(delivery: delivery, isEqual: { _, _ in true }, fingerprint: nil) {
      () throws(DataSourceError) in try ArrayEdit.arrange(items, sectionedBy: section)
    }
    store.events.bind(self)
  }

  // MARK: - Loading and listening

  /// Shows the items.
  ///
  /// See ``DataSource/load()``.
  public func load() { store.load() }

  /// Stops loading; the items stay readable once they were shown.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() { store.cancel() }

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { store.events }

  // MARK: - Reading

  /// The contents a reader sees, as a value that never changes.
  public var snapshot: ListSnapshot<ItemID, Item> { store.visible }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    try snapshot.item(at: path)
  }
}
