/// A live, sectioned list of items: the one protocol that every kind of source shares.
///
/// A source is empty until ``load()``. From then on its delegate hears of every change as a
/// ``Changeset``, in the lifecycle *will load → partially loaded, any number of times → finished,
/// or failed*, never two lifecycles at once. What a reader sees flips from the old contents to the
/// new ones atomically, after `dataSourceWillLoad` returned and before the first
/// `dataSource(_:didPartiallyLoad:)`.
///
/// Ordinals and paths that a source hands out belong to its current ``version``. Sources are safe
/// to use from any thread; to read several values of one version, take a snapshot where the source
/// has one.
///
/// ```swift
/// let results = try store.results(of: request)
/// results.delegate = printer
/// try results.load()
/// print(results.sections[0].title, results.numberOfItems(in: 0))
/// ```
///
/// A source of your own has a ``name``, a ``snapshot``, ``events`` and a ``load()``; all the rest
/// follows. See ``LiveContents`` for what makes the second and the third.
public protocol DataSource<ItemID, Item>: AnyObject, Sendable {
  /// What identifies an item across changes.
  associatedtype ItemID: Hashable & Sendable
  /// What a row is.
  associatedtype Item: Sendable
  /// One version of the contents.
  associatedtype Snapshot: DataSourceSnapshot<ItemID, Item>

  /// What a reader would call the source, for titles and diagnostics.
  var name: String { get }

  /// The current version of the contents, for good: it never changes under the reader.
  ///
  /// All other members that read can be answered from it, and are unless the source knows better.
  var snapshot: Snapshot { get }

  /// What the source tells of its loads and changes; always the same object.
  ///
  /// It is for those who write sources. Who listens asks the source itself.
  var events: DataSourceEvents<ItemID, Item> { get }

  /// The version of the contents: zero before the first load, one more with each changeset.
  var version: Int { get }

  /// The sections, in order.
  var sections: SectionList { get }

  /// The number of sections.
  var numberOfSections: Int { get }

  /// The number of items in all sections.
  var numberOfItems: Int { get }

  /// Returns the number of items in a section; zero where there is no such section.
  func numberOfItems(in section: Int) -> Int

  /// Returns the item at a path.
  ///
  /// The path may come from anywhere, and another thread may have changed the source meanwhile.
  ///
  /// - Throws: ``DataSourceError`` with the code `noSuchPath` where the current version has no item
  ///   at the path; what reading from the source throws.
  func item(at path: ItemPath) throws -> Item

  /// Returns the path of an item, or nil where the source does not contain it.
  func path(of id: ItemID) -> ItemPath?

  /// Returns which source the item at a path comes from, and where it is there: the way for editing
  /// and for interaction to reach an item through compositions.
  ///
  /// Where there is no item at the path, the answer is this source and the path.
  func origin(at path: ItemPath) -> ItemOrigin

  /// Loads the contents, or loads them anew: delegates get the difference to what is there.
  ///
  /// What loading meets is delivered as a failure. A source whose load has ended when the call
  /// returns may throw it as well, as live results of a store do; ``loadAndWait()`` throws it
  /// whatever the source is.
  ///
  /// - Throws: A call that is not possible at all, on a store that was closed, say; what the load
  ///   met.
  func load() throws

  /// Stops loading and observing. After it returned no callback is made until the next ``load()``;
  /// the contents stay readable.
  ///
  /// Waits for a callback that is running on another thread. May be called twice, and from inside a
  /// callback.
  func cancel()

  /// Who hears of loads and changes; held weakly.
  var delegate: (any DataSourceDelegate<ItemID, Item>)? { get set }

  /// Calls a closure with each event, in order, until the returned token is cancelled or released.
  ///
  /// - Parameters:
  ///   - delivery: Where the closure is called; ``CallbackDelivery/immediate`` is where the
  ///     delegate is.
  ///   - handler: What to call.
  /// - Returns: The token; releasing it ends the calls.
  func observe(
    on delivery: CallbackDelivery,
    _ handler: @escaping @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation

  /// The changesets from now on, as an asynchronous sequence. A consumer that is slower than the
  /// source gets the changes it missed merged into one changeset, in bounded memory.
  var changesets: ChangesetSequence<ItemID, Item> { get }
}
