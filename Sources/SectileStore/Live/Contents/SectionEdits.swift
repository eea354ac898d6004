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
  /// The section of a row to put in.
  enum Home {
    /// A section of the list before, by its ordinal, which stands where the row says.
    case existing(Int)
    /// A section that is new.
    case new(PlanSectionRow)
  }

  /// A row to put in.
  struct Insertion {
    let home: Home
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

  /// What is taken out of a section of the list before, and put in.
  fileprivate struct OldSection {
    let ordinal: Int
    /// Offsets, ascending.
    var removed: [Int] = []
    var insertions: [(boundary: Int, insertion: Int)] = []
  }

  /// Sections that are gone, by ordinal before, ascending.
  private(set) var deletedSections: [Int] = []
  /// Sections that are new, in their final order.
  private(set) var newSections: [NewSection] = []
  /// The path after, of each row put in.
  private(set) var insertedPaths: [ItemPath]

  private var newIdentities: Set<StoredValue> = []
  private var oldSections = OldSections()

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
      oldSections.edit(path.section) { $0.removed.append(path.item) }
    }
    guard let places = place(insertions, in: index) else { return nil }
    if !keepsEmptySections { findDeletedSections(in: index) }
    countSurvivorsBeforeNewSections()
    insertedPaths = paths(places)
  }

  private enum Place {
    case new(section: Int, item: Int)
    case old(section: Int, boundary: Int, earlier: Int)
  }

  private mutating func place(_ insertions: [Insertion], in index: SectionedIndex) -> [Place]? {
    var places: [Place] = []
    places.reserveCapacity(insertions.count)
    // Rows of one section follow one another.
    var last = -1
    var ranks = 0..<0
    for position in insertions.indices {
      guard case .existing(let section) = insertions[position].home else {
        guard let place = placeInNewSection(insertions[position], at: position, index: index)
        else { return nil }
        places.append(place)
        continue
      }
      if section != last { (last, ranks) = (section, index.ranks(ofSection: section)) }
      let gap = insertions[position].gap
      guard gap.lowerBound <= ranks.upperBound, gap.upperBound >= ranks.lowerBound else {
        return nil
      }
      let boundary = max(gap.lowerBound - ranks.lowerBound, 0)
      let earlier = oldSections.edit(section) { edit in
        edit.insertions.append((boundary, position))
        return edit.insertions.count - 1
      }
      places.append(.old(section: section, boundary: boundary, earlier: earlier))
    }
    return places
  }

  private mutating func placeInNewSection(
    _ row: Insertion, at position: Int, index: SectionedIndex
  ) -> Place? {
    guard case .new(let home) = row.home else { return nil }
    if let last = newSections.last, last.header.identity == home.header.identity {
      guard last.order == home.order else { return nil }
    } else {
      guard newIdentities.insert(home.header.identity).inserted else { return nil }
      let predecessor = row.gap.lowerBound - 1
      newSections.append(
        NewSection(
          header: home.header, order: home.order, firstInsertion: position,
          predecessor: predecessor < 0 ? -1 : index.path(atRank: predecessor).section))
    }
    let section = newSections.count - 1
    defer { newSections[section].count += 1 }
    return .new(section: section, item: newSections[section].count)
  }

  private mutating func findDeletedSections(in index: SectionedIndex) {
    for edit in oldSections.all
    where edit.insertions.isEmpty && edit.removed.count == index.count(inSection: edit.ordinal) {
      deletedSections.append(edit.ordinal)
    }
    deletedSections.sort()
  }

  /// A new section stands behind every surviving section up to its predecessor, and behind those
  /// later ones that lost all their anchors and got a row which sorts before its own first.
  private mutating func countSurvivorsBeforeNewSections() {
    guard !newSections.isEmpty else { return }
    let refilled = oldSections.all.compactMap { edit in
      edit.insertions.first.map { (section: edit.ordinal, insertion: $0.insertion) }
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

  private func paths(_ places: [Place]) -> [ItemPath] {
    var last = (section: -1, edit: OldSection?.none, ordinal: 0)
    return places.map { place in
      switch place {
      case .new(let section, let item):
        return ItemPath(section: newSections[section].survivorsBefore + section, item: item)
      case .old(let section, let boundary, let earlier):
        if last.section != section {
          last = (section, oldSections[section], ordinalAfter(of: section))
        }
        let removed = last.edit?.removedCount(before: boundary) ?? 0
        return ItemPath(section: last.ordinal, item: boundary - removed + earlier)
      }
    }
  }

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
      item: path.item - (edit?.removedCount(before: path.item) ?? 0) + added)
  }

  /// Surviving sections, by ordinal before, that got or lost a row.
  var changedSections: [Int] {
    oldSections.all.map(\.ordinal).filter { !isDeleted($0) }
  }

  func isDeleted(_ section: Int) -> Bool {
    let position = deletedSections.partitioningIndex { $0 >= section }
    return position < deletedSections.count && deletedSections[position] == section
  }

  private func deletedCount(before section: Int) -> Int {
    deletedSections.partitioningIndex { $0 >= section }
  }
}

extension SectionEdits.OldSection {
  fileprivate func removedCount(before item: Int) -> Int {
    removed.partitioningIndex { $0 >= item }
  }
}

/// The sections of the list before of which something is taken out, or into which something is put.
///
/// Rows come section by section, so the one that was edited last is at hand.
private struct OldSections {
  private(set) var all: [SectionEdits.OldSection] = []
  private var positions: [Int: Int] = [:]
  private var last = (ordinal: -1, position: 0)

  subscript(ordinal: Int) -> SectionEdits.OldSection? { positions[ordinal].map { all[$0] } }

  mutating func edit<Result>(
    _ ordinal: Int, _ body: (inout SectionEdits.OldSection) -> Result
  ) -> Result {
    if last.ordinal != ordinal {
      if let known = positions[ordinal] {
        last = (ordinal, known)
      } else {
        last = (ordinal, all.count)
        positions[ordinal] = all.count
        all.append(SectionEdits.OldSection(ordinal: ordinal))
      }
    }
    return body(&all[last.position])
  }
}
