internal import GRDB

/// An attempt to use triggers on an empty copy of their table.
///
/// SQLite accepts a trigger whose statements mean nothing, and refuses every write to the table
/// from then on. Where triggers repeat expressions of the schema, that must be known before they
/// are in the file.
struct LogTriggerTrial {
  /// The table.
  let table: TableSchema
  /// The statement that creates it.
  let creation: String?
  /// Its unique indexes.
  let indexes: [UniqueIndex]

  /// Returns why SQLite refuses them, as a sentence for users; nil where it does not.
  func refusal(of triggers: [LogTrigger]) -> String? {
    do {
      let copy = try SchemaCopy(
        ofTableWith: creation ?? "",
        and: indexes.compactMap(\.creation) + LogTables.creation + LogTables.valueCreation
          + triggers.map(\.sql))
      try copy.withDatabase { db in
        for sql in writes { _ = try RawStatement.prepare(sql, on: db) }
      }
      return nil
    } catch {
      return """
        \(table.name) has a unique index that its triggers would have to compute, and SQLite by itself \
        refuses them: \((error as? StoreError)?.message ?? "\(error)")
        """
    }
  }

  /// Statements that SQLite compiles only together with all triggers.
  private var writes: [String] {
    let name = SQLName.table(table.name)
    let columns = table.columns.filter { !$0.isGenerated }.map { SQLName.quote($0.name) }
    return [
      "INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)",
      "UPDATE \(name) SET \(columns.map { "\($0) = \($0)" }.joined(separator: ", "))",
    ]
  }
}
