public import SectileCore

/// A source over a remote list of known length: every item has a row from the beginning, and rows
/// are ``RemoteListRow/placeholder(rank:)`` until their page is loaded.
///
/// ```swift
/// guard let pages = service.randomAccess else { return }
/// let source = PlaceholderDataSource(name: "songs", loader: pages)
/// source.load()                                   // the first page, and rows for all the others
/// let paths = try await source.fetch(at: ItemPath(section: 0, item: 4_711))
/// ```
///
/// A page is loaded when somebody asks for one of its rows: with ``fetch(at:)``, ahead of time with
/// ``prefetch(at:)``, or, in a source that `loadsOnRead`, by reading a placeholder. So the list can
/// be looked at anywhere without loading what comes before.
///
/// In a source that `loadsOnRead`, what is read to be shown is loaded: ``item(at:)`` of this source
/// and of every composition of it, cells that an adapter is asked for, and, of any snapshot,
/// ``/Sectile/DataSourceSnapshot/prefetchItem(at:)``. What is read for another reason loads
/// nothing: a rule that filters, sorts or groups by what items contain, `item(at:)` and
/// `materialized()` of a snapshot, a comparison, a feed. They read every row, and would load the
/// whole list. In a source that does not, whoever knows what comes into sight says so; the origin
/// of an item is its path in this source:
///
/// ```swift
/// // `rows` are the paths, in `list`, that are on the screen or about to be.
/// source.prefetch(at: rows.map { list.origin(at: $0).path })
/// ```
///
/// A placeholder is identified by its rank and an item by its `id`: an item that takes the place of
/// a placeholder is a delete and an insert at the same path. Where the service's list moved on
/// between two pages, the later page is believed: an item that was at another rank moves, and a
/// placeholder stays where it was. ``refresh()`` loads again what was loaded, and delivers the
/// exact difference.
///
/// Where the service does not tell how many items there are, there are no placeholders: rows come
/// with their pages. Lifecycles, failures and cancellation are those of ``PaginatedDataSource``.
public final class PlaceholderDataSource<
  Element: Identifiable & Sendable, Page: Hashable & Sendable
>: DataSource
where Element.ID: Sendable {
  /// What identifies a row: a placeholder its rank, an item its own `id`.
  public typealias ItemID = RemoteListRowID<Element.ID>
  /// What a row is.
  public typealias Item = RemoteListRow<Element>

  /// What a reader would call the source.
  public let name: String
  private let store: PlaceholderStore<Element, Page>
  /// Called with the rank of a row that is wanted; nil where reading loads nothing.
  private let onWanted: (@Sendable (Int) -> Void)?

  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - loader: What loads the pages.
  ///   - loadsOnRead: Whether reading a placeholder, so as to show it, loads its page: with
  ///     ``item(at:)`` of this source or of a composition, through an adapter, or with
  ///     `prefetchItem(at:)` of a snapshot.
  ///   - rowCountLimit: How many rows the source has at most; what lies behind is not shown.
  ///   - configuration: Limits, timeouts and retries.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  public init(
    name: String, loader: some RandomAccessPageLoader<Element, Page>, loadsOnRead: Bool = false,
    rowCountLimit: Int = 100_000, configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate, isEqual: @escaping @Sendable (Element, Element) -> Bool
  ) {
    self.name = name
    let rules = ItemRules<Item>(isEqual: { left, right in
      guard let left = left.item, let right = right.item else {
        return left.isPlaceholder && right.isPlaceholder
      }
      return isEqual(left, right)
    })
    let store = PlaceholderStore(
      loader: loader, rowCountLimit: max(0, rowCountLimit), configuration: configuration,
      delivery: delivery, rules: rules)
    self.store = store
    // Snapshots may outlive the source: they do not keep it loading.
    if loadsOnRead {
      onWanted = { [weak store] rank in store?.want(rank: rank) }
    } else {
      onWanted = nil
    }
    store.queue.events.bind(self)
  }

  /// Creates a source.
  ///
  /// See ``init(name:loader:loadsOnRead:rowCountLimit:configuration:delivery:isEqual:)`` for more
  /// information.
  public convenience init(
    name: String, loader: some RandomAccessPageLoader<Element, Page>, loadsOnRead: Bool = false,
    rowCountLimit: Int = 100_000, configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate
  ) where Element: Equatable {
    self.init(
      name: name, loader: loader, loadsOnRead: loadsOnRead, rowCountLimit: rowCountLimit,
      configuration: configuration, delivery: delivery, isEqual: ==)
  }

  deinit {
    store.queue.abandon()
  }

  // MARK: - Loading

  /// Loads the first page, or refreshes all pages that were loaded, and returns at once.
  ///
  /// See ``/Sectile/DataSource/load()``.
  public func load() {
    store.refresh()
  }

  /// Loads again all pages that were loaded, and waits until the difference is delivered.
  ///
  /// - Returns: The paths of the rows that were not there before, in the version after.
  /// - Throws: ``RemoteError`` where the load fails, and `CancellationError` where the source, or
  ///   the task that waits, is cancelled.
  @discardableResult public func refresh() async throws -> [ItemPath] {
    try await store.refresh().outcome.value()
  }

  /// Loads the page with the row at a path, and waits until it is delivered.
  ///
  /// Joins a load of the same page. An item that is loaded already is not loaded again.
  ///
  /// - Parameter path: A path in the current version.
  /// - Returns: The paths of the rows that were not there before, in the version after.
  /// - Throws: ``RemoteError`` where the load fails, and `CancellationError` where the source, or
  ///   the task that waits, is cancelled; `DataSourceError` with the code `noSuchPath`.
  @discardableResult public func fetch(at path: ItemPath) async throws -> [ItemPath] {
    let snapshot = snapshot
    guard try snapshot.item(at: path).isPlaceholder else { return [] }
    return try await store.page(withRank: snapshot.rank(of: path), isWanted: true).outcome.value()
  }

  /// Begins to load the pages with the rows at some paths, and returns at once.
  ///
  /// Only a few such pages wait at a time: when more are asked for, the oldest are forgotten, since
  /// whoever scrolls fast is no longer there.
  ///
  /// - Parameter paths: Where something will be read soon; paths that do not exist are passed over.
  public func prefetch(at paths: some Sequence<ItemPath>) {
    let snapshot = snapshot
    for path in paths where path.section == 0 && (0..<snapshot.numberOfItems).contains(path.item) {
      guard snapshot.row(at: path).item.isPlaceholder else { continue }
      store.page(withRank: path.item, isWanted: false)
    }
  }

  /// Ends all requests and callbacks.
  ///
  /// Whoever waits for a load gets a `CancellationError`. See ``/Sectile/DataSource/cancel()``.
  public func cancel() {
    store.queue.cancel()
  }

  /// Whether a load runs or waits.
  public var isLoading: Bool { store.queue.isLoading }

  /// How many items the list has, where the service said so; as of the last page.
  public var totalCount: Int? { store.queue.visible.progress.total }

  // MARK: - Listening

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { store.queue.events }

  // MARK: - Reading

  /// The contents a reader sees, as a value that never changes; reading it loads nothing.
  public var snapshot: PagedSnapshot<ItemID, Item> {
    var snapshot = store.queue.visible.snapshot
    snapshot.onWanted = onWanted
    return snapshot
  }

  /// Returns the row at a path; in a source that `loadsOnRead`, a placeholder begins to be loaded.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    let snapshot = snapshot
    let item = try snapshot.item(at: path)
    snapshot.noteWanted(at: path)
    return item
  }
}
