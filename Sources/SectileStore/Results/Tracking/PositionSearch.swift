import GRDB
import SectileCore

/// Finds where a row belongs among the rows that kept their place, by binary search over ranks.
///
/// Sort keys are not kept in memory: each probe reads one row's keys from the database. Rows that
/// are about to be taken out are stepped over, for their keys there are already the new ones.
///
/// - Complexity: O(log *n*) probes for each row.
struct PositionSearch {
  let contents: PlanContents
  /// Handles of the rows that are taken out.
  let removed: Set<Int32>
  let reader: PlanReader

  /// Returns the range of ranks, in the list before, at which a row could be put in.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - start: A rank the row is known not to come before.
  /// - Returns: The ranks; more than one where rows that are taken out stand there.
  /// - Throws: ``StaleContents`` where a row is gone although nobody touched it; what reading throws.
  func gap(for row: PlanRow, from start: Int) throws -> ClosedRange<Int> {
    let ranks = ranks(for: row.section)
    var low = max(start, ranks.lowerBound)
    var high = ranks.upperBound
    while low < high {
      let middle = low + (high - low) / 2
      guard let anchor = anchor(in: middle..<high) else {
        high = middle
        continue
      }
      if try reader.isRow(row.ordering, before: contents.keys.key(of: anchor.handle)) {
        high = middle
      } else {
        low = anchor.rank + 1
      }
    }
    var upper = low
    while low > 0, removed.contains(contents.index.handle(atRank: low - 1)) { low -= 1 }
    while upper < contents.count, removed.contains(contents.index.handle(atRank: upper)) {
      upper += 1
    }
    return low...upper
  }

  /// The ranks among which a row of a section belongs: those of the section, unless it is new or
  /// stands somewhere else now.
  private func ranks(for section: PlanSectionRow) -> Range<Int> {
    guard let ordinal = contents.index.sectionOrdinal(of: section.header.identity),
      contents.index.order(ofSection: ordinal) == section.order
    else { return 0..<contents.count }
    let start = contents.index.startRank(ofSection: ordinal)
    return start..<(start + contents.index.count(inSection: ordinal))
  }

  private func anchor(in ranks: Range<Int>) -> (rank: Int, handle: Int32)? {
    for rank in ranks {
      let handle = contents.index.handle(atRank: rank)
      if !removed.contains(handle) { return (rank, handle) }
    }
    return nil
  }
}
