internal import SectileCore

/// Brings an ``ArrangedIndex`` from one version of its input to the next.
///
/// All rows that change are taken out first. What is left stands in the order of both versions, so
/// that the places of the others are found by binary search, one after another.
struct ArrangedEdits<ItemID: Hashable & Sendable, Item: Sendable, Key: Sendable> {
  typealias Rows = ArrangedIndex<ItemID, Key>

  private struct Arrival {
    let id: ItemID
    /// What the row is sorted by; nil where nothing is.
    let key: Key?
    let header: SourceSection
  }

  private var rows: Rows
  private let order: RowOrder<ItemID, Item, Key>
  private var arrivals: [Arrival] = []
  /// The rows that were taken out; some of them come back.
  private var departures: [ItemID] = []
  private let keepsEmptySections: Bool
  /// The identities of sections whose first row is another one than before.
  private var sectionsWithNewFirst: Set<StoredValue> = []

  init(_ rows: Rows, in order: RowOrder<ItemID, Item, Key>, keepsEmptySections: Bool) {
    self.rows = rows
    self.order = order
    self.keepsEmptySections = keepsEmptySections
    self.rows.beginChange()
  }

  /// Takes a row out, if it is there.
  ///
  /// - Complexity: O(log *n*).
  mutating func remove(_ id: ItemID) {
    guard let path = rows.path(of: id) else { return }
    var edits = IndexEdits()
    edits.removedRows = [path]
    let identity = rows.index.header(ofSection: path.section).identity
    if !keepsEmptySections, rows.index.count(inSection: path.section) == 1 {
      edits.removedSections = [path.section]
    }
    if path.item == 0 { sectionsWithNewFirst.insert(identity) }
    rows.index.apply(edits)
    departures.append(id)
  }

  /// Notes a row to put in once all that go are out.
  mutating func insert(_ id: ItemID, _ key: Key?, under header: SourceSection) {
    arrivals.append(Arrival(id: id, key: key, header: header))
  }

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
      for item in 0..<rows.index.count(inSection: section) {
        let path = ItemPath(section: section, item: item)
        departures.append(rows.id(at: path))
        insert(rows.id(at: path), rows.key(at: path), under: header)
      }
      var edits = IndexEdits()
      edits.removedSections = [section]
      rows.index.apply(edits)
    }
  }

  /// Takes out sections that the input has no more, and puts in those that came, or that are on
  /// their way; for an index that has all sections of its input.
  ///
  /// Rows that go are out by now, and rows of moved sections are noted.
  mutating func replaceEmptySections(
    gone: [StoredValue], come: [SourceSection], moved: Set<StoredValue>
  ) {
    for identity in gone {
      guard let section = rows.index.sectionOrdinal(of: identity) else { continue }
      var edits = IndexEdits()
      edits.removedSections = [section]
      rows.index.apply(edits)
    }
    let headers =
      come
      + moved.compactMap { identity in
        order.input.section(withIdentity: identity).map { order.input.sections[$0] }
      }
    for header in headers where rows.index.sectionOrdinal(of: header.identity) == nil {
      _ = makeSection(header)
    }
  }

  /// Puts the rows in that came, and the sections in order.
  ///
  /// - Parameter header: Returns the header that a section's first row gives it, if it does.
  /// - Returns: The rows, and the sections whose place was decided anew.
  mutating func finish(
    header: (ItemID) throws -> SourceSection?
  ) rethrows -> (rows: Rows, reorderedSections: Set<StoredValue>) {
    for arrival in arrivals { place(arrival) }
    for id in departures where rows.path(of: id) == nil { rows.freeHandle(of: id) }
    // A section that is kept without rows has no first one.
    let present = sectionsWithNewFirst.filter { identity in
      rows.index.sectionOrdinal(of: identity).map { rows.index.count(inSection: $0) > 0 } ?? false
    }
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

  private mutating func place(_ row: Arrival) {
    let identity = row.header.identity
    let section = rows.index.sectionOrdinal(of: identity) ?? makeSection(row.header)
    let item = partition(rows.index.count(inSection: section)) { item in
      let other = ItemPath(section: section, item: item)
      return order.isBefore((row.key, row.id), (rows.key(at: other), rows.id(at: other)))
    }
    var edits = IndexEdits()
    let path = ItemPath(section: section, item: item)
    edits.insertedRows = [IndexEdits.Row(path: path, handle: rows.makeHandle(for: row.id, row.key))]
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
  ///
  /// The others stand in the order of their first rows as ever: among them each place is found by
  /// halving.
  ///
  /// - Complexity: O(*k* log *s*) look-ups for *k* such sections of *s*, and O(*r* log *n*) for the
  ///   *r* rows of those that move.
  private mutating func restoreOrder(of changed: Set<StoredValue>) {
    let sources = changed.compactMap { rows.index.sectionOrdinal(of: $0) }.sorted()
    guard !sources.allSatisfy(isInOrder) else { return }
    // How many of the others stand before each of the changed ones: the ordinals of the others are
    // those that are left over.
    let gaps = sources.indices.map { sources[$0] - $0 }
    let others = rows.index.sectionCount - sources.count
    var arrivals: [(source: Int, place: Int, path: ItemPath)] = []
    for source in sources {
      guard let path = order.input.path(of: first(ofSection: source)) else { continue }
      let place = partition(others) { number in
        let ordinal = number + partition(gaps.count) { gaps[$0] > number }
        guard let other = order.input.path(of: first(ofSection: ordinal)) else { return false }
        return path < other
      }
      arrivals.append((source, place, path))
    }
    arrivals.sort { $0.path < $1.path }
    var edits = IndexEdits()
    edits.movedSections = arrivals.enumerated().map { number, arrival in
      IndexEdits.SectionShift(source: arrival.source, target: arrival.place + number)
    }
    rows.index.apply(edits)
  }

  private func first(ofSection section: Int) -> ItemID {
    rows.id(at: ItemPath(section: section, item: 0))
  }

  /// Returns whether a section comes after the one before it and before the one after it.
  private func isInOrder(_ section: Int) -> Bool {
    let own = first(ofSection: section)
    if section > 0, !order.isBefore(first(ofSection: section - 1), own) { return false }
    let next = section + 1
    return next == rows.index.sectionCount || order.isBefore(own, first(ofSection: next))
  }
}
