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
        changes.map(\.document)),
    ]
  }
}

extension Store.ChangeLog.RowChange {
  /// The change as a JSON document; what is not known of it is left out.
  fileprivate var document: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("table", .string(table)), ("operation", .string(operation.rawValue)),
      ("key", .array(key.map { .value($0) })),
    ]
    if let text = date.flatMap(DateText.text(from:)) {
      members.append(("date", .string(DateText.internet(text))))
    }
    if let values { members.append(("values", .array(values.map(\.document)))) }
    return .object(members)
  }
}

extension Store.ChangeLog.RowChange.ColumnChange {
  fileprivate var document: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("column", .string(column)), ("before", .value(before)),
    ]
    if let after { members.append(("after", .value(after))) }
    return .object(members)
  }
}
