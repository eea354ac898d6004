internal import SectileCore

/// What is selected, while it is worked out: a plain value that keeps to the modes.
///
/// Where a group has too many items, the one that was selected first goes.
///
/// - Complexity: Making a draft is O(1); each step is O(log *k*) for *k* selected items.
struct SelectionDraft<ItemID: Hashable & Sendable> {
  typealias Group = SelectionGroup

  /// What was selected.
  private let before: SelectedItems<ItemID>
  /// What is selected now.
  private(set) var items: SelectedItems<ItemID>
  private let version: Int
  private let mode: (Group) -> SelectionMode
  private var modes: [Group: SelectionMode] = [:]
  /// The items that were selected or deselected, whatever came of it.
  private var touched: Set<IdentityKey<ItemID>> = []

  /// Creates a draft.
  ///
  /// - Parameters:
  ///   - items: What is selected.
  ///   - version: The version of the contents that others are selected in.
  ///   - mode: Returns the mode of a group; asked once for each.
  init(
    _ items: SelectedItems<ItemID>, version: Int, mode: @escaping (Group) -> SelectionMode
  ) {
    before = items
    self.items = items
    self.version = version
    self.mode = mode
  }

  // MARK: - Reading

  /// Returns whether an item is selected.
  func contains(_ id: ItemID) -> Bool { items.contains(id) }

  /// Returns how many items of a group are selected.
  func count(of group: Group) -> Int { items.count(of: group) }

  /// Returns the mode of a group.
  mutating func limits(of group: Group) -> SelectionMode {
    if let known = modes[group] { return known }
    let found = mode(group)
    modes[group] = found
    return found
  }

  /// What is different now.
  ///
  /// - Complexity: O(*c* log *c*) for *c* items that were selected or deselected.
  var change: SelectionChange<ItemID> {
    var selected: [(id: ItemID, age: Int)] = []
    var deselected: [(id: ItemID, age: Int)] = []
    for key in touched {
      switch (before.age(of: key.id), items.age(of: key.id)) {
      case (nil, let age?): selected.append((key.id, age))
      case (let age?, nil): deselected.append((key.id, age))
      default: break
      }
    }
    return SelectionChange(
      selected: selected.sorted { $0.age < $1.age }.map(\.id),
      deselected: deselected.sorted { $0.age < $1.age }.map(\.id))
  }

  // MARK: - Changing

  /// Selects an item, and lets the oldest of its group go where there are too many.
  mutating func select(_ id: ItemID, in group: Group) {
    guard !contains(id) else { return }
    if let maximum = limits(of: group).maximum {
      guard maximum > 0 else { return }
      while count(of: group) >= maximum, let oldest = items.oldest(of: group) { remove(oldest) }
    }
    touched.insert(IdentityKey(id))
    // What was deselected only meanwhile was selected all the time to whoever looks.
    items.append(id, to: group, version: before.version(of: id) ?? version)
  }

  /// Deselects an item unless its group would fall below its minimum.
  mutating func deselect(_ id: ItemID) {
    guard contains(id) else { return }
    if let group = items.group(of: id), count(of: group) <= limits(of: group).minimum { return }
    remove(id)
  }

  /// Deselects all items whose groups have no minimum.
  mutating func deselectAll() {
    for id in items.ids {
      if let group = items.group(of: id), limits(of: group).minimum > 0 { continue }
      remove(id)
    }
  }

  private mutating func remove(_ id: ItemID) {
    touched.insert(IdentityKey(id))
    items.remove(id)
  }
}
