internal import SectileCore
internal import Synchronization

/// What an ``ArrayDataSource`` holds, apart from the source itself, so that a cycle that waits does
/// not keep the source alive.
///
/// There are three states of the contents: the array as its owner last left it; what was *submitted*
/// to the hub; and what is *visible*, which follows the submitted contents one cycle at a time.
final class ArrayStore<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  typealias Contents = SectionedContents<Item.ID, Item>

  // MARK: - Mutable state
  //
  // All of it guarded by `state`. Comparing and grouping items is the user's code: it runs outside,
  // on a copy, and what comes of it is taken only if the copy is still up to date. Cycles are
  // submitted inside, so that they stand in the order of the changes, and flushed outside.
  private struct State {
    var items: [Item]
    var submitted = Contents()
    var visible = ContentsSnapshot(Contents())
    /// Changes are shown: the source was loaded and not cancelled since.
    var isLive = false
    /// Grows with each cancellation: a step of an earlier life flips nothing.
    var life = 0
    /// Grows whenever the array or the submitted contents change.
    var revision = 0
  }

  /// A change that was prepared on a copy.
  private struct Proposal {
    let revision: Int
    let items: [Item]
    let contents: Contents
    let changes: Changeset<Item.ID, Item>
  }

  let hub: SourceHub<Item.ID, Item>
  private let state: Mutex<State>
  private let isEqual: @Sendable (Item, Item) -> Bool
  private let fingerprint: (@Sendable (Item) -> RowFingerprint)?
  private let section: (@Sendable (Item) -> SourceSection)?

  init(
    items: [Item], delivery: Delivery, isEqual: @escaping @Sendable (Item, Item) -> Bool,
    fingerprint: (@Sendable (Item) -> RowFingerprint)?,
    section: (@Sendable (Item) -> SourceSection)?
  ) {
    hub = SourceHub(delivery: delivery)
    state = Mutex(State(items: items))
    self.isEqual = isEqual
    self.fingerprint = fingerprint
    self.section = section
  }

  var visible: ContentsSnapshot<Item.ID, Item> { state.withLock { $0.visible } }

  // MARK: - Lifecycle

  func load() {
    var isDone = false
    while !isDone {
      do throws(DataSourceError) {
        let proposal = try propose { _ throws(DataSourceError) in }
        isDone = state.withLock { state in
          guard state.revision == proposal.revision else { return false }
          hub.resume()
          state.isLive = true
          if proposal.changes.isEmpty {
            hub.submit(LoadCycle([]))
          } else {
            submit(proposal, in: &state)
          }
          return true
        }
      } catch {
        state.withLock { state in
          hub.resume()
          state.isLive = true
          hub.submit(.failed(error))
        }
        isDone = true
      }
    }
    hub.flush()
  }

  func cancel() {
    let finish = state.withLock { state in
      state.isLive = false
      state.life += 1
      state.revision += 1
      state.submitted = state.visible.contents
      return hub.stop()
    }
    finish()
  }

  // MARK: - Changing

  func change(_ body: (inout [Item]) throws(DataSourceError) -> Void) throws(DataSourceError) {
    var isDone = false
    while !isDone {
      let proposal = try propose(body)
      isDone = state.withLock { state in
        guard state.revision == proposal.revision else { return false }
        state.items = proposal.items
        state.revision += 1
        if state.isLive, !proposal.changes.isEmpty { submit(proposal, in: &state) }
        return true
      }
    }
    hub.flush()
  }

  /// Changes a copy of the array and compares it with what was submitted.
  private func propose(
    _ body: (inout [Item]) throws(DataSourceError) -> Void
  ) throws(DataSourceError) -> Proposal {
    let (revision, before, submitted) = state.withLock { ($0.revision, $0.items, $0.submitted) }
    var items = before
    try body(&items)
    let contents = try arrange(items, version: submitted.version + 1)
    var differ = ContentsDiffer(old: submitted, new: contents, isEqual: isEqual)
    if let fingerprint {
      differ.oldFingerprint = { _, item in fingerprint(item) }
      differ.newFingerprint = differ.oldFingerprint
    }
    return Proposal(
      revision: revision, items: items, contents: contents, changes: differ.changeset())
  }

  /// Changes the array at the offset of a path.
  ///
  /// With `orBehind`, the path may point just behind a section's last item, or to the first place
  /// of a source without items.
  func change(
    at path: ItemPath, orBehind: Bool = false, _ body: (inout [Item], Int) -> Void
  ) throws(DataSourceError) {
    try change { items throws(DataSourceError) in
      body(&items, try offset(of: path, in: items, orBehind: orBehind))
    }
  }

  func move(from source: ItemPath, to target: ItemPath) throws(DataSourceError) {
    try change { items throws(DataSourceError) in
      let item = items.remove(at: try offset(of: source, in: items, orBehind: false))
      items.insert(item, at: try offset(of: target, in: items, orBehind: true))
    }
  }

  private func offset(
    of path: ItemPath, in items: [Item], orBehind: Bool
  ) throws(DataSourceError) -> Int {
    let sections = try arrange(items, version: 0).sections
    let rows = sections.indices.contains(path.section) ? sections[path.section].rows : []
    var neighbour: Item.ID?
    if rows.indices.contains(path.item) {
      neighbour = rows[path.item].id
    } else if orBehind, path.item == rows.count, path.section <= sections.count {
      guard let last = rows.last else { return items.count }
      neighbour = last.id
    }
    guard let neighbour, let offset = items.firstIndex(where: { $0.id == neighbour }) else {
      throw DataSourceError(
        code: .noSuchPath, message: "The source has no item at \(path).",
        hint: "Paths belong to one version of the contents; look the item up with path(of:).")
    }
    return rows.indices.contains(path.item) ? offset : offset + 1
  }

  // MARK: - Arranging and submitting

  /// Groups the items into sections, in the order of the sections' first items.
  private func arrange(_ items: [Item], version: Int) throws(DataSourceError) -> Contents {
    var seen: Set<Item.ID> = []
    var ordinals: [StoredValue: Int] = [:]
    var contents = Contents(version: version)
    for item in items {
      guard seen.insert(item.id).inserted else {
        throw DataSourceError(
          code: .duplicateIdentity, message: "Two items have the id \(item.id).",
          hint: "Give every item an id of its own, or leave the second one out.")
      }
      let header = section?(item) ?? SourceSection(identity: .null, title: "")
      let row = Contents.Row(id: item.id, item: item)
      if let ordinal = ordinals[header.identity] {
        contents.sections[ordinal].rows.append(row)
      } else {
        ordinals[header.identity] = contents.sections.count
        contents.sections.append(Contents.Section(header: header, rows: [row]))
      }
    }
    return contents
  }

  private func submit(_ proposal: Proposal, in state: inout State) {
    state.submitted = proposal.contents
    state.revision += 1
    let snapshot = ContentsSnapshot(proposal.contents)
    let life = state.life
    let changes = DeliveredChanges(proposal.changes)
    hub.submit(LoadCycle(flip: { [self] in flip(to: snapshot, life) ? changes : nil }))
  }

  /// Returns false where the source was cancelled since the change was submitted.
  private func flip(to snapshot: ContentsSnapshot<Item.ID, Item>, _ life: Int) -> Bool {
    state.withLock { state in
      guard state.life == life else { return false }
      state.visible = snapshot
      return true
    }
  }
}
