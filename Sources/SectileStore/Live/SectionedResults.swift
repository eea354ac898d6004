public import SectileCore

/// The live contents of a fetch request, in sections.
///
/// After `load()`, every commit of the store that changes what the request yields arrives as one
/// exact changeset: *changes arrive in commit order, one changeset per commit, never nested*. A
/// commit that changes nothing here is not heard of.
///
/// Ordinals and paths belong to the current ``version``; inside `dataSourceWillLoad` that is the
/// one before the change, from `dataSource(_:didPartiallyLoad:)` on the one after it. The delegate
/// is called where the results' ``CallbackDelivery`` says: by default on the thread that wrote,
/// before `write` returns. Following ends with ``cancel()`` or when the results are released.
///
/// ```swift
/// let request = FetchRequest<Package>()
///   .filter { $0.installedSize > 1024 }
///   .sort(by: \.name)
///   .sectioned(by: \.section)
/// let results = try store.results(of: request)
/// results.delegate = printer
/// try results.load()
/// try store.write { try $0.insert(package) }  // printer hears of it before this returns
/// ```
///
/// Results may be used from any thread. To read several values of one version, use ``snapshot``.
public final class SectionedResults<Item: Identifiable & Sendable>: DataSource
where Item.ID: EntityKey {
  /// What identifies an item: its primary key.
  public typealias ItemID = Item.ID

  /// The name of the table, unless another one was given.
  public let name: String

  let tracker: ResultsTracker
  let items: ItemDelivery<Item>
  let writer: WriterAccess
  let editing: EditingAccess
  let allowing: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)?
  /// How many rows edits may bring into a section; nil for any number.
  let sectionLimit: SectionLimit?
  let checkUsable: @Sendable () throws(StoreError) -> Void

  init(
    name: String, tracker: ResultsTracker, items: ItemDelivery<Item>, writer: WriterAccess,
    editing: EditingAccess,
    allowing: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)?,
    sectionLimit: SectionLimit?,
    checkUsable: @escaping @Sendable () throws(StoreError) -> Void
  ) {
    self.name = name
    self.tracker = tracker
    self.items = items
    self.writer = writer
    self.editing = editing
    self.allowing = allowing
    self.sectionLimit = sectionLimit
    self.checkUsable = checkUsable
    items.hub.bind(tracker)
    items.sourceHub.bind(self, endsItself: true)
  }

  deinit {
    tracker.stop(and: items.sourceHub.end)
  }

  // MARK: Lifecycle

  /// Loads the contents and starts following commits; or loads them anew and delivers the
  /// difference.
  ///
  /// The first batch of a first load is delivered before the rest is read. What reading meets is
  /// thrown, and delivered as a failure to those who listen; it stays in ``failure`` until another
  /// load, or a commit, mends it.
  ///
  /// ```swift
  /// do {
  ///   try results.load()
  /// } catch let error as StoreError where error.code == .schemaMismatch {
  ///   print(error.message)  // The table package has no column nmae, which Package declares.
  /// }
  /// ```
  ///
  /// A load that is made elsewhere cannot throw here what it meets, and the call returns before its
  /// end: where the ``CallbackDelivery`` is a queue or an actor, inside a callback, and while
  /// another thread delivers for these results. `loadAndWait()` waits for the end, and throws
  /// wherever the load is made.
  ///
  /// On a file the load holds the state that it read until its last callback was made: whatever
  /// others write, its items can be read there. All but the first batch is read beside the writer;
  /// what the store commits meanwhile is delivered as one more part of the load.
  ///
  /// - Throws: A ``StoreError``: `storeClosed`, `reentrantAccess` inside a closure of the store;
  ///   what reading and decoding throw, as `schemaMismatch`, `decodingFailed` or `duplicateKey`.
  /// - Complexity: O(*n* log *n*), O(*n*) with an index in the request's order.
  public func load() throws {
    try checkUsable()
    try makeLoad { $0.cycle(deliveredBy: items) }
  }

  /// Makes a load, or leaves it to who is delivering.
  ///
  /// - Throws: What it meets, where it is made in this call.
  func makeLoad(_ cycle: (ResultsLoad) -> ItemDelivery<Item>.Cycle) throws {
    // First: whoever cancels from then on ends this load, too.
    items.sourceHub.resume()
    let loading = ResultsLoad(of: tracker, writer)
    items.sourceHub.submit(cycle(loading))
    items.sourceHub.flush()
    try loading.outcome.get()
  }

  /// Loads the contents and starts following commits, without blocking the caller's thread.
  ///
  /// A delegate that is called at once is called on a thread that may wait. Cancelling the task has
  /// it throw `CancellationError` where its turn has not come; a load that has begun goes on. See
  /// `load()` for more information.
  public func load() async throws {
    try checkUsable()
    try await writer.blockingCalls.run { try load() }
  }

  /// Stops following commits; not to be called inside a closure of the store's `write`.
  ///
  /// After it returned no callback is made until the next `load()`; the contents stay readable,
  /// and that load delivers the difference to them.
  public func cancel() {
    tracker.stop(and: items.sourceHub.stop)()
  }

  /// What the source tells of its loads and changes.
  public var events: DataSourceEvents<ItemID, Item> { items.sourceHub }
}
