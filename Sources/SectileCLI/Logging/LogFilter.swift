internal import Foundation
internal import Sectile

/// Which changes of a history are told.
struct LogFilter {
  /// The table whose changes are told; nil for all.
  var table: String?
  /// The values of the key of the only row that is told; none for all rows.
  var key: [String] = []
  /// When the first commit that is told was made at the earliest.
  var start: Date?
  /// Before when the last one was made.
  var end: Date?

  /// Whether all changes are told.
  var isOpen: Bool { table == nil && key.isEmpty && !hasTimes }
  /// Whether it depends on times.
  var hasTimes: Bool { start != nil || end != nil }

  /// Returns the changes of a commit that are told.
  ///
  /// - Parameters:
  ///   - transaction: The commit, or what other programs did between two commits.
  ///   - bounds: When that was at the earliest and at the latest; nil where nobody knows. Its
  ///     changes are told only where both are within the times that are wanted.
  /// - Returns: The changes; none where nothing is told.
  func changes(
    of transaction: Store.ChangeLog.Transaction, between bounds: (after: Date?, before: Date?)
  ) -> [Store.ChangeLog.RowChange] {
    transaction.changes.filter { change in
      // A commit is as old as its end; what others wrote has times of its own, if any.
      let date = transaction.isAttributed ? nil : change.date
      return isWithin(date ?? bounds.after, date ?? bounds.before)
        && (table.map { $0.lowercased() == change.table.lowercased() } ?? true)
        && hasKey(change)
    }
  }

  private func isWithin(_ earliest: Date?, _ latest: Date?) -> Bool {
    if let start, earliest.map({ $0 < start }) ?? true { return false }
    if let end, latest.map({ $0 >= end }) ?? true { return false }
    return true
  }

  private func hasKey(_ change: Store.ChangeLog.RowChange) -> Bool {
    // After a reset any row may be another one.
    if key.isEmpty || change.operation == .reset { return true }
    return key.count == change.key.count
      && zip(key, change.key).allSatisfy { $0 == ValueText.plain($1) || $0 == $1.description }
  }
}
