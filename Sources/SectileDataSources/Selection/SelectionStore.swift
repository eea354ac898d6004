internal import SectileCore
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
    /// What is selected, oldest first.
    var ids: [ItemID] = []
    /// The same, with the version of the contents each item was selected in.
    var versions: [IdentityKey<ItemID>: Int] = [:]
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
    state = Mutex(State(seen: source.version))
  }

  var current: State { state.withLock { $0 } }

  // MARK: - Selecting

  /// Works out another selection until nobody else changed it meanwhile.
  ///
  /// - Parameter body: Changes the draft; the snapshot is what the source contains now.
  /// - Returns: What `body` returned the last time.
  func edit<Result>(_ body: (inout Draft, Snapshot) -> Result) -> Result {
    while true {
      let before = current
      // Taken after the revision was read: where the source moves on from here, its event either
      // comes before the commit, which is then refused, or after it, and takes the item away.
      let snapshot = source.snapshot
      var draft = Draft(before.ids, group: { group(of: $0, in: snapshot) }, mode: mode)
      let result = body(&draft, snapshot)
      let ids = draft.ids
      let change = SelectionChange(
        selected: ids.filter { before.versions[IdentityKey($0)] == nil },
        deselected: before.ids.filter { !draft.contains($0) })
      if change.isEmpty { return result }
      var after = before
      for id in change.deselected { after.versions[IdentityKey(id)] = nil }
      for id in change.selected { after.versions[IdentityKey(id)] = snapshot.version }
      after.ids = ids
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

  /// Lets items go that the source does not contain any more.
  func follow(_ event: DataSourceEvent<ItemID, Item>) {
    switch event {
    case .willLoad:
      break
    case .didPartiallyLoad(let changes):
      follow(from: changes.sourceVersion, to: changes.targetVersion) { versions in
        // What was selected in a version behind the change is there again.
        changes.deletes.filter {
          versions[IdentityKey($0.id)].map { $0 < changes.targetVersion } ?? false
        }
        .map(\.id)
      }
    case .didFinishLoading, .didFail:
      // A load that was cancelled may have changed the contents without a word.
      let version = source.version
      follow(from: version, to: version) { _ in [] }
    }
  }

  private func follow(
    from source: Int, to target: Int, _ gone: ([IdentityKey<ItemID>: Int]) -> [ItemID]
  ) {
    var isDone = false
    while !isDone {
      let before = current
      // Where events were missed, the contents themselves are asked.
      let missing =
        before.ids.isEmpty
        ? [] : before.seen == source ? gone(before.versions) : absent(before.ids)
      var after = before
      after.seen = target
      var deselected: [ItemID] = []
      if !missing.isEmpty {
        let missing = Set(missing.map { IdentityKey($0) })
        deselected = before.ids.filter { missing.contains(IdentityKey($0)) }
        after.ids.removeAll { missing.contains(IdentityKey($0)) }
        for id in deselected { after.versions[IdentityKey(id)] = nil }
      }
      isDone = commit(
        after, over: before, SelectionChange(deselected: deselected, cause: .itemsGone))
    }
  }

  private func absent(_ ids: [ItemID]) -> [ItemID] {
    let snapshot = source.snapshot
    return ids.filter { snapshot.path(of: $0) == nil }
  }
}
