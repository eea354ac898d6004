/// A trigger that writes to the change log.
package struct LogTrigger: Hashable, Sendable {
  /// The name: `sectile_log_`, the number of the table, and what the trigger does.
  package let name: String
  /// The statement that creates it, to the byte as SQLite keeps it in the schema until something is
  /// renamed.
  package let sql: String

  /// Takes a trigger as a file has it.
  init(name: String, sql: String) { (self.name, self.sql) = (name, sql) }

  /// Writes a trigger.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - event: When it fires: `AFTER INSERT ON "t"`.
  ///   - condition: For which rows; nil for all.
  ///   - statements: What it does, each without a semicolon.
  init(_ name: String, _ event: String, when condition: String? = nil, _ statements: [String]) {
    self.name = name
    let condition = condition.map { " WHEN \($0)" } ?? ""
    let body = statements.map { "\n  \($0);" }.joined()
    sql = "CREATE TRIGGER \(name) \(event)\(condition) BEGIN\(body)\nEND"
  }
}

/// Whether the change log can follow a table.
package enum LogTrackability: Hashable, Sendable {
  /// It can: by these triggers, which name rows by the values of these columns, in this order.
  case tracked(keys: [String], triggers: [LogTrigger])
  /// It cannot. The text is a sentence for users that says why.
  case untracked(String)
}
