/// Builds a ``SectionedIndex`` from rows that arrive in order.
///
/// ```swift
/// var builder = SectionedIndexBuilder()
/// builder.appendSection(header, order: digest)
/// builder.appendRow(0)
/// builder.appendRow(1)
/// let index = builder.finish()
/// ```
///
/// Blocks are filled to three quarters, so that the first insertions find room. They are made at
/// the end: until then a row is a number in an array.
package struct SectionedIndexBuilder: Sendable {
  private var index: SectionedIndex
  private var rows: ContiguousArray<RowHandle> = []
  private var sections: ContiguousArray<SectionEntry> = []
  private var sectionStart = 0
  private var registeredCount = 0

  /// Creates a builder of an empty index.
  package init(blockCapacity: Int = SectionedIndex.defaultBlockCapacity) {
    index = SectionedIndex(blockCapacity: blockCapacity)
  }

  /// The number of sections so far.
  package var sectionCount: Int { sections.count }

  /// The number of rows so far.
  package var rowCount: Int { rows.count }

  /// Begins a section after the ones that are there.
  package mutating func appendSection(_ header: SourceSection, order: UInt64 = 0) {
    closeSection()
    sections.append(
      SectionEntry(key: Int32(sections.count), header: header, order: order, weight: 0))
  }

  /// Appends a row to the last section.
  ///
  /// - Precondition: There is a section, and the handle was not appended before.
  /// - Complexity: O(1), amortised.
  package mutating func appendRow(_ handle: Int32) {
    rows.append(RowHandle(key: handle))
  }

  /// Appends rows to the last section whose handles are their positions, until there are so many.
  ///
  /// - Precondition: There is a section, and no other handle was appended.
  /// - Complexity: O(1) for each row, amortised.
  package mutating func appendRows(upTo count: Int) {
    for position in rows.count..<count { rows.append(RowHandle(key: Int32(position))) }
  }

  /// Replaces the handles of all rows.
  ///
  /// - Parameter handles: The new handles, by the ones that were appended.
  /// - Complexity: O(*n*).
  package mutating func renumberRows(_ handles: ContiguousArray<Int32>) {
    for position in rows.indices {
      rows[position] = RowHandle(key: handles[Int(rows[position].key)])
    }
  }

  /// Returns the index of everything that was appended.
  ///
  /// More may be appended afterwards, for the next, larger index; the one returned does not change.
  ///
  /// - Precondition: No two sections have one identity.
  /// - Complexity: O(*n*).
  package mutating func finish() -> SectionedIndex {
    let repeated = registerSections()
    precondition(repeated == nil, "a section was appended twice")
    closeSection()
    var result = index
    let parts = index.storage[0]
    result.storage[0].rows = RankedBlocks(rows, like: parts.rows)
    result.storage[0].sections = RankedBlocks(sections, like: parts.sections)
    return result
  }

  /// Makes the sections known by their identities, and returns one that was appended twice.
  ///
  /// For callers that cannot know it before: then there is no index.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  package mutating func registerSections() -> StoredValue? {
    // Made large at once: each time a table grows, identities are hashed again.
    index.storage[0].sectionKeys.reserveCapacity(sections.count)
    while registeredCount < sections.count {
      let section = sections[registeredCount]
      let identity = section.header.identity
      if index.storage[0].sectionKeys.updateValue(section.key, forKey: identity) != nil {
        return identity
      }
      registeredCount += 1
    }
    index.storage[0].sectionKeyCount = Int32(sections.count)
    return nil
  }

  private mutating func closeSection() {
    guard rows.count > sectionStart else { return }
    precondition(!sections.isEmpty, "a row was appended before the first section")
    sections[sections.count - 1].weight += rows.count - sectionStart
    sectionStart = rows.count
  }
}
