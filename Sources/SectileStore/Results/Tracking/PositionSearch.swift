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
  /// - Parameter start: A rank the row is known not to come before.
  func gap(for ordering: [OrderingValue], from start: Int) throws -> ClosedRange<Int> {
    var low = start
    var high = contents.count
    while low < high {
      let middle = low + (high - low) / 2
      guard let anchor = anchor(in: middle..<high) else {
        high = middle
        continue
      }
      if try reader.isRow(ordering, before: contents.keys.key(of: anchor.handle)) {
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

  private func anchor(in ranks: Range<Int>) -> (rank: Int, handle: Int32)? {
    for rank in ranks {
      let handle = contents.index.handle(atRank: rank)
      if !removed.contains(handle) { return (rank, handle) }
    }
    return nil
  }
}
