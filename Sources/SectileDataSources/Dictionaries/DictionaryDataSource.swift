public import SectileCore

/// A source over a dictionary that is held in memory: a title, and the items of its section.
///
/// A section's identity is its title as a text. Sections stand in a ``SectionTitleOrder``; one
/// without items is not shown, unless the source keeps empty sections. Every change delivers the
/// exact difference as one ``Changeset``; a change that changes nothing delivers nothing.
///
/// The source is empty until ``load()``. Callbacks are made where the ``CallbackDelivery`` says, in
/// the order of the changes. All members may be used from any thread, and from inside callbacks. A
/// change costs O(log *n*) per item it concerns, and what is copied for readers of the version
/// before: some kilobytes of a million items.
///
/// ```swift
/// let source = DictionaryDataSource(
///   name: "kitchen", items: ["fruit": [apple, pear], "herbs": [dill]])
/// source.load()
/// try source.append([basil], toSection: "herbs")
/// try source.setItems([pear], inSection: "fruit")      // one delete
/// ```
public final class DictionaryDataSource<Item: Identifiable & Sendable>: DataSource
where Item.ID: Sendable {
  /// What identifies an item: its own `id`, over all sections.
  public typealias ItemID = Item.ID

  /// What a reader would call the source.
  public let name: String
  /// Whether sections without items are shown.
  public let keepsEmptySections: Bool
  private let order: SectionTitleOrder
  private let store: ItemStore<ItemID, Item>
  private let allowing: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)?

  /// Creates a source whose items are compared by a closure.
  ///
  /// - Parameters:
  ///   - name: What a reader would call the source.
  ///   - items: The items by the titles of their sections; no two items may share an `id`, or
  ///     ``load()`` delivers a failure.
  ///   - order: The order of the sections.
  ///   - keepsEmptySections: Whether a section without items is shown until it is removed.
  ///   - delivery: Where callbacks are made.
  ///   - isEqual: Returns whether two items of one identity are the same in every respect.
  ///   - allows: Returns whether an item may be edited in a way: see ``allows(_:at:)``; nil allows
  ///     everything.
  public convenience init(
    name: String, items: [String: [Item]] = [:], order: SectionTitleOrder = .byTitle,
    keepsEmptySections: Bool = false, delivery: CallbackDelivery = .immediate,
    isEqual: @escaping @Sendable (Item, Item) -> Bool,
    allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)? = nil
  ) {
    self.init(name, items, order, keepsEmptySections, delivery, isEqual, nil, allows)
  }

  /// Creates a source.
  ///
  /// See ``init(name:items:order:keepsEmptySections:delivery:isEqual:allows:)`` for more
  /// information.
  public convenience init(
    name: String, items: [String: [Item]] = [:], order: SectionTitleOrder = .byTitle,
    keepsEmptySections: Bool = false, delivery: CallbackDelivery = .immediate,
    allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)? = nil
  ) where Item: Equatable {
    self.init(name, items, order, keepsEmptySections, delivery, ==, nil, allows)
  }

  /// Creates a source.
  ///
  /// Since the items are hashable, changesets that are merged for a slow consumer leave out an item
  /// that was changed back. See
  /// ``init(name:items:order:keepsEmptySections:delivery:isEqual:allows:)`` for more information.
  public convenience init(
    name: String, items: [String: [Item]] = [:], order: SectionTitleOrder = .byTitle,
    keepsEmptySections: Bool = false, delivery: CallbackDelivery = .immediate,
    allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)? = nil
  ) where Item: Hashable {
    self.init(
      name, items, order, keepsEmptySections, delivery, ==, { RowFingerprint.hashing($0) },
      allows)
  }

  private init(
    _ name: String, _ items: [String: [Item]], _ order: SectionTitleOrder,
    _ keepsEmptySections: Bool, _ delivery: CallbackDelivery,
    _ isEqual: @escaping @Sendable (Item, Item) -> Bool,
    _ fingerprint: (@Sendable (Item) -> RowFingerprint)?,
    _ allows: (@Sendable (EditingCapability, ItemPath, Item?) -> Bool)?
  ) {
    self.name = name
    allowing = allows
    self.order = order
    self.keepsEmptySections = keepsEmptySections
    store = ItemStore(delivery: delivery, isEqual: isEqual, fingerprint: fingerprint) {
      () throws(DataSourceError) in
      try DictionaryEdit.arrange(items, order: order, keepsEmptySections: keepsEmptySections)
    }
    store.events.bind(self)
  }

  // MARK: - Loading and listening

  /// Shows the items, and from now on every change of them.
  ///
  /// See ``DataSource/load()``.
  public func load() { store.load() }

  /// Stops showing changes; the next ``load()`` catches up.
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

  /// The items of the section with a title, in order; nil where there is no such section.
  public subscript(title: String) -> [Item]? { snapshot.items.list(inSection: title) }

  // MARK: - Changing

  /// Replaces everything: listeners get the difference.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; the source is then as it was.
  /// - Complexity: O(*n* log *n*) in the number of items before and after.
  public func replace(with sections: [String: [Item]]) throws(DataSourceError) {
    let items = try DictionaryEdit.arrange(
      sections, order: order, keepsEmptySections: keepsEmptySections)
    store.replace(with: items)
  }

  /// Replaces the items of a section, which is made where there is none.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`.
  /// - Complexity: O(*k* log *n*) for *k* items in the section before and after.
  public func setItems(
    _ items: some Sequence<Item>, inSection title: String
  ) throws(DataSourceError) {
    let items = Array(items)
    try change { edit throws(DataSourceError) in try edit.setItems(items, inSection: title) }
  }

  /// Appends items to a section, which is made where there is none.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity`; nothing is appended then.
  /// - Complexity: O(*k* log *n*) for *k* items to append.
  public func append(
    _ items: some Sequence<Item>, toSection title: String
  ) throws(DataSourceError) {
    let items = Array(items)
    try change { edit throws(DataSourceError) in try edit.append(items, toSection: title) }
  }

  /// Removes a section with its items, if there is one with the title.
  ///
  /// - Throws: ``DataSourceError`` with `duplicateIdentity` where the items as a whole were
  ///   refused.
  public func removeSection(_ title: String) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in edit.removeSection(title) }
  }

  /// Makes several changes that are delivered as one changeset, in one lifecycle.
  ///
  /// See ``ArrayDataSource/batch(_:)`` for more information.
  public func batch(_ body: (inout DictionaryEdit<Item>) throws -> Void) throws {
    try store.changeThrowing { edit in
      var draft = DictionaryEdit(
        edit: edit, order: order, keepsEmptySections: keepsEmptySections)
      try body(&draft)
      edit = draft.edit
    }
  }
}

extension DictionaryDataSource: ItemInserting, ItemRemoving, ItemMoving, ItemReplacing {
  /// Returns what the closure says that the source was created with; true without one.
  ///
  /// The closure is handed the item that is at the path; nil where there is none, as behind the
  /// last one of a section, where one may be inserted.
  public func allows(_ capability: EditingCapability, at path: ItemPath) -> Bool {
    allowing?(capability, path, try? item(at: path)) ?? true
  }

  /// Inserts an item before the one at a path, or behind the last one of a section.
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

  /// Replaces the item at a path; it stays in its section.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath` or `duplicateIdentity`.
  public func replace(at path: ItemPath, with item: Item) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.replace(at: path, with: item) }
  }

  /// Moves the item at a path, also into another section.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchPath`.
  public func move(from path: ItemPath, to target: ItemPath) throws(DataSourceError) {
    try change { edit throws(DataSourceError) in try edit.move(from: path, to: target) }
  }

  private func change(
    _ body: (inout DictionaryEdit<Item>) throws(DataSourceError) -> Void
  ) throws(DataSourceError) {
    try store.change { edit throws(DataSourceError) in
      var draft = DictionaryEdit(
        edit: edit, order: order, keepsEmptySections: keepsEmptySections)
      try body(&draft)
      edit = draft.edit
    }
  }
}
