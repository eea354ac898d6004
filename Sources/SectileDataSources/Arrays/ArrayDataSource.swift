public import SectileCore

/// A source over an array that is held in memory, and that its owner changes.
///
/// The items form one section without a title, or sections by what a closure says of each item; a
/// source without items has no sections. Sections stand in the order in which their first items
/// stand in the array. Replacing the array, or changing it at paths, delivers the exact difference
/// as one ``Changeset``; a change that changes nothing delivers nothing.
///
/// The source is empty until ``load()``. Callbacks are made where the ``CallbackDelivery`` says, in
/// the order of the changes. All members may be used from any thread, and from inside callbacks.
///
/// A change at a path costs O(log *n*), with sections by a closure O(log² *n*), and what is copied
/// for readers of the version before: some kilobytes of an array of a million items. Where the
/// change makes one section change places with others, each of its items adds O(log *n*).
///
/// ```swift
/// let source = ArrayDataSource(name: "fruit", items: fruit) { fruit in
///   SourceSection(identity: .text(fruit.colour), title: fruit.colour)
/// }
/// source.delegate = printer
/// source.load()                            // willLoad, didPartiallyLoad, didFinishLoading
/// try source.remove(at: path)              // the same, with one delete
/// try source.replace(with: otherFruit)     // the same, with the difference
/// ```
///
/// For an array that never changes, see ``FixedDataSource``.
public final class ArrayDataSource<Item: Identifiable & Sendable>: DataSource
where Item.ID: Sendable {
  /// What identifies an item: its own `id`.
  public typealias ItemID = Item.ID

  /// What a reader would call the source.
  public let name: String
  private let store: ItemStore<ItemID, Item>
  private let section: (@Sendable (Item) -> SourceSection)?
  private let allowing: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)?

  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items; no two may share an `id`, or ``load()`` delivers a failure.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  ///   - allows: Returns whether an item may be edited in a way: see ``allows(_:at:)``; nil allows
  ///     everything.
  public init(
    name: String, items: some Sequence<Item>, delivery: CallbackDelivery = .immediate,
    isEqual: @escaping @Sendable (Item, Item) -> Bool,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil,
    allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)? = nil
  ) {
    self.name = name
    self.section = section
    allowing = allows
    store = ItemStore(delivery: delivery, isEqual: isEqual, fingerprint: nil) {
      () throws(DataSourceError) in try ArrayEdit.arrange(items, sectionedBy: section)
    }
    store.events.bind(self)
  }

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items; no two may share an `id`, or ``load()`` delivers a failure.
  ///   - delivery: Where callbacks are made.
  ///   - section: Returns the section an item belongs to; nil puts all items into one.
  ///   - allows: Returns whether an item may be edited in a way: see ``allows(_:at:)``; nil allows
  ///     everything.
  public convenience init(
    name: String, items: some Sequence<Item>, delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil,
    allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)? = nil
  ) where Item: Equatable {
    self.init(
      name: name, items: items, delivery: delivery, isEqual: ==, sectionedBy: section,
      allows: allows)
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
  ///   - allows: Returns whether an item may be edited in a way: see ``allows(_:at:)``; nil allows
  ///     everything.
  public init(
    name: String, items: some Sequence<Item>, delivery: CallbackDelivery = .immediate,
    sectionedBy section: (@Sendable (Item) -> SourceSection)? = nil,
    allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)? = nil
  ) where Item: Hashable {
    self.name = name
    self.section = section
    allowing = allows
    store = ItemStore(delivery: delivery, isEqual: ==, fingerprint: RowFingerprint.hashing) {
      () throws(DataSourceError) in try ArrayEdit.arrange(items, sectionedBy: section)
    }
    store.events.bind(self)
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

  // MARK: - Changing

  /// Replaces the array: listeners get the difference.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; the array is then as it was.
  /// - Complexity: O(*n* log *n*) in the number of items before and after.
  public func replace(with items: some Sequence<Item>) throws(DataSourceError) {
    let items = try ArrayEdit.arrange(items, sectionedBy: section)
    store.replace(with: items)
  }

  /// Appends an item to the array.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  public func append(_ item: Item) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.append(item) }
  }

  /// Appends items to the array, in one changeset.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; nothing is appended then.
  public func append(contentsOf items: some Sequence<Item>) throws(DataSourceError) {
    let items = Array(items)
    try change { edit throws(DataSourceError) in try edit.append(contentsOf: items) }
  }

  /// Makes several changes that are delivered as one changeset, in one lifecycle.
  ///
  /// ```swift
  /// try source.batch { edit in
  ///   try edit.move(from: last, to: first)
  ///   try edit.append(contentsOf: news)
  /// }
  /// ```
  ///
  /// - Parameter body: Makes the changes. It should have no other effects: it works on a copy, and
  ///   is called again where another thread changed the source meanwhile.
  /// - Throws: What `body` throws; the source is then as it was. ``DataSourceError`` with
  ///   `duplicateIdentity` where the array as a whole was refused.
  /// - Complexity: O(*c* log *n*) for *c* changes, with sections by a closure O(*c* log² *n*).
  public func batch(_ body: (inout ArrayEdit<Item>) throws -> Void) throws {
    try store.changeThrowing { edit in
      var draft = ArrayEdit(edit, sectionedBy: section)
      try body(&draft)
      edit = draft.edit
    }
  }

  private func change(
    _ body: (inout ArrayEdit<Item>) throws(DataSourceError) -> Void
  ) throws(DataSourceError) {
    try store.change { edit throws(DataSourceError) in
      var draft = ArrayEdit(edit, sectionedBy: section)
      try body(&draft)
      edit = draft.edit
    }
  }
}

extension ArrayDataSource: ItemInserting, ItemRemoving, ItemMoving, ItemReplacing {
  /// Returns what the closure says that the source was created with; true without one.
  ///
  /// The closure is handed the item that is at the path; nil where there is none, as behind the
  /// last one of a section, where one may be inserted.
  ///
  /// ```swift
  /// let source = ArrayDataSource(name: "fruit", items: fruit, allows: { capability, _, fruit in
  ///   capability != .removing || fruit?.isFixed != true
  /// })
  /// ```
  public func allows(_ capability: EditingCapability, at path: ItemPath) -> Bool {
    allowing?(capability, path, try? item(at: path)) ?? true
  }

  /// Returns where an item lands that is moved: in its own section, whichever it was moved to.
  ///
  /// - Complexity: That of the move.
  public func destination(forMovingItemAt path: ItemPath, to target: ItemPath) -> ItemPath? {
    var draft = ArrayEdit(ItemsEdit(store.current), sectionedBy: section)
    guard let id = try? draft.item(at: path).id, (try? draft.move(from: path, to: target)) != nil
    else { return nil }
    return draft.path(of: id).map { ItemPath(section: path.section, item: $0.item) }
  }

  /// Inserts an item before the one at a path, or at the end where the path is just behind a
  /// section's last item.
  ///
  /// In a source with sections the item's own section decides where it is seen.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public func insert(_ item: Item, at path: ItemPath) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.insert(item, at: path) }
  }

  /// Removes the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func remove(at path: ItemPath) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.remove(at: path) }
  }

  /// Removes the item with an identity, wherever it is by now.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchItem`; with `itemChanged` where it is not what was
  ///   read.
  public func remove(id: Item.ID, ifStill expected: Item?) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in
      let path = try check(edit.path(of: id), expected) { path throws(DataSourceError) in
        try edit.item(at: path)
      }
      try edit.remove(at: path)
    }
  }

  /// Replaces the item with an identity, wherever it is by now.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchItem` or `duplicateIdentity`; with `itemChanged`
  ///   where it is not what was read.
  public func replace(
    id: Item.ID, with item: Item, ifStill expected: Item?
  ) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in
      let path = try check(edit.path(of: id), expected) { path throws(DataSourceError) in
        try edit.item(at: path)
      }
      try edit.replace(at: path, with: item)
    }
  }

  /// Replaces the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public func replace(at path: ItemPath, with item: Item) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.replace(at: path, with: item) }
  }

  /// Moves the item at a path to where another path points to once the item is taken out.
  ///
  /// In a source with sections the item stays in its own section.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func move(from path: ItemPath, to target: ItemPath) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.move(from: path, to: target) }
  }
}
