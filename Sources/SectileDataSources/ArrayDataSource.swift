public import SectileCore

/// A source over an array that is held in memory.
///
/// The items form one section without a title, or sections by what a closure says of each item; a
/// source without items has no sections. Sections stand in the order in which their first items
/// stand in the array. Replacing the array, or changing it at a path, delivers the exact difference
/// as one ``Changeset``; a change that changes nothing delivers nothing.
///
/// The source is empty until ``load()``. Callbacks are made where the ``Delivery`` says, in the
/// order of the changes. All members may be used from any thread.
///
/// ```swift
/// let source = ArrayDataSource(name: "fruit", items: fruit) { fruit in
///   SourceSection(identity: .text(fruit.colour), title: fruit.colour)
/// }
/// source.delegate = printer
/// try source.load()                        // willLoad, didPartiallyLoad, didFinishLoading
/// try source.replace(with: fruit.dropLast())
/// ```
public final class ArrayDataSource<Item: Identifiable & Sendable>: DataSource
where Item.ID: Sendable {
  /// What identifies an item: its own `id`.
  public typealias ItemID = Item.ID

  /// What a reader would call the source.
  public let name: String
  let store: ArrayStore<Item>

  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items; no two may share an `id`, or ``load()`` delivers a failure.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  public init(
    name: String, items: some Sequence<Item>, delivery: Delivery = .immediate,
    isEqual: @escaping @Sendable (Item, Item) -> Bool,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) {
    self.name = name
    store = ArrayStore(
      items: Array(items), delivery: delivery, isEqual: isEqual, fingerprint: nil, section: section)
    store.hub.bind(self)
  }

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items; no two may share an `id`, or ``load()`` delivers a failure.
  ///   - delivery: Where callbacks are made.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  public convenience init(
    name: String, items: some Sequence<Item>, delivery: Delivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) where Item: Equatable {
    self.init(name: name, items: items, delivery: delivery, isEqual: ==, sectionedBy: section)
  }

  /// Creates a source.
  ///
  /// Since the items are hashable, changesets that are merged for a slow consumer leave out an item
  /// that was changed back.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items; no two may share an `id`, or ``load()`` delivers a failure.
  ///   - delivery: Where callbacks are made.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  public init(
    name: String, items: some Sequence<Item>, delivery: Delivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil
  ) where Item: Hashable {
    self.name = name
    store = ArrayStore(
      items: Array(items), delivery: delivery, isEqual: ==,
      fingerprint: { RowFingerprint(content: UInt64(bitPattern: Int64($0.hashValue))) },
      section: section)
    store.hub.bind(self)
  }

  // MARK: - Loading and listening

  /// Shows the array, and from now on every change of it.
  ///
  /// See ``DataSource/load()``.
  public func load() {
    store.load()
  }

  /// Stops showing changes of the array; the next ``load()`` catches up.
  ///
  /// See ``DataSource/cancel()``.
  public func cancel() {
    store.cancel()
  }

  /// Who hears of loads and changes; held weakly.
  public var delegate: (any DataSourceDelegate<ItemID, Item>)? {
    get { store.hub.delegate }
    set { store.hub.delegate = newValue }
  }

  /// Calls a closure with each event.
  ///
  /// See ``DataSource/observe(on:_:)``.
  public func observe(
    on delivery: Delivery, _ handler: @escaping @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    store.hub.observe(on: delivery, handler)
  }

  /// The changesets from now on.
  ///
  /// See ``DataSource/changesets``.
  public var changesets: ChangesetSequence<ItemID, Item> { store.hub.changesets }

  // MARK: - Reading

  /// The contents a reader sees, as a value that never changes.
  public var snapshot: ContentsSnapshot<ItemID, Item> { store.visible }

  /// Returns the item at a path.
  ///
  /// - Precondition: `path` exists in the current version.
  public func item(at path: ItemPath) -> Item { snapshot.item(at: path) }

  // MARK: - Changing

  /// Replaces the array: listeners get the difference.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; the array is then as it was.
  /// - Complexity: O(*n* log *n*) in the number of items before and after.
  public func replace(with items: some Sequence<Item>) throws(DataSourceError) {
    let items = Array(items)
    try store.change { array throws(DataSourceError) in array = items }
  }

  /// Inserts an item before the one at a path, or at the end where the path is just behind a
  /// section's last item.
  ///
  /// In a source with sections the item's own section decides where it is seen.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public func insert(_ item: Item, at path: ItemPath) throws(DataSourceError) {
    try store.change(at: path, orBehind: true) { array, offset in array.insert(item, at: offset) }
  }

  /// Removes the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func remove(at path: ItemPath) throws(DataSourceError) {
    try store.change(at: path) { array, offset in array.remove(at: offset) }
  }

  /// Replaces the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public func replace(at path: ItemPath, with item: Item) throws(DataSourceError) {
    try store.change(at: path) { array, offset in array[offset] = item }
  }

  /// Moves the item at a path to where another path points to once the item is taken out.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func move(from source: ItemPath, to target: ItemPath) throws(DataSourceError) {
    try store.move(from: source, to: target)
  }
}

extension ArrayDataSource: CancellationTelling {
  package func observeCancellation(
    _ action: @escaping @Sendable () -> Void
  ) -> DataSourceObservation {
    store.hub.observeCancellation(action)
  }
}
