internal import SectileCore

extension PageMerge {
  /// Collects what a page changes where no item leaves its section.
  struct Arrivals {
    private let old: Snapshot
    private let rules: ItemRules<Item>
    private var updates: [(path: ItemPath, row: Contents.Row)] = []
    private var inserts: [(path: ItemPath, row: Contents.Row)] = []
    /// New headers of sections that were there, by ordinal.
    private var headers: [Int: SourceSection] = [:]
    private var added: [SourceSection] = []
    private var addedOrdinals: [StoredValue: Int] = [:]
    /// How many rows the sections that grow have so far.
    private var counts: [Int: Int] = [:]
    private var transitions: [Transition] = []

    init(snapshot: Snapshot, rules: ItemRules<Item>) {
      old = snapshot
      self.rules = rules
    }

    /// Takes an item, or returns false where it changed its section.
    mutating func add(_ item: Item) -> Bool {
      let header = rules.header(of: item)
      guard let path = old.path(of: item.id) else {
        insert(item, header)
        return true
      }
      let former = old.list[path.section].header
      guard former.identity == header.identity else { return false }
      // The first item of a section speaks for it.
      if path.item == 0, former != header { headers[path.section] = header }
      let before = old.row(at: path).item
      guard !rules.isEqual(before, item) else { return true }
      updates.append((path, Contents.Row(id: item.id, item: item)))
      transitions.append(
        Transition(
          id: item.id, source: path, target: path, isContentChanged: true,
          before: rules.fingerprint?(before), after: rules.fingerprint?(item),
          payload: .value(item)))
      return true
    }

    private mutating func insert(_ item: Item, _ header: SourceSection) {
      let ordinal =
        old.section(withIdentity: header.identity) ?? addedOrdinals[header.identity]
        ?? add(header)
      let count = counts[ordinal] ?? old.numberOfItems(in: ordinal)
      counts[ordinal] = count + 1
      let path = ItemPath(section: ordinal, item: count)
      inserts.append((path, Contents.Row(id: item.id, item: item)))
      transitions.append(
        Transition(
          id: item.id, source: nil, target: path, isContentChanged: true,
          after: rules.fingerprint?(item), payload: .value(item)))
    }

    private mutating func add(_ header: SourceSection) -> Int {
      let ordinal = old.numberOfSections + added.count
      added.append(header)
      addedOrdinals[header.identity] = ordinal
      counts[ordinal] = 0
      return ordinal
    }

    /// Makes the next version and the changeset; without changes the version stays.
    func finish() -> (Snapshot, Changeset<Item.ID, Item>) {
      var next = old
      let places = inserts.map { (IdentityKey($0.row.id), Optional($0.path)) }
      next.edit(recording: Dictionary(places) { _, last in last }) { list in
        for (ordinal, header) in headers { list[ordinal].header = header }
        for header in added { list.append(Snapshot.Section(header: header)) }
        for (path, row) in updates { list[path.section].rows[path.item] = row }
        for (path, row) in inserts { list[path.section].rows.append(row) }
      }
      next.version += 1
      let (before, after) = (old.list, next.list)
      var builder = ChangesetBuilder<Item.ID, Item>(
        sourceVersion: old.version, targetVersion: next.version,
        sections: SectionCorrespondence(
          oldCount: before.count, newCount: after.count,
          inserted: Array(before.count..<after.count)))
      builder.retitledSections = headers.keys.sorted()
      builder.rows = transitions
      let changes = builder.build(
        old: { SectionState(header: before[$0].header) },
        new: { SectionState(header: after[$0].header) })
      return (changes.isEmpty ? old : next, changes)
    }
  }
}
