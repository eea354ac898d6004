import GRDB
import SectileCore

/// Finds where a row belongs among the rows that kept their place, by binary search over ranks.
///
/// Sort keys are not kept in memory: each probe reads one row's keys from the database. Rows that
/// are about to be taken out are stepped over, for their keys there are already the new ones.
///
/// - Complexity: O(log *n*) probes for each row.
struct PositionSearch {
  private let contents: PlanContents
  /// The ranks of the rows that are taken out, neighbours merged.
  private let removed: [Range<Int>]
  private let reader: PlanReader

  /// Creates a search; `removed` are the ranks of the rows that are taken out, ascending.
  init(contents: PlanContents, removed: [Int], reader: PlanReader) {
    self.contents = contents
    self.reader = reader
    var runs: [Range<Int>] = []
    for rank in removed {
      if let last = runs.last, last.upperBound == rank {
        runs[runs.count - 1] = last.lowerBound..<(rank + 1)
      } else {
        runs.append(rank..<(rank + 1))
      }
    }
    self.removed = runs
  }

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
      let anchor = run(around: middle)?.upperBound ?? middle
      guard anchor < high else {
        high = middle
        continue
      }
      let handle = contents.index.handle(atRank: anchor)
      if try reader.isRow(row.ordering, before: contents.keys.key(of: handle)) {
        high = middle
      } else {
        low = anchor + 1
      }
    }
    let lower = low > 0 ? run(around: low - 1)?.lowerBound : nil
    return (lower ?? low)...(run(around: low)?.upperBound ?? low)
  }

  /// The rows that are taken out around a rank; nil if the row at the rank stays.
  private func run(around rank: Int) -> Range<Int>? {
    let position = removed.partitioningIndex { $0.upperBound > rank }
    guard position < removed.count, removed[position].contains(rank) else { return nil }
    return removed[position]
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
}
