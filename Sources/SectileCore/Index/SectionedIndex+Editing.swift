extension SectionedIndex {
  /// Applies edits, in the order that ``Changeset`` prescribes.
  ///
  /// - Complexity: O(*c* log *n*) for *c* edits; a section that moves counts as one edit per row.
  package mutating func apply(_ edits: IndexEdits) {
    for path in edits.removedRows.reversed() { removeRow(at: path) }
    let arrivals = takeSections(edits)
    for arrival in arrivals { insertSection(arrival) }
    for section in edits.updatedSections {
      setHeader(section.header, order: section.order, ofSection: section.ordinal)
    }
    for row in edits.insertedRows { insertRow(row.handle, at: row.path) }
  }

  // MARK: - Rows

  private mutating func removeRow(at path: ItemPath) {
    parts.rows.remove(at: rank(at: path))
    parts.sections.update(at: path.section) { $0.weight -= 1 }
  }

  private mutating func insertRow(_ handle: Int32, at path: ItemPath) {
    let count = count(inSection: path.section)
    precondition(
      path.item >= 0 && path.item <= count, "\(path): the section has \(count) rows")
    precondition(parts.rows.position(ofKey: handle) == nil, "handle \(handle) is in the index already")
    parts.rows.insert(RowHandle(key: handle), at: startRank(ofSection: path.section) + path.item)
    parts.sections.update(at: path.section) { $0.weight += 1 }
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
        parts.sectionKeys[entry.header.identity] = nil
        parts.freeSectionKeys.append(entry.key)
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
    for offset in handles.indices.reversed() { parts.rows.remove(at: start + offset) }
    return (parts.sections.remove(at: ordinal), handles)
  }

  private mutating func insertSection(_ arrival: Arrival) {
    let start = startRank(ofSection: arrival.ordinal)
    for (offset, handle) in arrival.handles.enumerated() {
      parts.rows.insert(RowHandle(key: handle), at: start + offset)
    }
    parts.sections.insert(arrival.entry, at: arrival.ordinal)
  }

  /// Reserves the number of a new section.
  mutating func makeSectionKey(for identity: StoredValue) -> Int32 {
    let key: Int32
    if let free = parts.freeSectionKeys.popLast() {
      key = free
    } else {
      key = parts.sectionKeyCount
      parts.sectionKeyCount += 1
    }
    let former = parts.sectionKeys.updateValue(key, forKey: identity)
    precondition(former == nil, "section \(identity) is in the index already")
    return key
  }
}
