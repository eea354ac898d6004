internal import SectileCore

/// What is selected, while it is worked out: a plain value that keeps to the modes.
///
/// Items that share a mode form a *group*: all of them, or those of one section. Each group has a
/// queue of its own, oldest first, so that what has to go is found at its head.
///
/// - Complexity: Making a draft is O(*k*) for *k* selected items; each step is O(1), amortized.
struct SelectionDraft<ItemID: Hashable & Sendable> {
  /// What the items of one mode have in common.
  enum Group: Hashable {
    case everything
    case section(StoredValue)
  }

  /// One selection of an item.
  ///
  /// Its number tells it from another one of the same item that was taken back, and may still stand
  /// in the queues.
  private struct Entry {
    let id: ItemID
    let number: Int
  }

  private struct Queue {
    var entries: [Entry] = []
    var head = 0
    /// How many of them are selected; the others were deselected since.
    var count = 0
  }

  private struct Member {
    let group: Group?
    let number: Int
  }

  private let mode: (Group) -> SelectionMode
  private var members: [IdentityKey<ItemID>: Member] = [:]
  private var order: [Entry] = []
  private var queues: [Group: Queue] = [:]
  private var modes: [Group: SelectionMode] = [:]

  /// Creates a draft.
  ///
  /// - Parameters:
  ///   - ids: What is selected, oldest first.
  ///   - group: Returns an item's group; nil for one that is about to leave the source, and counts
  ///     nowhere.
  ///   - mode: Returns the mode of a group; asked once for each.
  init(
    _ ids: [ItemID], group: (ItemID) -> Group?, mode: @escaping (Group) -> SelectionMode
  ) {
    self.mode = mode
    for id in ids { add(id, to: group(id)) }
  }

  /// What is selected, oldest first.
  var ids: [ItemID] { order.filter(isSelected).map(\.id) }

  /// Returns whether an item is selected.
  func contains(_ id: ItemID) -> Bool { members[IdentityKey(id)] != nil }

  /// Returns how many items of a group are selected.
  func count(of group: Group) -> Int { queues[group]?.count ?? 0 }

  /// Returns the mode of a group.
  mutating func limits(of group: Group) -> SelectionMode {
    if let known = modes[group] { return known }
    let found = mode(group)
    modes[group] = found
    return found
  }

  /// Selects an item, and lets the oldest of its group go where there are too many.
  mutating func select(_ id: ItemID, in group: Group) {
    guard !contains(id) else { return }
    let limits = limits(of: group)
    if let maximum = limits.maximum {
      guard maximum > 0 else { return }
      while count(of: group) >= maximum, removeOldest(of: group) {}
    }
    add(id, to: group)
  }

  /// Deselects an item unless its group would fall below its minimum.
  mutating func deselect(_ id: ItemID) {
    guard let member = members[IdentityKey(id)] else { return }
    if let group = member.group, count(of: group) <= limits(of: group).minimum { return }
    remove(id)
  }

  /// Deselects all items whose groups have no minimum.
  mutating func deselectAll() {
    for entry in order where isSelected(entry) {
      guard let member = members[IdentityKey(entry.id)] else { continue }
      if let group = member.group, limits(of: group).minimum > 0 { continue }
      remove(entry.id)
    }
  }

  private func isSelected(_ entry: Entry) -> Bool {
    members[IdentityKey(entry.id)]?.number == entry.number
  }

  private mutating func add(_ id: ItemID, to group: Group?) {
    let entry = Entry(id: id, number: order.count)
    members[IdentityKey(id)] = Member(group: group, number: entry.number)
    order.append(entry)
    guard let group else { return }
    queues[group, default: Queue()].entries.append(entry)
    queues[group, default: Queue()].count += 1
  }

  private mutating func remove(_ id: ItemID) {
    guard let member = members.removeValue(forKey: IdentityKey(id)), let group = member.group else {
      return
    }
    queues[group]?.count -= 1
  }

  private mutating func removeOldest(of group: Group) -> Bool {
    while let queue = queues[group], queue.head < queue.entries.count {
      queues[group]?.head += 1
      let oldest = queue.entries[queue.head]
      if isSelected(oldest) {
        remove(oldest.id)
        return true
      }
    }
    return false
  }
}
