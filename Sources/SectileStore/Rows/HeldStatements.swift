internal import GRDB

/// Statements that one connection runs again and again, found by a number rather than by their
/// text.
///
/// The connection's statement cache owns them: it is emptied where the schema changes and before
/// the connection closes, and what is held here is gone with it.
///
/// Confined to the connection's serial queue.
final class HeldStatements {
  private final class Entry {
    let sql: String
    weak var owner: Statement?

    init(sql: String, owner: Statement?) {
      self.sql = sql
      self.owner = owner
    }
  }

  // Asked for several times in each commit; not checked at run time, because no access is inside
  // another.
  @exclusivity(unchecked) private var entries: [Entry] = []

  init() {}

  /// Finds the connection's cached statement for a SQL text.
  ///
  /// - Parameters:
  ///   - sql: The text; see ``RawStatement/cached(_:on:)``.
  ///   - number: The statement's number among those held here.
  ///   - db: The connection, always the same one.
  /// - Returns: The statement, reset.
  /// - Throws: Where SQLite does not accept the statement.
  func statement(
    _ sql: String, number: Int, on db: Database
  ) throws(StoreError) -> RawStatement {
    if number < entries.count {
      let entry = entries[number]
      if let owner = entry.owner, entry.sql == sql {
        let statement = RawStatement(owner)
        if !statement.isBusy { return statement }
      }
    }
    let statement = try RawStatement.cached(sql, on: db)
    while entries.count <= number { entries.append(Entry(sql: "", owner: nil)) }
    entries[number] = Entry(sql: sql, owner: statement.owner)
    return statement
  }
}
