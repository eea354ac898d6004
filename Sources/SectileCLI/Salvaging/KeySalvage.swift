internal import Sectile

/// Saves a table whose rows have no ids: from its first key on, and from its last key back.
struct KeySalvage {
  private let saver: RowSaver
  private let key: [String]

  /// Creates the work on one table.
  ///
  /// - Parameters:
  ///   - saver: Its rows.
  ///   - key: The columns of its key; none where nothing tells its rows apart.
  init(_ saver: RowSaver, key: [String]) {
    self.saver = saver
    self.key = key
  }

  /// Saves what can be read.
  func run() throws {
    var last: [StoredValue]?
    let ending = try saver.save(try saver.query(order("")), []) { key in
      last = key
      return true
    }
    if ending == .complete { return }
    var first: [StoredValue]?
    if !key.isEmpty {
      // Rows that were saved already stop it: reading met on both sides of nothing that is damaged.
      let end = last
      _ = try saver.save(try saver.query(order(" DESC")), []) { key in
        guard key != end else { return false }
        first = key
        return true
      }
    }
    saver.add(SalvageReport.Gap(after: last.map(Self.text), before: first.map(Self.text)))
  }

  private func order(_ direction: String) -> String {
    if key.isEmpty { return "" }
    return "ORDER BY " + key.map { SQLName.quote($0) + direction }.joined(separator: ", ")
  }

  private static func text(_ key: [StoredValue]) -> String {
    key.map(\.description).joined(separator: ", ")
  }
}
