extension LogTriggers {
  /// Returns the triggers that write down what REPLACE would remove.
  ///
  /// The condition of a trigger asks first: nearly always nothing is in the way, and the log need
  /// not be opened.
  static func guardTriggers(
    of table: TableSchema, _ entry: LogEntry, _ guards: [LogGuard]
  ) -> [LogTrigger] {
    guard !guards.isEmpty else { return [] }
    let name = SQLName.quote(table.name)
    let insertion = trigger(
      entry.name("guard_insert"), "BEFORE INSERT ON \(name)", entry, table,
      guards.map { ($0, $0.condition, $0.isMet) })
    let updates = guards.enumerated().compactMap { number, found -> LogTrigger? in
      guard !found.change.isEmpty else { return nil }
      let columns = found.columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
      let isOf = columns.isEmpty ? "" : " OF \(columns)"
      let condition = "\(found.condition) AND \(isOther(in: table))"
      return trigger(
        entry.name("guard_update_\(number + 1)"), "BEFORE UPDATE\(isOf) ON \(name)", entry,
        table, [(found, condition, LogGuard.exists(condition, in: table))], change: found.change)
    }
    return [insertion] + updates
  }

  private static func trigger(
    _ name: String, _ event: String, _ entry: LogEntry, _ table: TableSchema,
    _ guards: [(guarding: LogGuard, condition: String, isMet: String)], change: String? = nil
  ) -> LogTrigger {
    var conditions = guards.map(\.isMet)
    var statements = guards.flatMap {
      entry.insertions(.touched, ofRowIn: table.name, where: $0.condition)
    }
    var unclear: [String] = []
    for condition in guards.flatMap(\.guarding.unclear) where !unclear.contains(condition) {
      unclear.append(condition)
    }
    if !unclear.isEmpty {
      let condition = unclear.joined(separator: " OR ")
      conditions.append(condition)
      statements.append(entry.reset(where: condition))
    }
    let found = conditions.joined(separator: " OR ")
    return LogTrigger(
      name, event, when: change.map { "(\($0)) AND (\(found))" } ?? found, statements)
  }

  /// Whether a row is another one than that which is updated.
  private static func isOther(in table: TableSchema) -> String {
    let row = SQLName.quote(table.name)
    if let id = table.rowIDColumn.map(SQLName.quote) ?? table.rowIDNames.first {
      return "\(row).\(id) <> OLD.\(id)"
    }
    let keys = table.keyColumns.map { key in
      "\(SQLName.quote(table.name, key)) IS NOT \(SQLName.of("OLD", key)) COLLATE BINARY"
    }
    return "(\(keys.joined(separator: " OR ")))"
  }
}
