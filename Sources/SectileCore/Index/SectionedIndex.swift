/// The sections of some results in order, and in each of them row handles in order.
///
/// It finds the row at a position and the position of a row in O(log *n*).
///
/// ```text
/// sections            A (3 rows)   B (0)   C (4 rows)
///                     ──────────           ─────────────
/// handles by rank     7   2   9            4   0   5   1
/// rank                0   1   2            3   4   5   6
/// path              0,0 0,1 0,2          2,0 2,1 2,2 2,3
/// ```
///
/// Two sequences hold all of it: the handles of all sections one after another, and the sections
/// with their sizes. A *handle* is a small number by which the caller knows a row; a *rank* counts
/// rows over all sections; a *path* is a section's ordinal and an offset in it. Rank ↔ handle is a
/// question to the first sequence, rank ↔ path one to the second. Blocks of handles run across
/// sections, so a million sections of one row cost no more than one section of a million. See
/// ``RankedBlocks`` for what a sequence looks like inside.
///
/// The index is a value. A copy shares every block with the original until one of them changes it:
/// changing one row of a million copies a few kilobytes of rows, and the block tables.
package struct SectionedIndex: Sendable {
  /// The number of handles in a full block, unless another is asked for.
  package static let defaultBlockCapacity = 256

  /// The two sequences, and the sections by identity.
  struct Parts: Sendable {
    var rows: RankedBlocks<RowHandle>
    var sections: RankedBlocks<SectionEntry>
    var sectionKeys = SectionKeys()
    var freeSectionKeys: ContiguousArray<Int32> = []
    var sectionKeyCount: Int32 = 0
    var aggregates = AggregateValues.empty
  }

  // Always one element. Behind one reference a copy of the index costs one retain instead of one
  // for each of the twenty arrays below it; the array brings copy on write.
  var storage: ContiguousArray<Parts>

  /// Creates an empty index.
  ///
  /// - Parameter blockCapacity: How many handles a block holds; tests use small ones.
  package init(blockCapacity: Int = Self.defaultBlockCapacity) {
    storage = [
      Parts(
        rows: RankedBlocks(capacity: blockCapacity, upTo: blockCapacity),
        // Sections are large, and looked through from the front of a block.
        sections: RankedBlocks(
          capacity: max(2, blockCapacity / 16), upTo: max(2, blockCapacity / 4)))
    ]
  }

  /// What is worked out from all rows; those of a section are in its header.
  package var aggregates: AggregateValues {
    get { storage[0].aggregates }
    set { storage[0].aggregates = newValue }
  }

  /// The number of rows.
  package var count: Int { storage[0].rows.count }

  /// The number of sections.
  package var sectionCount: Int { storage[0].sections.count }

  // MARK: - Sections

  /// Returns the number of rows in a section.
  package func count(inSection section: Int) -> Int {
    storage[0].sections.withElement(at: section) { $0.weight }
  }

  /// The number of rows in each section, in order.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  package var sectionCounts: [Int] {
    var counts: [Int] = []
    counts.reserveCapacity(sectionCount)
    storage[0].sections.forEach(in: 0..<sectionCount) { counts.append($0.weight) }
    return counts
  }

  /// Returns the header of a section.
  package func header(ofSection section: Int) -> SourceSection {
    storage[0].sections.withElement(at: section) { $0.header }
  }

  /// A section as the index counts it.
  package struct Section {
    package let ordinal: Int
    /// The number of rows.
    package let count: Int
    /// The digest of what decides the section's place.
    package let order: UInt64
  }

  /// Returns a section, or nil if its identity is not the one that a closure looks for.
  package func section(_ ordinal: Int, where isWanted: (StoredValue) -> Bool) -> Section? {
    // Taken out before the closure is asked, or the whole header would be copied for it.
    let (identity, section) = storage[0].sections.withElement(at: ordinal) { entry in
      (
        entry.header.identity,
        Section(ordinal: ordinal, count: entry.weight, order: entry.order)
      )
    }
    return isWanted(identity) ? section : nil
  }

  /// Returns the digest of what decides a section's place.
  package func order(ofSection section: Int) -> UInt64 {
    storage[0].sections.withElement(at: section) { $0.order }
  }

  /// Replaces the header of a section, and the digest of what decides its place where one is given.
  ///
  /// - Precondition: The identity stays.
  package mutating func setHeader(
    _ header: SourceSection, order: UInt64? = nil, ofSection section: Int
  ) {
    storage[0].sections.update(at: section) { entry in
      precondition(
        entry.header.identity == header.identity,
        "section \(entry.header.identity) cannot become \(header.identity)")
      entry.header = header
      if let order { entry.order = order }
    }
  }

  /// Returns the ordinal of the section with an identity, or nil.
  package func sectionOrdinal(of identity: StoredValue) -> Int? {
    storage[0].sectionKeys[identity].flatMap { storage[0].sections.position(ofKey: $0) }
  }

  /// Returns the rank of a section's first row, or of the row that would be it.
  ///
  /// - Precondition: `section` is in `0...sectionCount`.
  package func startRank(ofSection section: Int) -> Int {
    storage[0].sections.weight(before: section)
  }

  /// Returns the ranks of a section's rows.
  package func ranks(ofSection section: Int) -> Range<Int> {
    let start = startRank(ofSection: section)
    return start..<(start + count(inSection: section))
  }

  // MARK: - Rows

  /// Returns the handle of the row at a rank.
  package func handle(atRank rank: Int) -> Int32 {
    storage[0].rows.withElement(at: rank) { $0.key }
  }

  /// Returns the handle of the row at a path.
  package func handle(at path: ItemPath) -> Int32 {
    handle(atRank: rank(at: path))
  }

  /// Returns the rank of a row, or nil where the index does not contain it.
  package func rank(of handle: Int32) -> Int? {
    storage[0].rows.position(ofKey: handle)
  }

  /// Returns the path of a row, or nil where the index does not contain it.
  package func path(of handle: Int32) -> ItemPath? {
    rank(of: handle).map(path(atRank:))
  }

  /// Returns the path of the row at a rank.
  ///
  /// - Precondition: `rank` is in `0..<count`.
  package func path(atRank rank: Int) -> ItemPath {
    let (section, item) = storage[0].sections.position(atWeight: rank)
    return ItemPath(section: section, item: item)
  }

  /// Returns whether there is a row at a path, which may come from anywhere.
  package func contains(_ path: ItemPath) -> Bool {
    path.section >= 0 && path.section < sectionCount && path.item >= 0
      && path.item < count(inSection: path.section)
  }

  /// Returns the rank of the row at a path.
  ///
  /// - Precondition: The path exists.
  package func rank(at path: ItemPath) -> Int {
    let count = count(inSection: path.section)
    precondition(
      path.item >= 0 && path.item < count, "\(path): the section has \(count) rows")
    return startRank(ofSection: path.section) + path.item
  }

  /// Narrows a range of ranks to those among which a place may still be, by halving.
  ///
  /// - Parameters:
  ///   - ranks: The ranks of rows that the place is before, among or behind.
  ///   - side: On which side of the row with a handle the place is; nil where that is not known.
  /// - Returns: An empty range at the place, or the ranks of the rows that were left when a row
  ///   could not be told.
  /// - Complexity: O(log *n*) questions.
  package func narrow(
    _ ranks: Range<Int>, by side: (_ handle: Int32) -> PlaceSide?
  ) -> Range<Int> {
    storage[0].rows.narrow(ranks) { side($0.key) }
  }

  /// Returns the handles at a range of ranks.
  ///
  /// - Complexity: O(log *n* + *k*) for *k* handles.
  package func handles(in ranks: Range<Int>) -> [Int32] {
    precondition(
      ranks.lowerBound >= 0 && ranks.upperBound <= count, "\(ranks) is outside 0..<\(count)")
    var handles: [Int32] = []
    handles.reserveCapacity(ranks.count)
    storage[0].rows.forEach(in: ranks) { handles.append($0.key) }
    return handles
  }

  /// The rank of each row by its handle; -1 at a handle that is none.
  ///
  /// - Complexity: O(*n* + *h*) for *n* rows, of which *h* is the highest handle.
  package var ranksByHandle: ContiguousArray<Int32> {
    var ranks = ContiguousArray<Int32>(repeating: -1, count: count)
    var rank: Int32 = 0
    storage[0].rows.forEach(in: 0..<count) { row in
      let handle = Int(row.key)
      if handle >= ranks.count {
        ranks.append(contentsOf: repeatElement(-1, count: handle + 1 - ranks.count))
      }
      ranks[handle] = rank
      rank += 1
    }
    return ranks
  }

  /// Returns the handles of a section's rows.
  package func handles(inSection section: Int) -> [Int32] {
    let start = startRank(ofSection: section)
    return handles(in: start..<start + count(inSection: section))
  }
}
