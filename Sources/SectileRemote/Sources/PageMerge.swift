internal import SectileCore

/// What becomes of a list when items arrive: the next version, and the exact changes that lead to
/// it.
///
/// An item that is there already is updated where it is; one whose section changed moves to the end
/// of its new section. New items go to the end of their sections, new sections behind the others.
struct PageMerge<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  typealias Snapshot = PagedSnapshot<Item.ID, Item>
  typealias Contents = SectionedContents<Item.ID, Item>
  typealias Transition = RowTransition<Item.ID, Item>

  let snapshot: Snapshot
  let changes: Changeset<Item.ID, Item>

  private init(snapshot: Snapshot, changes: Changeset<Item.ID, Item>) {
    self.snapshot = snapshot
    self.changes = changes
  }

  // MARK: - Appending a page

  /// Appends the items of a page.
  ///
  /// - Complexity: O(*p* log *n* + *s* + *n* / 128) for *p* items in the page and *s* sections:
  ///   sections are counted anew, and the lists of chunks that change are copied. O(*n* log *n*)
  ///   where an item changed its section.
  init(appending items: [Item], to snapshot: Snapshot, _ rules: ItemRules<Item>) {
    let items = Self.unique(items)
    var arrivals = Arrivals(snapshot: snapshot, rules: rules)
    for item in items where !arrivals.add(item) {
      self.init(rearranging: items, in: snapshot, rules)
      return
    }
    let (next, changes) = arrivals.finish()
    self.init(snapshot: next, changes: changes)
  }

  /// Moves items between sections too, comparing the whole contents.
  private init(rearranging items: [Item], in snapshot: Snapshot, _ rules: ItemRules<Item>) {
    let old = snapshot.contents
    var new = old
    new.version += 1
    let arriving = Dictionary(items.map { (IdentityKey($0.id), $0) }) { _, last in last }
    var staying: Set<IdentityKey<Item.ID>> = []
    for (ordinal, section) in old.sections.enumerated() {
      new.sections[ordinal].rows = section.rows.compactMap { row in
        guard let item = arriving[IdentityKey(row.id)] else { return row }
        guard rules.header(of: item).identity == section.header.identity else { return nil }
        staying.insert(IdentityKey(row.id))
        return Contents.Row(id: row.id, item: item)
      }
    }
    var grouping = Grouping(new, rules)
    for item in items where !staying.contains(IdentityKey(item.id)) { grouping.append(item) }
    new = grouping.contents
    new.sections.removeAll { $0.rows.isEmpty }
    for ordinal in new.sections.indices {
      new.sections[ordinal].header = rules.header(of: new.sections[ordinal].rows[0].item)
    }
    self.init(from: snapshot, old, to: new, rules)
  }

  // MARK: - Replacing everything

  /// Replaces the whole list.
  ///
  /// - Complexity: O(*n* log *n*) in the number of items before and after.
  init(replacing snapshot: Snapshot, with items: [Item], _ rules: ItemRules<Item>) {
    var grouping = Grouping(Contents(version: snapshot.version + 1), rules)
    for item in Self.unique(items) { grouping.append(item) }
    self.init(from: snapshot, snapshot.contents, to: grouping.contents, rules)
  }

  private init(
    from snapshot: Snapshot, _ old: Contents, to new: Contents, _ rules: ItemRules<Item>
  ) {
    var differ = ContentsDiffer(old: old, new: new, isEqual: rules.isEqual)
    if let fingerprint = rules.fingerprint {
      differ.oldFingerprint = { _, item in fingerprint(item) }
      differ.newFingerprint = differ.oldFingerprint
    }
    let changes = differ.changeset()
    self.init(snapshot: changes.isEmpty ? snapshot : Snapshot(new), changes: changes)
  }

  /// Returns every item once, at its first place and with its last value.
  private static func unique(_ items: [Item]) -> [Item] {
    var offsets: [IdentityKey<Item.ID>: Int] = [:]
    var unique: [Item] = []
    for item in items {
      let key = IdentityKey(item.id)
      if let offset = offsets[key] {
        unique[offset] = item
      } else {
        offsets[key] = unique.count
        unique.append(item)
      }
    }
    return unique
  }

  /// Puts items at the ends of their sections.
  private struct Grouping {
    var contents: Contents
    private let rules: ItemRules<Item>
    private var ordinals: [StoredValue: Int] = [:]

    init(_ contents: Contents, _ rules: ItemRules<Item>) {
      self.contents = contents
      self.rules = rules
      for (ordinal, section) in contents.sections.enumerated() {
        ordinals[section.header.identity] = ordinal
      }
    }

    mutating func append(_ item: Item) {
      let header = rules.header(of: item)
      let row = Contents.Row(id: item.id, item: item)
      if let ordinal = ordinals[header.identity] {
        contents.sections[ordinal].rows.append(row)
      } else {
        ordinals[header.identity] = contents.sections.count
        contents.sections.append(Contents.Section(header: header, rows: [row]))
      }
    }
  }
}
