internal import SectileCore

/// Brings an ``ArrangedIndex`` from one version of its input to the next.
///
/// All rows that change are taken out first. What is left stands in the order of both versions, so
/// that the places of the others are found by binary search, one after another.
struct ArrangedEdits<ItemID: Hashable & Sendable, Item: Sendable, Key: Sendable> {
  typealias Rows = ArrangedIndex<ItemID, Key>

  private var rows: Rows
  private let order: RowOrder<ItemID, Item, Key>
  private var arrivals: [Rows.Row] = []
  /// The identities of sections whose first row is another one than before.
  private var sectionsWithNewFirst: Set<StoredValue> = []

  init(_ rows: Rows, in order: RowOrder<ItemID, Item, Key>) {
    self.rows = rows
    self.order = order
  }

  /// Takes a row out, if it is there.
  ///
  /// - Complexity: O(log *n*).
  mutating func remove(_ id: ItemID) {
    guard let path = rows.path(of: id) else { return }
    var edits = IndexEdits()
    edits.removedRows = [path]
    let identity = rows.index.header(ofSection: path.section).identity
    if rows.index.count(inSection: path.section) == 1 {
      edits.removedSections = [path.section]
    }
    if path.item == 0 { sectionsWithNewFirst.insert(identity) }
    rows.index.apply(edits)
    rows.freeHandle(of: id)
  }

  /// Notes a row to put in once all that go are out.
  mutating func insert(_ row: Rows.Row) { arrivals.append(row) }

  /// Replaces headers of sections that are there.
  mutating func retitle(_ headers: [SourceSection]) {
    for header in headers {
      if let section = rows.index.sectionOrdinal(of: header.identity) {
        rows.index.setHeader(header, ofSection: section)
      }
    }
  }

  /// Takes out sections that change places, to be put in again with the rows they have.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows in them.
  mutating func move(sections: Set<StoredValue>) {
    for identity in sections {
      guard let section = rows.index.sectionOrdinal(of: identity) else { continue }
      let header = rows.index.header(ofSection: section)
      let moving = (0..<rows.index.count(inSection: section)).map {
        rows.row(at: ItemPath(section: section, item: $0))
      }
      var edits = IndexEdits()
      edits.removedSections = [section]
      rows.index.apply(edits)
      for row in moving {
        rows.freeHandle(of: row.id)
        arrivals.append(Rows.Row(id: row.id, key: row.key, header: header))
      }
    }
  }

  /// Puts the rows in that came, and the sections in order.
  ///
  /// - Parameter header: Returns the header that a section's first row gives it, if it does.
  /// - Returns: The rows, and the sections whose place was decided anew.
  mutating func finish(
    header: (ItemID) throws -> SourceSection?
  ) rethrows -> (rows: Rows, reorderedSections: Set<StoredValue>) {
    for row in arrivals { place(row) }
    let present = sectionsWithNewFirst.filter { rows.index.sectionOrdinal(of: $0) != nil }
    for identity in present {
      guard let section = rows.index.sectionOrdinal(of: identity) else { continue }
      let first = rows.id(at: ItemPath(section: section, item: 0))
      if let header = try header(first) { rows.index.setHeader(header, ofSection: section) }
    }
    guard order.isByFirstRow else { return (rows, []) }
    restoreOrder(of: present)
    return (rows, present)
  }

  // MARK: - Rows

  private mutating func place(_ row: Rows.Row) {
    let identity = row.header.identity
    let section = rows.index.sectionOrdinal(of: identity) ?? makeSection(row.header)
    let item = partition(rows.index.count(inSection: section)) { item in
      let other = rows.row(at: ItemPath(section: section, item: item))
      return order.isBefore((row.key, row.id), (other.key, other.id))
    }
    var edits = IndexEdits()
    let path = ItemPath(section: section, item: item)
    edits.insertedRows = [IndexEdits.Row(path: path, handle: rows.makeHandle(for: row))]
    rows.index.apply(edits)
    if item == 0 { sectionsWithNewFirst.insert(identity) }
  }

  private mutating func makeSection(_ header: SourceSection) -> Int {
    // Sections that stand as their first rows do are put in order at the end.
    let section =
      order.isByFirstRow
      ? rows.index.sectionCount
      : partition(rows.index.sectionCount) {
        order.isBefore(header, rows.index.header(ofSection: $0))
      }
    var edits = IndexEdits()
    edits.insertedSections = [IndexEdits.Section(ordinal: section, header: header)]
    rows.index.apply(edits)
    return section
  }

  // MARK: - Sections

  /// Moves the sections whose first row is another one to where it is in the input.
  private mutating func restoreOrder(of changed: Set<StoredValue>) {
    guard !changed.isEmpty else { return }
    var edits = IndexEdits()
    var sources: [Int] = []
    for identity in changed {
      if let section = rows.index.sectionOrdinal(of: identity) { sources.append(section) }
    }
    guard !sources.allSatisfy(isInOrder) else { return }
    let moving = Set(sources)
    var firsts: [(section: Int, path: ItemPath)] = []
    for section in 0..<rows.index.sectionCount {
      let id = rows.id(at: ItemPath(section: section, item: 0))
      guard let path = order.input.path(of: id) else { continue }
      firsts.append((section, path))
    }
    firsts.sort { $0.path < $1.path }
    for (target, first) in firsts.enumerated() where moving.contains(first.section) {
      edits.movedSections.append(IndexEdits.SectionShift(source: first.section, target: target))
    }
    rows.index.apply(edits)
  }

  /// Returns whether a section comes after the one before it and before the one after it.
  private func isInOrder(_ section: Int) -> Bool {
    let first = rows.id(at: ItemPath(section: section, item: 0))
    if section > 0 {
      let former = rows.id(at: ItemPath(section: section - 1, item: 0))
      if !order.isBefore(former, first) { return false }
    }
    if section + 1 < rows.index.sectionCount {
      let next = rows.id(at: ItemPath(section: section + 1, item: 0))
      if !order.isBefore(first, next) { return false }
    }
    return true
  }
}
