internal import Foundation
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// Writes the history of a file as lines for people, or as JSON.
///
/// What other programs wrote has no time of its own: it was between the commits of stores before
/// and after it.
final class LogWriter {
  let output: Output

  private let filter: LogFilter
  private let isJSON: Bool
  /// When the last commit of a store was made.
  private var lastDate: Date?
  /// The first commit of a store after the page that was written last; nil where nobody has looked.
  private var nextCommit: NextCommit?

  private struct NextCommit {
    /// When it was made; nil where there is none.
    let date: Date?
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - filter: Which changes are told.
  ///   - isJSON: Whether to write JSON.
  ///   - output: Where it goes.
  init(_ filter: LogFilter, isJSON: Bool, output: Output) {
    self.filter = filter
    self.isJSON = isJSON
    self.output = output
  }

  /// Writes the transactions of a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - next: Returns when the first commit of a store after the page was made; nil where there is
  ///     none. It is called where the times that are wanted have an end.
  /// - Throws: What writing and `next` throw.
  func write(_ page: Store.ChangeLog.Page, next: () throws -> Date?) throws {
    let ends = filter.end == nil ? [] : try latestDates(in: page, next: next)
    for (place, transaction) in page.transactions.enumerated() {
      lastDate = transaction.date ?? lastDate
      let end: Date? = ends.isEmpty ? nil : ends[place]
      let changes = filter.changes(of: transaction, between: (after: lastDate, before: end))
      if !filter.isOpen && changes.isEmpty { continue }
      if isJSON {
        try output.line(transaction.document(changes).text)
      } else {
        try output.line(head(of: transaction, after: lastDate))
        for change in changes { try output.line("  " + line(of: change)) }
      }
    }
  }

  /// When each entry was made at the latest: at its commit, before the commit after it, or by now.
  private func latestDates(
    in page: Store.ChangeLog.Page, next: () throws -> Date?
  ) throws -> [Date] {
    let transactions = page.transactions
    if transactions.contains(where: { $0.date != nil }) { nextCommit = nil }
    // Looking reads the log, and many pages may have no commit: all of them share one answer.
    if transactions.last?.isAttributed == false && nextCommit == nil {
      nextCommit = NextCommit(date: try next())
    }
    var end = nextCommit?.date ?? Date()
    var dates: [Date] = []
    for transaction in transactions.reversed() {
      end = transaction.date ?? end
      dates.append(end)
    }
    // What comes later is behind what is there now.
    if page.isComplete { nextCommit = nil }
    return dates.reversed()
  }

  /// Says that the history does not lead on.
  func write(_ reason: ResetReason, _ token: ChangeToken) throws {
    if isJSON {
      let document: JSONValue = [
        "v": JSONValue(ValueText.jsonVersion), "reset": .string(reason.name),
        "token": .string("\(token)"),
      ]
      try output.line(document.text)
    } else {
      try output.line("reset  \(reason)")
    }
  }

  /// Writes where to go on; in JSON each line has said it.
  func finish(_ token: ChangeToken) throws {
    if !isJSON { try output.line("token \(token)") }
  }

  private func head(of transaction: Store.ChangeLog.Transaction, after date: Date?) -> String {
    guard transaction.isAttributed else {
      let time = date.flatMap(DateText.text(from:)).map { "  after \($0)" } ?? ""
      return TextStyle.bold.text("unattributed" + time)
    }
    let words = [
      transaction.date.flatMap(DateText.text(from:)), transaction.author ?? "-", transaction.tag,
      transaction.isContinued ? "(continued)" : nil,
    ]
    let text = words.compactMap { $0 }.map { TerminalText.escaped($0) }.joined(separator: "  ")
    return TextStyle.bold.text(text)
  }

  private func line(of change: Store.ChangeLog.RowChange) -> String {
    let key = change.key.map(\.description).joined(separator: ", ")
    return TerminalText.escaped("\(change.operation.rawValue) \(change.table) \(key)")
  }
}
