public import SectileCore

/// A source whose items a fetcher gets, batch by batch: one section of what the ``ItemFetcher``
/// brings.
///
/// ``load()`` begins a fetch and returns; the load ends when the fetch does. Each batch is shown as
/// soon as it is there, as a partial load. A load after that replaces the items or adds to them, as
/// the ``FetchMode`` says; it never clears first. Items of one identity are one item: a second
/// arrival updates the first where it is.
///
/// While a load is under way, another call of ``load()`` joins it. ``cancel()`` cancels the fetch:
/// nothing is heard of it any more, and what it brought stays.
///
/// A batch of *k* items costs O(*k* log *n*), and what is copied for readers of the version before:
/// some kilobytes of a million items. Comparing at the end of a replacing load costs O(*n* log
/// *n*). Callbacks are made where the ``CallbackDelivery`` says, in order; with
/// ``CallbackDelivery/immediate`` that is the task that fetches.
///
/// ```swift
/// let people = FetchedDataSource(name: "people", fetcher: directory)
/// people.delegate = printer
/// people.load()                     // willLoad, didPartiallyLoad for each batch, didFinishLoading
/// ```
///
/// A list with a section per fetcher is made of one such source for each.
public final class FetchedDataSource<Fetcher: ItemFetcher>: DataSource {
  /// What is fetched.
  public typealias Item = Fetcher.Item
  /// What identifies an item: its own `id`.
  public typealias ItemID = Fetcher.Item.ID

  /// What a reader would call the source.
  public let name: String
  /// Where the items come from.
  public let fetcher: Fetcher
  private let engine: FetchEngine<Fetcher>
  private var store: ItemStore<ItemID, Item> { engine.store }

  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - fetcher: Where the items come from.
  ///   - section: The section's header; nil stands for one without a title.
  ///   - mode: What a load does with the items of the loads before.
  ///   - limit: How many items are kept, and what happens beyond.
  ///   - keepsEmptySection: Whether the section is shown without items once a load is complete.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  public convenience init(
    name: String, fetcher: Fetcher, section: SourceSection? = nil, mode: FetchMode = .replacing,
    limit: FetchLimit = .failing(), keepsEmptySection: Bool = false,
    delivery: CallbackDelivery = .immediate, isEqual: @escaping @Sendable (Item, Item) -> Bool
  ) {
    let settings = Self.settings(section, mode, limit, keepsEmptySection)
    self.init(name, fetcher, settings, delivery, isEqual, nil)
  }

  /// Creates a source.
  ///
  /// See ``init(name:fetcher:section:mode:limit:keepsEmptySection:delivery:isEqual:)`` for more
  /// information.
  public convenience init(
    name: String, fetcher: Fetcher, section: SourceSection? = nil, mode: FetchMode = .replacing,
    limit: FetchLimit = .failing(), keepsEmptySection: Bool = false,
    delivery: CallbackDelivery = .immediate
  ) where Item: Equatable {
    let settings = Self.settings(section, mode, limit, keepsEmptySection)
    self.init(name, fetcher, settings, delivery, ==, nil)
  }

  /// Creates a source.
  ///
  /// Since the items are hashable, changesets that are merged for a slow consumer leave out an item
  /// that was changed back. See
  /// ``init(name:fetcher:section:mode:limit:keepsEmptySection:delivery:isEqual:)`` for more
  /// information.
  public convenience init(
    name: String, fetcher: Fetcher, section: SourceSection? = nil, mode: FetchMode = .replacing,
    limit: FetchLimit = .failing(), keepsEmptySection: Bool = false,
    delivery: CallbackDelivery = .immediate
  ) where Item: Hashable {
    let settings = Self.settings(section, mode, limit, keepsEmptySection)
    self.init(name, fetcher, settings, delivery, ==, { RowFingerprint.hashing($0) })
  }

  private init(
    _ name: String, _ fetcher: Fetcher, _ settings: FetchEngine<Fetcher>.Settings,
    _ delivery: CallbackDelivery, _ isEqual: @escaping @Sendable (Item, Item) -> Bool,
    _ fingerprint: (@Sendable (Item) -> RowFingerprint)?
  ) {
    self.name = name
    self.fetcher = fetcher
    engine = FetchEngine(
      fetcher: fetcher, settings: settings,
      store: ItemStore(delivery: delivery, isEqual: isEqual, fingerprint: fingerprint))
    store.events.bind(self)
  }

  private static func settings(
    _ section: SourceSection?, _ mode: FetchMode, _ limit: FetchLimit, _ keepsEmptySection: Bool
  ) -> FetchEngine<Fetcher>.Settings {
    FetchEngine<Fetcher>.Settings(
      header: section ?? SourceSection(identity: .null, title: ""), mode: mode, limit: limit,
      keepsEmptySection: keepsEmptySection)
  }

  deinit {
    engine.cancel()
  }

  // MARK: - Loading and listening

  /// Begins a fetch, or joins the one that is under way.
  ///
  /// What the fetcher throws is delivered as the failure the load ends with; what had arrived
  /// stays.
  public func load() { engine.load() }

  /// Cancels the fetch, and watching for changes.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() { engine.cancel() }

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

  /// The items that were fetched, in order.
  ///
  /// - Complexity: O(*n*).
  public var items: [Item] {
    let items = snapshot.items
    return (0..<items.count).map { items.row(atRank: $0).item }
  }
}
