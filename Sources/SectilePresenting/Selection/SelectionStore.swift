internal import SectileCore
internal import SectileDataSources
internal import Synchronization

/// What a ``Selection`` holds, apart from the selection itself, so that the source it observes does
/// not keep it alive.
final class SelectionStore<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Draft = SelectionDraft<ItemID>
  typealias Snapshot = any DataSourceSnapshot<ItemID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. Hashing identities and asking for modes is the user's code: it
  // runs outside, on a copy, and what comes of it is taken only if the copy is still up to date.
  // Changes are submitted inside, so that they stand in order, and delivered outside.
  struct State {
    /// What is selected, with the version of the contents each item was selected in.
    var items = SelectedItems<ItemID>()
    /// The version of the contents that says which section each item is in, where that matters.
    var grouped: Int
    /// The version of the contents that the source's last event led to.
    var seen: Int
    /// Grows with every change, and with every event of the source: whoever looked at the contents
    /// before looks again.
    var revision = 0
  }

  let source: any DataSource<ItemID, Item>
  let events = EventHub<SelectionChange<ItemID>>()
  private let state: Mutex<State>
  private let mode: @Sendable (Draft.Group) -> SelectionMode
  private let isSectioned: Bool

  init(
    source: any DataSource<ItemID, Item>, isSectioned: Bool,
    mode: @escaping @Sendable (Draft.Group) -> SelectionMode
  ) {
    self.source = source
    self.isSectioned = isSectioned
    self.mode = mode
    let version = source.version
    state = Mutex(State(grouped: version, seen: version))
  }

  var current: State { state.withLock { $0 } }

  // MARK: - Selecting

  /// Works out another selection until nobody else changed it meanwhile.
  ///
  /// - Parameter body: Changes the draft; the snapshot is what the source contains now.
  /// - Returns: What `body` returned the last time.
  /// - Complexity: That of `body`; once more O(*k*) for *k* selected items where sections have
  ///   modes of their own and the source's contents changed in a way that no event told.
  func edit<Result>(_ body: (inout Draft, Snapshot) -> Result) -> Result {
    while true {
      let before = current
      // Taken after the revision was read: where the source moves on from here, its event either
      // comes before the commit, which is then refused, or after it, and takes the item away.
      let snapshot = source.snapshot
      var after = before
      let isGrouped = !isSectioned || before.grouped == snapshot.version
      if !isGrouped { after.items.regroup { group(of: $0, in: snapshot) } }
      after.grouped = snapshot.version
      var draft = Draft(after.items, version: snapshot.version, mode: mode)
      let result = body(&draft, snapshot)
      let change = draft.change
      if change.isEmpty {
        if !isGrouped { _ = commit(after, over: before, change) }
        return result
      }
      after.items = draft.items
      if commit(after, over: before, change) { return result }
    }
  }

  func group(of id: ItemID, in snapshot: Snapshot) -> Draft.Group? {
    guard isSectioned else { return .everything }
    return snapshot.path(of: id).map { group(of: $0, in: snapshot) }
  }

  func group(of path: ItemPath, in snapshot: Snapshot) -> Draft.Group {
    isSectioned ? .section(snapshot.sections[path.section].identity) : .everything
  }

  /// Returns the groups that the contents consist of, with the ordinals of their sections.
  func groups(in snapshot: Snapshot) -> [(group: Draft.Group, sections: Range<Int>)] {
    let count = snapshot.numberOfSections
    guard isSectioned else { return [(.everything, 0..<count)] }
    return (0..<count).map { (.section(snapshot.sections[$0].identity), $0..<$0 + 1) }
  }

  /// Takes over another state, or returns false where the one it was made from is out of date.
  private func commit(
    _ after: State, over before: State, _ change: SelectionChange<ItemID>
  ) -> Bool {
    let isDone = state.withLock { state in
      guard state.revision == before.revision else { return false }
      state = after
      state.revision += 1
      if !change.isEmpty { events.submit(change) }
      return true
    }
    // What an item's release runs is not ours: the last reference goes here, outside of the lock.
    withExtendedLifetime((before, after)) {}
    if isDone, !change.isEmpty { events.flush() }
    return isDone
  }

  // MARK: - Following the source

  /// Lets items go that the source does not contain any more; those that only stand in another
  /// place of it, under another identity, stay selected.
  func follow(_ event: DataSourceEvent<ItemID, Item>) {
    switch event {
    case .willLoad:
      break
    case .didPartiallyLoad(let changes):
      follow(changes, from: changes.sourceVersion, to: changes.targetVersion)
    case .didFinishLoading, .didFail:
      // A load that was cancelled may have changed the contents without a word.
      let version = source.version
      follow(nil, from: version, to: version)
    }
  }

  private func follow(_ changes: Changeset<ItemID, Item>?, from source: Int, to target: Int) {
    var isDone = false
    while !isDone {
      let before = current
      var after = before
      after.seen = target
      var (gone, arrived): ([ItemID], [ItemID]) = ([], [])
      if !before.items.isEmpty {
        // Where events were missed, the contents themselves are asked.
        gone = before.seen == source ? deleted(by: changes, in: before.items) : absent(before.items)
        arrived = replace(gone, by: changes, in: &after)
        if let changes, isSectioned, before.grouped == source { follow(changes, in: &after) }
      }
      let change = SelectionChange(selected: arrived, deselected: gone, cause: .itemsGone)
      isDone = commit(after, over: before, change)
    }
  }

  /// Removes items, or lets those take their places that are the same rows of the same sources.
  ///
  /// - Returns: The items that took places.
  /// - Complexity: O(*c*) for *c* inserted rows, where any item is gone from a composition.
  private func replace(
    _ gone: [ItemID], by changes: Changeset<ItemID, Item>?, in state: inout State
  ) -> [ItemID] {
    guard let changes, let list = source as? any RootTelling<ItemID>, !gone.isEmpty,
      !changes.inserts.isEmpty
    else {
      for id in gone { state.items.remove(id) }
      return []
    }
    var inserted: [RowRoot: ItemID] = [:]
    for insert in changes.inserts {
      if let root = list.root(of: insert.id) { inserted[root] = insert.id }
    }
    let snapshot = source.snapshot
    return gone.compactMap { id in
      let other = list.root(of: id).flatMap { inserted.removeValue(forKey: $0) }
      guard let other, !state.items.contains(other) else {
        state.items.remove(id)
        return nil
      }
      let group = group(of: other, in: snapshot)
      state.items.replace(id, with: other, in: group, version: changes.targetVersion)
      return other
    }
  }

  /// Takes items that moved into other sections to the groups of these.
  private func follow(_ changes: Changeset<ItemID, Item>, in state: inout State) {
    let snapshot = source.snapshot
    guard snapshot.version == changes.targetVersion else { return }
    for move in changes.moves where state.items.contains(move.id) {
      state.items.move(move.id, to: group(of: move.target, in: snapshot))
    }
    state.grouped = changes.targetVersion
  }

  /// Returns the selected items that a change deletes, oldest first.
  private func deleted(
    by changes: Changeset<ItemID, Item>?, in items: SelectedItems<ItemID>
  ) -> [ItemID] {
    guard let changes else { return [] }
    var deleted: [(id: ItemID, age: Int)] = []
    for delete in changes.deletes {
      // What was selected in a version behind the change is there again.
      guard let version = items.version(of: delete.id), version < changes.targetVersion,
        let age = items.age(of: delete.id)
      else { continue }
      deleted.append((delete.id, age))
    }
    return deleted.sorted { $0.age < $1.age }.map(\.id)
  }

  private func absent(_ items: SelectedItems<ItemID>) -> [ItemID] {
    let snapshot = source.snapshot
    return items.ids.filter { snapshot.path(of: $0) == nil }
  }
}
