internal import SectileCore
internal import SectileHub

extension InMemoryHubState {
  /// Makes keys for the last column of a table's key.
  mutating func makeKeys(
    of name: String, count: Int
  ) throws(HubError) -> (column: String, values: [StoredValue]) {
    guard let table = table(name) else {
      throw HubError(.noSuchTable, message: "The hub has no table \(name)")
    }
    guard let column = table.columns.first(where: { $0.name == table.key.last }),
      column.type == .integer
    else {
      throw HubError(
        .invalidSubscription, message: "The hub makes no keys of \(name)",
        hint: "The last column of its key holds no integers.")
    }
    var last = lastKeys[name] ?? 0
    for case .integer(let number)? in (rows[name] ?? [:]).keys.map(\.last) {
      last = max(last, number)
    }
    lastKeys[name] = last + Int64(count)
    return (column.name, (1...Int64(count)).map { .integer(last + $0) })
  }
}
