extension SectionedIndex {
  /// Applies edits, in the order that ``Changeset`` prescribes.
  ///
  /// - Complexity: O(*c* log *n*) for *c* edits; a section that moves counts as one edit per row.
  package mutating func apply(_ edits: IndexEdits) {
    for path in edits.removedRows.reversed() { removeRow(at: path) }
    if edits.changesSections {
      for arrival in takeSections(edits) { insertSection(arrival) }
    }
    for section in edits.updatedSections {
      setHeader(section.header, order: section.order, ofSection: section.ordinal)
    }
    for row in edits.insertedRows { insertRow(row.handle, at: row.path) }
  }

  // MARK: - Rows

  /// Takes out the row at a path.
  ///
  /// - Complexity: O(log *n*).
  package mutating func removeRow(at path: ItemPath) {
    storage[0].rows.remove(at: rank(at: path))
    storage[0].sections.update(at: path.section) { $0.weight -= 1 }
  }

  /// Puts in a row at the path it has afterwards.
  ///
  /// - Complexity: O(log *n*).
  package mutating func insertRow(_ handle: Int32, at path: ItemPath) {
    let count = count(inSection: path.section)
    precondition(
      path.item >= 0 && path.item <= count, "\(path): the section has \(count) rows")
    precondition(
      storage[0].rows.position(ofKey: handle) == nil,
      "handle \(handle) is in the index already")
    let rank = startRank(ofSection: path.section) + path.item
    storage[0].rows.insert(RowHandle(key: handle), at: rank)
    storage[0].sections.update(at: path.section) { $0.weight += 1 }
  }

  /// Moves a row within its section.
  ///
  /// As taking the row out and putting it in again, without a change of the section's count
  /// between.
  ///
  /// - Parameters:
  ///   - source: The row's path.
  ///   - item: The item it is afterwards.
  /// - Complexity: O(log *n*).
  package mutating func moveRow(at source: ItemPath, to item: Int) {
    let ranks = ranks(ofSection: source.section)
    precondition(
      (0..<ranks.count).contains(source.item) && (0..<ranks.count).contains(item),
      "\(source) to \(item): the section has \(ranks.count) rows")
    let row = storage[0].rows.remove(at: ranks.lowerBound + source.item)
    storage[0].rows.insert(row, at: ranks.lowerBound + item)
  }

  // MARK: - Sections

  /// A section on its way to its new ordinal, with the rows it brings.
  private struct Arrival {
    var ordinal: Int
    var entry: SectionEntry
    var handles: [Int32] = []
  }

  /// Takes out the sections that go or move, and returns those to insert, ascending.
  private mutating func takeSections(_ edits: IndexEdits) -> [Arrival] {
    var departures = edits.removedSections.map { (source: $0, target: Int?.none) }
    departures += edits.movedSections.map { (source: $0.source, target: Int?.some($0.target)) }
    departures.sort { $0.source < $1.source }
    var arrivals: [Arrival] = []
    for departure in departures.reversed() {
      let (entry, handles) = takeSection(at: departure.source)
      if let target = departure.target {
        arrivals.append(Arrival(ordinal: target, entry: entry, handles: handles))
      } else {
        storage[0].sectionKeys.removeValue(forKey: entry.header.identity)
        storage[0].freeSectionKeys.append(entry.key)
      }
    }
    for section in edits.insertedSections {
      let key = makeSectionKey(for: section.header.identity)
      let entry = SectionEntry(
        key: key, header: section.header, order: section.order, weight: 0)
      arrivals.append(Arrival(ordinal: section.ordinal, entry: entry))
    }
    return arrivals.sorted { $0.ordinal < $1.ordinal }
  }

  private mutating func takeSection(at ordinal: Int) -> (SectionEntry, [Int32]) {
    let handles = handles(inSection: ordinal)
    let start = startRank(ofSection: ordinal)
    for offset in handles.indices.reversed() { storage[0].rows.remove(at: start + offset) }
    return (storage[0].sections.remove(at: ordinal), handles)
  }

  private mutating func insertSection(_ arrival: Arrival) {
    let start = startRank(ofSection: arrival.ordinal)
    for (offset, handle) in arrival.handles.enumerated() {
      storage[0].rows.insert(RowHandle(key: handle), at: start + offset)
    }
    storage[0].sections.insert(arrival.entry, at: arrival.ordinal)
  }

  /// Reserves the number of a new section.
  mutating func makeSectionKey(for identity: StoredValue) -> Int32 {
    let key: Int32
    if let free = storage[0].freeSectionKeys.popLast() {
      key = free
    } else {
      key = storage[0].sectionKeyCount
      storage[0].sectionKeyCount += 1
    }
    let former = storage[0].sectionKeys.updateValue(key, forKey: identity)
    precondition(former == nil, "section \(identity) is in the index already")
    return key
  }
}
