package import Sectile

extension Store.ChangeLog.Transaction {
  /// Returns the transaction with some of its changes as a JSON document.
  package func document(_ changes: [Store.ChangeLog.RowChange]) -> JSONValue {
    [
      "v": JSONValue(JSONTag.format), "isAttributed": .bool(isAttributed),
      "author": JSONValue(author), "tag": JSONValue(tag),
      "date": JSONValue(date.flatMap(DateText.text(from:)).map { DateText.internet($0) }),
      "isContinued": .bool(isContinued), "token": .string("\(token)"),
      "changes": .array(
        changes.map {
          [
            "table": .string($0.table), "operation": .string($0.operation.rawValue),
            "key": .array($0.key.map { .value($0) }),
          ]
        }),
    ]
  }
}
