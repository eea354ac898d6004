public import SectileCore

/// A source over a remote list that is loaded page by page.
///
/// ``load()`` brings the first pages, ``fetchMore()`` the following ones and answers with the paths
/// of what is new, ``refresh()`` loads again what is there and delivers the exact difference:
///
/// ```swift
/// let source = PaginatedDataSource(name: "songs", loader: service)
/// source.delegate = printer
/// source.load()                                  // willLoad, and later the first page
/// let paths = try await source.fetchMore()       // [0.50, 0.51, …]
/// if source.hasMore { … }
/// ```
///
/// Loads run one at a time, in the order in which they were asked for; asking for one that runs or
/// waits already joins it. The lifecycle of a load begins when its first request is made, delivers
/// pages of new items as they arrive, and ends once: with `didFinishLoading`, or with `didFail` and
/// a ``RemoteError``. Requests that fail are made again as the ``RemoteConfiguration`` says. After
/// a failure everything that is there stays, and the next load starts where this one failed.
///
/// Items are told apart by their `id`. One that arrives a second time is updated where it is, so
/// that overlapping pages, or items that moved on between two requests, do no harm. In a source
/// with sections an item whose section changed moves to the end of the new one.
///
/// Pages that follow one another are not read at one moment: what the server deletes or inserts
/// meanwhile may be missing, or stay, until the next ``refresh()``.
///
/// All members may be used from any thread. Releasing the source ends its requests.
public final class PaginatedDataSource<Item: Identifiable & Sendable, Page: Hashable & Sendable>:
  DataSource
where Item.ID: Sendable {
  /// What identifies an item: its own `id`.
  public typealias ItemID = Item.ID

  /// What a reader would call the source.
  public let name: String
  private let store: PaginationStore<Item, Page>

  init(name: String, store: PaginationStore<Item, Page>) {
    self.name = name
    self.store = store
    store.queue.events.bind(self)
  }

  deinit {
    store.queue.abandon()
  }

  // MARK: - Loading

  /// Loads the first pages, or refreshes what is there, and returns at once.
  ///
  /// A load of this kind that runs or waits already is not begun a second time. See
  /// ``/Sectile/DataSource/load()``.
  public func load() {
    store.refresh()
  }

  /// Loads again what is there, at least the first pages, and waits until that is delivered.
  ///
  /// The list stays as it is until all pages have arrived; then listeners get the exact difference.
  /// A list without items is not refreshed but loaded: its pages are delivered as they arrive.
  ///
  /// - Returns: The paths of the items that were not there before, in the version after.
  /// - Throws: ``RemoteError`` where the load fails, and `CancellationError` where the source, or
  ///   the task that waits, is cancelled.
  @discardableResult public func refresh() async throws -> [ItemPath] {
    try await store.refresh().outcome.value()
  }

  /// Loads the next pages, and waits until they are delivered.
  ///
  /// Calling it while it runs joins the call that runs: both answer with the same paths. Once the
  /// last page of that call is seen, a call means the pages after it: so whoever hears of a page
  /// can ask for the next one at once, and it is loaded when this load has ended. Cancelling the
  /// task that waits ends the waiting, not the load. A source that was not loaded yet loads its
  /// first pages; one that was cancelled goes on from what is there.
  ///
  /// - Returns: The paths of the new items, in the version after, ascending; none at the end of the
  ///   list.
  /// - Throws: ``RemoteError`` where the load fails, and `CancellationError` where the source, or
  ///   the task that waits, is cancelled.
  @discardableResult public func fetchMore() async throws -> [ItemPath] {
    guard let load = store.more() else { return [] }
    return try await load.outcome.value()
  }

  /// Ends all requests and callbacks.
  ///
  /// Whoever waits for a load gets a `CancellationError`. See ``/Sectile/DataSource/cancel()``.
  public func cancel() {
    store.queue.cancel()
  }

  // MARK: - How far it is

  /// Whether a load runs or waits.
  public var isLoading: Bool { store.queue.isLoading }

  /// Whether there may be more to fetch; false once the last page of the list was loaded.
  public var hasMore: Bool { store.visible.progress.next != nil }

  /// The page that is fetched next, or nil at the end of the list.
  public var nextPage: Page? { store.visible.progress.next }

  /// How many items the whole list has, where the server said so; as of the last page.
  public var totalCount: Int? { store.visible.progress.total }

  // MARK: - Listening

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { store.queue.events }

  // MARK: - Reading

  /// The contents a reader sees, as a value that never changes.
  public var snapshot: PagedSnapshot<ItemID, Item> { store.visible.snapshot }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    try snapshot.item(at: path)
  }
}

extension PaginatedDataSource: PageFetching {
  package var isSourceTellingFailures: Bool { true }
  package func fetchNextPage() async throws { try await fetchMore() }
}
