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
  var isOpen: Bool { table == nil && key.isEmpty && start == nil && end == nil }

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
    if let start, bounds.after.map({ $0 < start }) ?? true { return [] }
    if let end, bounds.before.map({ $0 >= end }) ?? true { return [] }
    return transaction.changes.filter { change in
      (table.map { $0.lowercased() == change.table.lowercased() } ?? true) && hasKey(change)
    }
  }

  private func hasKey(_ change: Store.ChangeLog.RowChange) -> Bool {
    // After a reset any row may be another one.
    if key.isEmpty || change.operation == .reset { return true }
    return key.count == change.key.count
      && zip(key, change.key).allSatisfy { $0 == ValueText.plain($1) || $0 == $1.description }
  }

  // MARK: - Times

  /// Reads a time in UTC: `2026-11-25`, `2026-11-25 08:29`, `2026-11-25T08:29:43Z`; nil for other
  /// texts.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isEnd: Whether the end of the day, the minute or the second is meant, instead of its
  ///     start.
  /// - Returns: The time.
  static func date(of text: String, isEnd: Bool) -> Date? {
    var text = text.replacing("T", with: " ")
    if text.hasSuffix("Z") { text.removeLast() }
    let form: (rest: String, seconds: Double)? =
      switch text.utf8.count {
      case 10: (" 00:00:00", 86_400)
      case 16: (":00", 60)
      case 19: ("", 1)
      case 23: ("", 0.001)
      default: nil
      }
    guard let form else { return nil }
    return DateText.date(from: text + form.rest)?
      .addingTimeInterval(isEnd ? form.seconds : 0)
  }
}
