internal import Foundation
internal import Sectile
internal import SectilePresenting

/// Writes the history of a file as lines for people, or as JSON.
///
/// What other programs wrote has no time of its own: the commits of stores before and after it
/// bound it.
final class LogWriter {
  let output: Output

  private let filter: LogFilter
  private let isJSON: Bool
  /// When the last commit of a store was made.
  private var lastDate: Date?

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
  func write(_ page: Store.ChangeLog.Page) throws {
    for (place, transaction) in page.transactions.enumerated() {
      var bounds = (after: lastDate, before: transaction.date)
      if let date = transaction.date {
        bounds.after = date
        lastDate = date
      } else if filter.start != nil {
        bounds.before = page.transactions[place...].lazy.compactMap(\.date).first
      }
      let changes = filter.changes(of: transaction, between: bounds)
      if !filter.isOpen && changes.isEmpty { continue }
      if isJSON {
        try output.line(document(of: transaction, changes).text)
      } else {
        try output.line(head(of: transaction, after: bounds.after))
        for change in changes { try output.line("  " + line(of: change)) }
      }
    }
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

  private func document(
    of transaction: Store.ChangeLog.Transaction, _ changes: [Store.ChangeLog.RowChange]
  ) -> JSONValue {
    [
      "v": JSONValue(ValueText.jsonVersion), "isAttributed": .bool(transaction.isAttributed),
      "author": JSONValue(transaction.author), "tag": JSONValue(transaction.tag),
      "date": JSONValue(
        transaction.date.flatMap(DateText.text(from:)).map { DateText.internet($0) }),
      "isContinued": .bool(transaction.isContinued), "token": .string("\(transaction.token)"),
      "changes": .array(
        changes.map {
          [
            "table": .string($0.table), "operation": .string($0.operation.rawValue),
            "key": .array($0.key.map { JSONValue($0) }),
          ]
        }),
    ]
  }
}
