internal import HashTreeCollections
internal import SectileCore
internal import SectileDataSources

/// What is selected, as a value whose copies share what neither has changed since.
///
/// Items that share a mode form a *group*: all of them, or those of one section.
///
/// ```text
/// handles    "b" → 0   "a" → 1   "d" → 2          number by identity
/// entries    0 → "b", age 7   1 → "a", age 3  …   what is known of it
/// order      [1 2 0]                              all, oldest first
/// groups     [1 0] [2]                            those of each group, oldest first
/// ```
///
/// An item that is about to leave the source may be in no group; it counts nowhere.
struct SelectedItems<ItemID: Hashable & Sendable>: Sendable {
  private struct Entry: Sendable {
    let id: ItemID
    /// Grows with each selection.
    let age: Int
    /// The version of the contents it was selected in.
    let version: Int
    var group: SelectionGroup?
  }

  private var handles = TreeDictionary<IdentityKey<ItemID>, Int32>()
  private var entries = SlotTable<Entry>()
  /// All items in one section, and in the other those of each group in a section of their own.
  private var order: SectionedIndex
  private var groups = SectionedIndex()
  private var nextAge = 0

  init() {
    var builder = SectionedIndexBuilder()
    builder.appendSection(SourceSection(identity: .null, title: ""))
    order = builder.finish()
  }

  // MARK: - Reading

  /// The number of items.
  var count: Int { order.count }

  /// Whether there are none.
  var isEmpty: Bool { order.count == 0 }

  /// The items, oldest first.
  ///
  /// - Complexity: O(*k*) for *k* items.
  var ids: [ItemID] { order.handles(inSection: 0).map { entries[$0].id } }

  /// Returns whether an item is selected.
  func contains(_ id: ItemID) -> Bool { handles[IdentityKey(id)] != nil }

  /// Returns the version of the contents that an item was selected in; nil where it is not
  /// selected.
  func version(of id: ItemID) -> Int? { entry(of: id)?.version }

  /// Returns a number that is greater for items that were selected later; nil for one that is not.
  func age(of id: ItemID) -> Int? { entry(of: id)?.age }

  /// Returns an item's group; nil also where it is not selected.
  func group(of id: ItemID) -> SelectionGroup? { entry(of: id)?.group }

  /// Returns how many items of a group are selected.
  func count(of group: SelectionGroup) -> Int {
    groups.sectionOrdinal(of: group.key).map { groups.count(inSection: $0) } ?? 0
  }

  /// Returns the item of a group that was selected first.
  func oldest(of group: SelectionGroup) -> ItemID? {
    groups.sectionOrdinal(of: group.key).map { section in
      entries[groups.handle(at: ItemPath(section: section, item: 0))].id
    }
  }

  private func entry(of id: ItemID) -> Entry? { handles[IdentityKey(id)].map { entries[$0] } }

  // MARK: - Changing

  /// Appends an item that is not selected.
  ///
  /// - Complexity: O(log *k*) for *k* items.
  mutating func append(_ id: ItemID, to group: SelectionGroup?, version: Int) {
    let handle = entries.insert(Entry(id: id, age: nextAge, version: version, group: group))
    nextAge += 1
    handles[IdentityKey(id)] = handle
    order.insertRow(handle, at: ItemPath(section: 0, item: order.count))
    join(handle)
  }

  /// Removes an item, if it is selected.
  ///
  /// - Complexity: O(log *k*) for *k* items.
  mutating func remove(_ id: ItemID) {
    guard let handle = handles.removeValue(forKey: IdentityKey(id)) else { return }
    leave(handle)
    if let path = order.path(of: handle) { order.removeRow(at: path) }
    entries.remove(handle)
  }

  /// Lets an item that is not selected take the place of one that is, in the order of selection.
  ///
  /// - Complexity: O(log² *k*) for *k* items.
  mutating func replace(
    _ id: ItemID, with other: ItemID, in group: SelectionGroup?, version: Int
  ) {
    guard let handle = handles.removeValue(forKey: IdentityKey(id)) else { return }
    leave(handle)
    entries[handle] = Entry(id: other, age: entries[handle].age, version: version, group: group)
    handles[IdentityKey(other)] = handle
    join(handle)
  }

  /// Moves an item, if it is selected, to another group, where it has the place of its age.
  ///
  /// - Complexity: O(log² *k*) for *k* items.
  mutating func move(_ id: ItemID, to group: SelectionGroup?) {
    guard let handle = handles[IdentityKey(id)], entries[handle].group != group else { return }
    leave(handle)
    entries[handle].group = group
    join(handle)
  }

  /// Puts all items into groups anew.
  ///
  /// - Complexity: O(*k*) for *k* items.
  mutating func regroup(_ group: (ItemID) -> SelectionGroup?) {
    var members: [SelectionGroup: [Int32]] = [:]
    for handle in order.handles(inSection: 0) {
      let group = group(entries[handle].id)
      if entries[handle].group != group { entries[handle].group = group }
      if let group { members[group, default: []].append(handle) }
    }
    var builder = SectionedIndexBuilder()
    for (group, handles) in members {
      builder.appendSection(group.header)
      for handle in handles { builder.appendRow(handle) }
    }
    groups = builder.finish()
  }

  private mutating func join(_ handle: Int32) {
    guard let group = entries[handle].group else { return }
    let section = groups.sectionOrdinal(of: group.key) ?? makeSection(group)
    let age = entries[handle].age
    let count = groups.count(inSection: section)
    var item = count
    // Nearly always it is the youngest.
    if count > 0, self.age(at: ItemPath(section: section, item: count - 1)) > age {
      item = partition(count) { self.age(at: ItemPath(section: section, item: $0)) > age }
    }
    groups.insertRow(handle, at: ItemPath(section: section, item: item))
  }

  private mutating func leave(_ handle: Int32) {
    guard let path = groups.path(of: handle) else { return }
    groups.removeRow(at: path)
    guard groups.count(inSection: path.section) == 0 else { return }
    var edits = IndexEdits()
    edits.removedSections = [path.section]
    groups.apply(edits)
  }

  private mutating func makeSection(_ group: SelectionGroup) -> Int {
    let section = groups.sectionCount
    var edits = IndexEdits()
    edits.insertedSections = [IndexEdits.Section(ordinal: section, header: group.header)]
    groups.apply(edits)
    return section
  }

  private func age(at path: ItemPath) -> Int { entries[groups.handle(at: path)].age }
}

/// Which selected items have a mode in common: all of them, or those of one section.
enum SelectionGroup: Hashable, Sendable {
  case everything
  case section(StoredValue)

  /// What identifies the group; a selection knows one group of all items, or groups by section.
  fileprivate var key: StoredValue {
    switch self {
    case .everything: .null
    case .section(let identity): identity
    }
  }

  fileprivate var header: SourceSection { SourceSection(identity: key, title: "") }
}
