internal import Foundation
internal import SectileCore

/// What the row of a commit tells about its transaction.
struct HistoryOrigin {
  let author: String?
  let tag: String?
  let date: Date?
  /// The number of the transaction's first row.
  let first: Int64

  init(_ row: LogRow) {
    author = Self.text(row.exactValue(0))
    tag = Self.text(row.exactValue(1))
    if case .integer(let milliseconds) = row.exactValue(2) {
      date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    } else {
      date = nil
    }
    // A row that somebody else has written has no rows of its own.
    first = if case .integer(let first) = row.exactValue(3) { first } else { row.point.sequence }
  }

  private static func text(_ value: StoredValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }
}
