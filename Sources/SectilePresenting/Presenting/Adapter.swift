public import SectileCore

/// Keeps a target up to date with a source, through a presenter.
///
/// Each of the three can be replaced while the adapter runs, without the others noticing: another
/// presenter shows the same source anew, another source is shown by the same presenter, with
/// exactly the difference where there is a way to compare.
///
/// ```swift
/// let table = TerminalTable<String> { print($0) }
/// let adapter = Adapter(source: foods, presenter: presenter, target: table)
/// adapter.onSelect = { food, origin, path in … }
/// try foods.load()                    // the table shows the foods
/// adapter.presenter = largePresenter  // shows them anew
/// ```
///
/// Several adapters on one source, with different presenters, all show the same state. An adapter
/// keeps its source and its target alive, and stops when it is released.
///
/// The target is called where the delivery says, in the order of the source's changes, one call at
/// a time and never under a lock. Where more than 256 calls wait for a slow target, one that shows
/// everything anew takes their place. All members may be used from any thread.
public final class Adapter<ItemID: Hashable & Sendable, Item: Sendable, Cell: Sendable>: Sendable {
  let store: AdapterStore<ItemID, Item, Cell>

  /// Creates an adapter, and lets the target show what the source contains.
  ///
  /// - Parameters:
  ///   - source: What to show.
  ///   - presenter: What makes cells from items.
  ///   - target: What shows the cells; may be set later.
  ///   - delivery: Where the target is called.
  public init(
    source: any DataSource<ItemID, Item>, presenter: any Presenter<Item, Cell>,
    target: (any PresentationTarget<ItemID, Cell>)? = nil, delivery: CallbackDelivery = .immediate
  ) {
    store = AdapterStore(source: source, presenter: presenter, target: target, delivery: delivery)
    store.replaceSource(with: source, isEqual: nil)
  }

  deinit {
    store.stop()
  }

  /// What is shown.
  ///
  /// Setting another source lets the target show everything anew.
  public var source: any DataSource<ItemID, Item> {
    get { store.source }
    set { store.replaceSource(with: newValue, isEqual: nil) }
  }

  /// Shows another source, and tells the target the exact difference.
  ///
  /// Items are the same where their identities are equal.
  ///
  /// - Parameters:
  ///   - source: What to show from now on.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  /// - Complexity: O(*n* log *n*) in the number of items in both sources; all of them are read.
  public func replaceSource(
    with source: any DataSource<ItemID, Item>, isEqual: @escaping (Item, Item) -> Bool
  ) {
    store.replaceSource(with: source, isEqual: isEqual)
  }

  /// What makes cells from items.
  ///
  /// Setting another presenter lets the target show everything anew.
  public var presenter: any Presenter<Item, Cell> {
    get { store.presenter }
    set { store.replacePresenter(with: newValue) }
  }

  /// What shows the cells.
  ///
  /// Another target is told to show everything at once; the former one is told nothing more.
  public var target: (any PresentationTarget<ItemID, Cell>)? {
    get { store.target }
    set { store.replaceTarget(with: newValue) }
  }

  /// What the target was told to show last.
  ///
  /// A list view asks here for the cells it needs.
  public var contents: any PresentedContents<ItemID, Cell> { store.delivered }

  /// Lets the target show everything anew.
  public func reload() {
    store.reload()
  }

  /// Lets the target make the cells of items anew, where what they show besides the item changed: a
  /// mark for those that are selected, say.
  ///
  /// ```swift
  /// let token = selection.observe { change in
  ///   adapter.refresh(change.selected + change.deselected)
  /// }
  /// ```
  public func refresh(_ ids: some Sequence<ItemID>) {
    store.refresh(Array(ids))
  }

  // MARK: - Selecting

  /// Called with the item, the source it comes from with its path there, and its path in
  /// ``source``.
  public var onSelect: (@Sendable (_ item: Item, _ origin: ItemOrigin, _ path: ItemPath) -> Void)? {
    get { store.onSelect }
    set { store.onSelect = newValue }
  }

  /// Tells that a reader chose the item at a path of what the target shows.
  ///
  /// The source may have moved on since: the item is looked up again by its identity.
  ///
  /// - Returns: False where there is no such item any more; ``onSelect`` is not called then.
  /// - Throws: What reading from the source throws.
  @discardableResult
  public func select(at path: ItemPath) throws -> Bool {
    try store.select(at: path)
  }
}
