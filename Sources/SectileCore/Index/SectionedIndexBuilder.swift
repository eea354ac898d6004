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
/// Blocks are filled to three quarters, so that the first insertions find room.
package struct SectionedIndexBuilder: Sendable {
  private var index: SectionedIndex
  private var rows: ContiguousArray<RowHandle> = []
  private var sections: ContiguousArray<SectionEntry> = []
  private var sectionRowCount = 0
  private let rowFill: Int
  private let sectionFill: Int

  /// Creates a builder of an empty index.
  package init(blockCapacity: Int = SectionedIndex.defaultBlockCapacity) {
    index = SectionedIndex(blockCapacity: blockCapacity)
    rowFill = max(1, blockCapacity * 3 / 4)
    sectionFill = max(1, index.storage[0].sections.capacity * 3 / 4)
    rows.reserveCapacity(rowFill)
  }

  /// The number of sections so far.
  package var sectionCount: Int { Int(index.storage[0].sectionKeyCount) }

  /// Begins a section after the ones that are there.
  ///
  /// - Precondition: No section with the identity was appended before.
  package mutating func appendSection(_ header: SourceSection, order: UInt64 = 0) {
    closeSection()
    let key = index.makeSectionKey(for: header.identity)
    if sections.count == sectionFill { flushSections() }
    sections.append(SectionEntry(key: key, header: header, order: order, weight: 0))
  }

  /// Appends a row to the last section.
  ///
  /// - Precondition: There is a section, and the handle was not appended before.
  /// - Complexity: O(1), amortised.
  package mutating func appendRow(_ handle: Int32) {
    if rows.count == rowFill { flushRows() }
    rows.append(RowHandle(key: handle))
    sectionRowCount += 1
  }

  /// Returns the index of everything that was appended.
  ///
  /// More may be appended afterwards, for the next, larger index; the one returned does not change.
  ///
  /// - Complexity: O(*n* / *b*), where *b* is the number of handles in a block.
  package mutating func finish() -> SectionedIndex {
    closeSection()
    // The pending blocks go into the result only, so that they can still be filled here.
    var result = index
    if !rows.isEmpty { result.storage[0].rows.appendBlock(rows) }
    if !sections.isEmpty { result.storage[0].sections.appendBlock(sections) }
    result.storage[0].rows.rebuildTrees()
    result.storage[0].sections.rebuildTrees()
    return result
  }

  private mutating func closeSection() {
    guard sectionRowCount > 0 else { return }
    precondition(!sections.isEmpty, "a row was appended before the first section")
    sections[sections.count - 1].weight += sectionRowCount
    sectionRowCount = 0
  }

  private mutating func flushRows() {
    index.storage[0].rows.appendBlock(rows)
    rows = []
    rows.reserveCapacity(rowFill)
  }

  private mutating func flushSections() {
    index.storage[0].sections.appendBlock(sections)
    sections = []
    sections.reserveCapacity(sectionFill)
  }
}
