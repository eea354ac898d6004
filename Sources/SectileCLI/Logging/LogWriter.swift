internal import Foundation
internal import Sectile
internal import SectilePresenting

/// Writes the history of a file as lines for people, or as JSON.
struct LogWriter {
  /// The table whose changes are told; nil for all.
  let table: String?
  let isJSON: Bool
  let output: Output

  /// Writes the transactions of a page.
  func write(_ page: Store.ChangeLog.Page) throws {
    for transaction in page.transactions {
      let changes = transaction.changes.filter { change in
        table.map { $0.lowercased() == change.table.lowercased() } ?? true
      }
      if table != nil && changes.isEmpty { continue }
      if isJSON {
        try output.line(document(of: transaction, changes).text)
      } else {
        try output.line(head(of: transaction))
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

  private func head(of transaction: Store.ChangeLog.Transaction) -> String {
    guard transaction.isAttributed else { return TextStyle.bold.text("unattributed") }
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
        transaction.date.flatMap(DateText.text(from:)).map {
          $0.split(separator: " ").joined(separator: "T") + "Z"
        }),
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
