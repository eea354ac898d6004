extension SyncedTable {
  /// Refuses names that SQLite does not tell apart, or keeps for itself.
  ///
  /// - Parameter tables: The tables, as the hub describes them.
  /// - Throws: ``HubError`` with the code `invalidSubscription`.
  static func checkNames(of tables: [SyncedTable]) throws {
    if let (name, other) = sameNames(in: tables.map(\.name)) {
      throw HubError(
        .invalidSubscription,
        message: "the tables \(name) and \(other) have one name in a file of SQLite",
        hint: "It takes A and a for the same letter: leave one of the tables out, or rename it.")
    }
    for table in tables {
      guard !folded(table.name).starts(with: "sqlite_".utf8) else {
        throw HubError(
          .invalidSubscription,
          message: "the table \(table.name) has a name that SQLite keeps for itself",
          hint: "Rename it at the hub, or leave it out.")
      }
      if let (name, other) = sameNames(in: table.columns.map(\.name)) {
        throw HubError(
          .invalidSubscription,
          message:
            "the columns \(name) and \(other) of the table \(table.name) have one name in a file of SQLite",
          hint: "It takes A and a for the same letter: subscribe to the other columns by name.")
      }
    }
  }

  private static func sameNames(in names: [String]) -> (String, String)? {
    var known: [[UInt8]: String] = [:]
    for name in names {
      if let other = known.updateValue(name, forKey: folded(name)) { return (other, name) }
    }
    return nil
  }

  /// A name as SQLite compares it: without the case of ASCII letters, and by its bytes.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}
