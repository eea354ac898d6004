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

  let filter: LogFilter
  private let isJSON: Bool
  private let showsValues: Bool
  /// How many changes were written.
  private(set) var count = 0
  /// When the last commit of a store was made.
  private var lastDate: Date?
  /// When the commit of a store was made that comes after the page that was written last, where
  /// pages are written backwards.
  private var laterDate: Date?
  /// The first commit of a store after the page that was written last; nil where nobody has looked.
  private var nextCommit: NextCommit?

  /// The last commit of a store before the page that was written last, where pages are written
  /// backwards; nil where nobody has looked.
  private var formerCommit: NextCommit?

  private struct NextCommit {
    /// When it was made; nil where there is none.
    let date: Date?
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - filter: Which changes are told.
  ///   - isJSON: Whether to write JSON.
  ///   - showsValues: Whether old values and times of changes are written.
  ///   - output: Where it goes.
  init(_ filter: LogFilter, isJSON: Bool, showsValues: Bool = false, output: Output) {
    self.filter = filter
    self.isJSON = isJSON
    self.showsValues = showsValues
    self.output = output
  }

  /// Writes the transactions of a page.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - limit: After how many changes in all it ends, with the transaction of the last one; nil
  ///     for no end.
  ///   - next: Returns when the first commit of a store after the page was made; nil where there is
  ///     none. It is called where the times that are wanted have an end.
  /// - Returns: The place after the last transaction, where it has ended.
  /// - Throws: What writing and `next` throw.
  func write(
    _ page: Store.ChangeLog.Page, limit: Int? = nil, next: () throws -> Date?
  ) throws -> ChangeToken? {
    let ends = filter.end == nil ? [] : try latestDates(in: page, next: next)
    for (place, transaction) in page.transactions.enumerated() {
      lastDate = transaction.date ?? lastDate
      let end: Date? = ends.isEmpty ? nil : ends[place]
      try write(transaction, between: (after: lastDate, before: end))
      if let limit, count >= limit { return transaction.token }
    }
    return nil
  }

  /// Writes the transactions of a page that goes backwards.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - limit: After how many changes in all it ends, with the transaction of the last one; nil
  ///     for no end.
  ///   - former: Returns when the last commit of a store before the page was made; nil where there
  ///     is none.
  /// - Returns: The place before the last transaction, where it has ended.
  /// - Throws: What writing and `former` throw.
  func writeBackwards(
    _ page: Store.ChangeLog.Page, limit: Int?, former: () throws -> Date?
  ) throws -> ChangeToken? {
    let starts = try earliestDates(in: page, former: former)
    for (transaction, start) in zip(page.transactions, starts) {
      if let limit, count >= limit { return transaction.token }
      laterDate = transaction.date ?? laterDate
      try write(transaction, between: (after: start, before: laterDate ?? Date()))
    }
    guard let limit, count >= limit else { return nil }
    return page.token
  }

  private func write(
    _ transaction: Store.ChangeLog.Transaction, between bounds: (after: Date?, before: Date?)
  ) throws {
    let changes = filter.changes(of: transaction, between: bounds)
    if !filter.isOpen && changes.isEmpty { return }
    count += changes.count
    if isJSON { return try output.line(transaction.document(changes.map(shown)).text) }
    try output.line(head(of: transaction, after: bounds.after))
    for change in changes {
      let time = transaction.isAttributed ? nil : shown(change).date
      try output.line("  " + line(of: change, at: time))
      for value in shown(change).values ?? [] { try output.line("    " + line(of: value)) }
    }
  }

  /// The change as it is written: without what was read to find out about times alone.
  private func shown(_ change: Store.ChangeLog.RowChange) -> Store.ChangeLog.RowChange {
    showsValues ? change : change.withoutValues
  }

  /// When each entry of a page that goes backwards was made at the earliest: at its commit, or
  /// after the commit before it; nil where nobody knows.
  private func earliestDates(
    in page: Store.ChangeLog.Page, former: () throws -> Date?
  ) throws -> [Date?] {
    let transactions = page.transactions
    if transactions.contains(where: { $0.date != nil }) { formerCommit = nil }
    if transactions.last?.isAttributed == false && formerCommit == nil {
      formerCommit = NextCommit(date: try former())
    }
    var start = formerCommit?.date
    var dates: [Date?] = []
    for transaction in transactions.reversed() {
      start = transaction.date ?? start
      dates.append(start)
    }
    return dates.reversed()
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

  /// Writes where to go on, before what was written.
  ///
  /// - Parameters:
  ///   - token: The place.
  ///   - isComplete: Whether there is nothing before it.
  /// - Throws: What writing throws.
  func finishBackwards(_ token: ChangeToken, isComplete: Bool) throws {
    guard isJSON else { return try finish(token) }
    let next = isComplete ? nil : "\(token)"
    let document: JSONValue = [
      "v": JSONValue(ValueText.jsonVersion), "before": JSONValue(next),
    ]
    try output.line(document.text)
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

  private func line(of change: Store.ChangeLog.RowChange, at date: Date?) -> String {
    let key = change.key.map(\.description).joined(separator: ", ")
    let time = date.flatMap(DateText.text(from:)).map { "  at \($0)" } ?? ""
    return TerminalText.escaped("\(change.operation.rawValue) \(change.table) \(key)\(time)")
  }

  private func line(of value: Store.ChangeLog.RowChange.ColumnChange) -> String {
    let after = value.after.map { " -> \($0.description)" } ?? ""
    return TerminalText.escaped("\(value.column) \(value.before.description)\(after)")
  }
}
