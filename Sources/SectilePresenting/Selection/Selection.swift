public import SectileCore
internal import SectileDataSources

/// Which items of a source are selected.
///
/// Items are selected by identity: they stay selected while they move, change and are loaded anew,
/// and leave the selection when they leave the source, also where that falls below a minimum. So a
/// selection works on any source, and on any composition of sources. Where one source stands in
/// several places of a composition, and a commit takes an item from one to another, the item is
/// selected there.
///
/// ```swift
/// let selection = Selection(of: songs, mode: .range(1...2))
/// let token = selection.observe { change in print("+", change.selected, "-", change.deselected) }
/// selection.select("a")          // + ["a"] - []
/// selection.select("b")          // + ["b"] - []
/// selection.select("c")          // + ["c"] - ["a"]: beyond the maximum the oldest goes
/// selection.deselect("b")        // + [] - ["b"]
/// selection.deselect("c")        // nothing: the minimum is reached
/// songs.remove(at: path)         // + [] - ["c"]: the item is gone
/// ```
///
/// Changes are told in the order in which they happened, never under a lock: whoever hears of one
/// may select, change the source, or end the observation. All members may be used from any thread.
/// A selection keeps its source alive.
public final class Selection<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  private let store: SelectionStore<ItemID, Item>
  private let token: DataSourceObservation

  /// Creates an empty selection with one mode for all items.
  ///
  /// - Parameters:
  ///   - source: The source whose items may be selected.
  ///   - mode: How many of them.
  public convenience init(of source: any DataSource<ItemID, Item>, mode: SelectionMode = .multiple)
  {
    self.init(SelectionStore(source: source, isSectioned: false) { _ in mode })
  }

  /// Creates an empty selection with a mode for each section.
  ///
  /// ```swift
  /// Selection(of: menu) { section in section == "pizza" ? .single : .range(0...3) }
  /// ```
  ///
  /// An item that moves into another section stays selected there, even beyond that section's
  /// maximum, until another one is selected in it.
  ///
  /// - Parameters:
  ///   - source: The source whose items may be selected.
  ///   - mode: Returns how many items may be selected in the section with an identity.
  public convenience init(
    of source: any DataSource<ItemID, Item>,
    modeOfSection mode: @escaping @Sendable (_ identity: StoredValue) -> SelectionMode
  ) {
    self.init(
      SelectionStore(source: source, isSectioned: true) { group in
        switch group {
        case .everything: .multiple
        case .section(let identity): mode(identity)
        }
      })
  }

  private init(_ store: SelectionStore<ItemID, Item>) {
    self.store = store
    token = store.source.observe(on: .immediate) { [weak store] event in store?.follow(event) }
  }

  /// The source whose items may be selected.
  public var source: any DataSource<ItemID, Item> { store.source }

  /// Calls a closure with each change from now on, until the token is cancelled or released.
  ///
  /// - Parameters:
  ///   - delivery: Where the closure is called. With ``/Sectile/CallbackDelivery/immediate`` it is
  ///     the thread that selected or that changed the source, before its call returns; unless
  ///     another thread is calling the closure just then: that one goes on with this change,
  ///     possibly after the selecting call returned. The same holds for what is selected from
  ///     inside the closure.
  ///   - handler: What to call.
  /// - Returns: The token; releasing it ends the calls.
  public func observe(
    on delivery: CallbackDelivery = .immediate,
    _ handler: @escaping @Sendable (SelectionChange<ItemID>) -> Void
  ) -> DataSourceObservation {
    store.events.observe(on: delivery, handler)
  }

  // MARK: - Reading

  /// The identities of the selected items, in the order of their selection.
  ///
  /// - Complexity: O(*k*) for *k* selected items.
  public var ids: [ItemID] { store.current.items.ids }

  /// The number of selected items.
  public var count: Int { store.current.items.count }

  /// Whether nothing is selected.
  public var isEmpty: Bool { store.current.items.isEmpty }

  /// Returns whether an item is selected.
  public func contains(_ id: ItemID) -> Bool { store.current.items.contains(id) }

  /// The paths of the selected items in the source's current version, in the order of the contents.
  ///
  /// - Complexity: O(*k* log *k*) and *k* look-ups, for *k* selected items.
  public var paths: [ItemPath] { paths(in: source.snapshot) }

  /// Returns the paths of the selected items in a snapshot, in the order of the contents.
  ///
  /// Items that the snapshot does not contain are left out.
  public func paths(in snapshot: any DataSourceSnapshot<ItemID, Item>) -> [ItemPath] {
    ids.compactMap { snapshot.path(of: $0) }.sorted()
  }

  /// The selected items, in the order of the contents; all of one version.
  ///
  /// - Throws: What reading from the source throws; never for a source that is held in memory.
  public var items: [Item] {
    get throws {
      let snapshot = source.snapshot
      return try paths(in: snapshot).map { try snapshot.item(at: $0) }
    }
  }

  // MARK: - Selecting

  /// Selects an item.
  ///
  /// One that is selected already keeps its age.
  ///
  /// - Returns: Whether the item is selected now; it is not where the source does not contain it,
  ///   or its mode is ``SelectionMode/none``.
  @discardableResult
  public func select(_ id: ItemID) -> Bool { select([id]) }

  /// Selects the item at a path of the current version, if there is one.
  ///
  /// See ``select(_:)-(ItemID)`` for more information.
  @discardableResult
  public func select(at path: ItemPath) -> Bool {
    edit(at: path) { draft, id, group in
      draft.select(id, in: group)
      return draft.contains(id)
    }
  }

  /// Selects items one after another, as one change.
  ///
  /// - Returns: Whether all of them are selected now.
  @discardableResult
  public func select(_ ids: some Sequence<ItemID>) -> Bool {
    let ids = Array(ids)
    return store.edit { draft, snapshot in
      for id in ids {
        guard let path = snapshot.path(of: id) else { continue }
        draft.select(id, in: store.group(of: path, in: snapshot))
      }
      return ids.allSatisfy { draft.contains($0) }
    }
  }

  /// Deselects an item, unless its mode's minimum is reached.
  ///
  /// - Returns: Whether the item is not selected now.
  @discardableResult
  public func deselect(_ id: ItemID) -> Bool { deselect([id]) }

  /// Deselects the item at a path of the current version, if there is one.
  ///
  /// See ``deselect(_:)-(ItemID)`` for more information.
  @discardableResult
  public func deselect(at path: ItemPath) -> Bool {
    edit(at: path) { draft, id, _ in
      draft.deselect(id)
      return !draft.contains(id)
    }
  }

  /// Deselects items one after another, as one change, until a minimum is reached.
  ///
  /// - Returns: Whether none of them is selected now.
  @discardableResult
  public func deselect(_ ids: some Sequence<ItemID>) -> Bool {
    let ids = Array(ids)
    return store.edit { draft, _ in
      for id in ids { draft.deselect(id) }
      return !ids.contains { draft.contains($0) }
    }
  }

  /// Selects an item that is not selected, and deselects one that is.
  ///
  /// - Returns: Whether the item is selected now.
  /// - Complexity: O(log *n*), however many items are selected.
  @discardableResult
  public func toggle(_ id: ItemID) -> Bool {
    store.edit { draft, snapshot in
      toggle(id, snapshot.path(of: id).map { store.group(of: $0, in: snapshot) }, in: &draft)
    }
  }

  /// Toggles the item at a path of the current version, if there is one.
  ///
  /// See ``toggle(_:)`` for more information.
  @discardableResult
  public func toggle(at path: ItemPath) -> Bool {
    edit(at: path) { draft, id, group in toggle(id, group, in: &draft) }
  }

  /// Selects all items whose mode allows as many; with a mode for each section, section by section.
  ///
  /// - Returns: Whether all items are selected now.
  @discardableResult
  public func selectAll() -> Bool {
    store.edit { draft, snapshot in
      var isComplete = true
      for (group, sections) in store.groups(in: snapshot) {
        let count = sections.reduce(0) { $0 + snapshot.numberOfItems(in: $1) }
        guard count <= draft.limits(of: group).maximum ?? .max else {
          isComplete = false
          continue
        }
        for section in sections {
          for item in 0..<snapshot.numberOfItems(in: section) {
            draft.select(snapshot.id(at: ItemPath(section: section, item: item)), in: group)
          }
        }
      }
      return isComplete
    }
  }

  /// Deselects all items whose mode has no minimum.
  ///
  /// - Returns: Whether nothing is selected now.
  @discardableResult
  public func selectNone() -> Bool {
    store.edit { draft, _ in
      draft.deselectAll()
      return draft.items.isEmpty
    }
  }

  private func toggle(
    _ id: ItemID, _ group: SelectionDraft<ItemID>.Group?, in draft: inout SelectionDraft<ItemID>
  ) -> Bool {
    if draft.contains(id) {
      draft.deselect(id)
    } else if let group {
      draft.select(id, in: group)
    }
    return draft.contains(id)
  }

  private func edit(
    at path: ItemPath,
    _ body: (inout SelectionDraft<ItemID>, ItemID, SelectionDraft<ItemID>.Group) -> Bool
  ) -> Bool {
    store.edit { draft, snapshot in
      // A path of an earlier version may be gone by now.
      guard snapshot.contains(path) else { return false }
      return body(&draft, snapshot.id(at: path), store.group(of: path, in: snapshot))
    }
  }
}
