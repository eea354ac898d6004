public import SectileCore

/// A source over a remote list that one operation fetches as a whole.
///
/// ```swift
/// let source = RemoteDataSource(name: "stations") { try await radio.stations() }
/// source.delegate = printer
/// source.load()                       // willLoad, and later didPartiallyLoad, didFinishLoading
/// try await source.refresh()          // the exact difference, if there is one
/// ```
///
/// The list of a service, apart from the transport and the parser, is such an operation too:
///
/// ```swift
/// let service = RemoteService(transport: transport, parser: parser)
/// let source = RemoteDataSource(name: "stations", operation: service.fetchItems)
/// ```
///
/// The lifecycle of a load begins when the request is made and ends once: with `didFinishLoading`,
/// or with `didFail` and a ``RemoteError``. Requests that fail are made again as the
/// ``RemoteConfiguration`` says; after a failure everything that is there stays. Items are told
/// apart by their `id`; where one occurs twice, the last value counts, at the first place.
///
/// All members may be used from any thread. Releasing the source ends its request.
public final class RemoteDataSource<Item: Identifiable & Sendable>: DataSource
where Item.ID: Sendable {
  /// What identifies an item: its own `id`.
  public typealias ItemID = Item.ID

  /// What a reader would call the source.
  public let name: String
  private let pages: PaginationStore<Item, Int>

  private init(
    name: String, operation: @escaping @Sendable () async throws -> [Item],
    configuration: RemoteConfiguration, delivery: CallbackDelivery, rules: ItemRules<Item>
  ) {
    self.name = name
    let loader = PageOperation(firstPage: 0) { _ in
      LoadedPage<Item, Int>(items: try await operation(), nextPage: nil)
    }
    pages = PaginationStore(
      loader: loader, pagesPerLoad: 1, configuration: configuration, delivery: delivery,
      rules: rules)
    pages.queue.events.bind(self)
  }

  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - configuration: Limits, timeouts and retries.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  ///   - operation: Fetches the whole list.
  public convenience init(
    name: String, configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate, isEqual: @escaping @Sendable (Item, Item) -> Bool,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil,
    operation: @escaping @Sendable () async throws -> [Item]
  ) {
    self.init(
      name: name, operation: operation, configuration: configuration, delivery: delivery,
      rules: ItemRules(isEqual: isEqual, section: section))
  }

  /// Creates a source.
  ///
  /// See ``init(name:configuration:delivery:isEqual:sectionedBy:operation:)`` for more information.
  public convenience init(
    name: String, configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil,
    operation: @escaping @Sendable () async throws -> [Item]
  ) where Item: Equatable {
    self.init(
      name: name, operation: operation, configuration: configuration, delivery: delivery,
      rules: ItemRules(isEqual: ==, section: section))
  }

  /// Creates a source.
  ///
  /// Since the items are hashable, changesets that are merged for a slow consumer leave out an item
  /// that was changed back. See
  /// ``init(name:configuration:delivery:isEqual:sectionedBy:operation:)`` for more information.
  public convenience init(
    name: String, configuration: RemoteConfiguration = RemoteConfiguration(),
    delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil,
    operation: @escaping @Sendable () async throws -> [Item]
  ) where Item: Hashable {
    self.init(
      name: name, operation: operation, configuration: configuration, delivery: delivery,
      rules: ItemRules(hashingWith: section))
  }

  deinit {
    pages.queue.abandon()
  }

  // MARK: - Loading

  /// Fetches the list, or fetches it anew, and returns at once.
  ///
  /// Joins a fetch that is under way. See ``/Sectile/DataSource/load()``.
  public func load() {
    pages.refresh()
  }

  /// Fetches the list, or fetches it anew, and waits until the difference is delivered.
  ///
  /// Joins a fetch that is under way. Cancelling the task that waits ends the waiting, not the
  /// fetch.
  ///
  /// - Returns: The paths of the items that were not there before, in the version after.
  /// - Throws: ``RemoteError`` where the fetch fails, and `CancellationError` where the source, or
  ///   the task that waits, is cancelled.
  @discardableResult public func refresh() async throws -> [ItemPath] {
    try await pages.refresh().outcome.value()
  }

  /// Ends the request and all callbacks.
  ///
  /// Whoever waits for a fetch gets a `CancellationError`. See ``/Sectile/DataSource/cancel()``.
  public func cancel() {
    pages.queue.cancel()
  }

  /// Whether a fetch is under way.
  public var isLoading: Bool { pages.queue.isLoading }

  // MARK: - Listening

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { pages.queue.events }

  // MARK: - Reading

  /// The contents a reader sees, as a value that never changes.
  public var snapshot: PagedSnapshot<ItemID, Item> { pages.visible.snapshot }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    try snapshot.item(at: path)
  }
}
