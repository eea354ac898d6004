import SectileCore

/// Where rows and sections come to stand when some rows are taken out of a list and others put in.
///
/// Works out positions only; nothing is changed. Rows that stay are *anchors*; a row put in knows
/// between which anchors it belongs, as a range of ranks in the list before:
///
/// ```
/// rank before   0    1    2    3    4
/// row           a    X    Y    b    c        X and Y are taken out
/// new row n with a < n < b:  gap 1...3
/// ```
///
/// Cost is O(c · log n) for c rows taken out or put in.
struct SectionEdits {
  /// A row to put in.
  struct Insertion {
    let identity: StoredValue
    /// A digest of what the row says about its section's order.
    let sectionOrder: UInt64
    let header: SourceSection
    /// The ranks, in the list before, at which the row could be put in.
    let gap: ClosedRange<Int>
  }

  /// A section that is new.
  struct NewSection {
    let header: SourceSection
    let order: UInt64
    /// The position, among the insertions, of the section's first row.
    let firstInsertion: Int
    /// The last section before it that has an anchor; -1 where there is none.
    let predecessor: Int
    var count = 0
    var survivorsBefore = 0
  }

  private struct OldSection {
    var removed: [Int] = []
    var insertions: [(boundary: Int, insertion: Int)] = []
  }

  /// Sections that are gone, by ordinal before, ascending.
  private(set) var deletedSections: [Int] = []
  /// Sections that are new, in their final order.
  private(set) var newSections: [NewSection] = []
  /// The path after, of each row put in.
  private(set) var insertedPaths: [ItemPath]

  private var oldSections: [Int: OldSection] = [:]

  /// Works out the positions, or answers nil where the rows contradict the order of the sections
  /// they belong to: then sections themselves have moved, and the caller fetches everything anew.
  ///
  /// - Parameters:
  ///   - index: The list before.
  ///   - removed: The paths of the rows taken out, ascending.
  ///   - insertions: The rows to put in, in their final order.
  ///   - keepsEmptySections: Whether sections outlive their last row.
  init?(
    index: SectionedIndex, removed: [ItemPath], insertions: [Insertion], keepsEmptySections: Bool
  ) {
    insertedPaths = []
    for path in removed {
      oldSections[path.section, default: OldSection()].removed.append(path.item)
    }
    guard let places = place(insertions, in: index) else { return nil }
    if !keepsEmptySections { findDeletedSections(in: index) }
    countSurvivorsBeforeNewSections()
    insertedPaths = places.map { place in
      switch place {
      case .new(let section, let item):
        ItemPath(section: newSections[section].survivorsBefore + section, item: item)
      case .old(let section, let boundary, let earlier):
        ItemPath(
          section: ordinalAfter(of: section),
          item: boundary - removedCount(in: section, before: boundary) + earlier)
      }
    }
  }

  private enum Place {
    case new(section: Int, item: Int)
    case old(section: Int, boundary: Int, earlier: Int)
  }

  private mutating func place(_ insertions: [Insertion], in index: SectionedIndex) -> [Place]? {
    var places: [Place] = []
    places.reserveCapacity(insertions.count)
    for (position, row) in insertions.enumerated() {
      guard let section = index.sectionOrdinal(of: row.identity) else {
        guard let place = placeInNewSection(row, at: position, index: index) else { return nil }
        places.append(place)
        continue
      }
      let start = index.startRank(ofSection: section)
      let end = start + index.count(inSection: section)
      guard index.order(ofSection: section) == row.sectionOrder,
        row.gap.lowerBound <= end, row.gap.upperBound >= start
      else { return nil }
      let boundary = max(row.gap.lowerBound, start) - start
      let earlier = oldSections[section]?.insertions.count ?? 0
      oldSections[section, default: OldSection()].insertions.append((boundary, position))
      places.append(.old(section: section, boundary: boundary, earlier: earlier))
    }
    return places
  }

  private mutating func placeInNewSection(
    _ row: Insertion, at position: Int, index: SectionedIndex
  ) -> Place? {
    if let last = newSections.last, last.header.identity == row.identity {
      guard last.order == row.sectionOrder else { return nil }
    } else {
      guard !newSections.contains(where: { $0.header.identity == row.identity }) else { return nil }
      let predecessor = row.gap.lowerBound - 1
      newSections.append(
        NewSection(
          header: row.header, order: row.sectionOrder, firstInsertion: position,
          predecessor: predecessor < 0 ? -1 : index.path(atRank: predecessor).section))
    }
    let section = newSections.count - 1
    defer { newSections[section].count += 1 }
    return .new(section: section, item: newSections[section].count)
  }

  private mutating func findDeletedSections(in index: SectionedIndex) {
    for (section, edit) in oldSections
    where edit.insertions.isEmpty && edit.removed.count == index.count(inSection: section) {
      deletedSections.append(section)
    }
    deletedSections.sort()
  }

  /// A new section stands behind every surviving section up to its predecessor, and behind those
  /// later ones that lost all their anchors and got a row which sorts before its own first.
  private mutating func countSurvivorsBeforeNewSections() {
    guard !newSections.isEmpty else { return }
    let refilled = oldSections.compactMap { section, edit in
      edit.insertions.first.map { (section: section, insertion: $0.insertion) }
    }.sorted { $0.insertion < $1.insertion }
    var next = 0
    var latest = -1
    for position in newSections.indices {
      let section = newSections[position]
      while next < refilled.count, refilled[next].insertion < section.firstInsertion {
        latest = max(latest, refilled[next].section)
        next += 1
      }
      let last = max(section.predecessor, latest)
      newSections[position].survivorsBefore = last + 1 - deletedCount(before: last + 1)
    }
  }

  // MARK: Positions after

  /// Returns the ordinal after, of a section that survives.
  func ordinalAfter(of section: Int) -> Int {
    let survivors = section - deletedCount(before: section)
    let added = newSections.partitioningIndex { $0.survivorsBefore > survivors }
    return survivors + added
  }

  /// Returns the path after, of a row that is neither taken out nor put in.
  func pathAfter(of path: ItemPath) -> ItemPath {
    let edit = oldSections[path.section]
    let added = edit?.insertions.partitioningIndex { $0.boundary > path.item } ?? 0
    return ItemPath(
      section: ordinalAfter(of: path.section),
      item: path.item - removedCount(in: path.section, before: path.item) + added)
  }

  /// Surviving sections, by ordinal before, that got or lost a row.
  var changedSections: [Int] {
    oldSections.keys.filter { !isDeleted($0) }
  }

  func isDeleted(_ section: Int) -> Bool {
    let position = deletedSections.partitioningIndex { $0 >= section }
    return position < deletedSections.count && deletedSections[position] == section
  }

  private func deletedCount(before section: Int) -> Int {
    deletedSections.partitioningIndex { $0 >= section }
  }

  private func removedCount(in section: Int, before item: Int) -> Int {
    oldSections[section]?.removed.partitioningIndex { $0 >= item } ?? 0
  }
}

extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a predicate that is false for a prefix and true
  /// for the rest.
  ///
  /// - Complexity: O(log *n*).
  func partitioningIndex(where predicate: (Element) -> Bool) -> Index {
    var low = startIndex
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if predicate(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
