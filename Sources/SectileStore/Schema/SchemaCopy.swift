internal import GRDB
internal import GRDBSQLite

/// An empty copy of a database's schema, or of one table, in memory, to try things out on.
///
/// Collations have the names of the original's, and a rule of their own: how text compares makes no
/// difference to what is tried here. Values are not checked, and nothing has to refer to anything.
struct SchemaCopy {
  private let queue: DatabaseQueue

  /// Runs statements that create something; one that is refused is left out where that is said.
  private init(_ statements: [String], omittingRefused: Bool) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    queue = try DatabaseQueue(configuration: configuration)
    try queue.inDatabase { copy in
      sqlite3_collation_needed(copy.sqliteConnection, nil) { _, connection, encoding, name in
        sqlite3_create_collation_v2(
          connection, name, encoding, nil, { _, left, _, right, _ in left - right }, nil)
      }
      try FirstLetter.register(on: copy)
      try RawStatement.prepare("PRAGMA ignore_check_constraints = ON", on: copy).run()
      for sql in statements {
        do {
          try RawStatement.prepare(sql, on: copy).run()
        } catch  where omittingRefused {
          continue
        }
      }
    }
  }

  /// Copies a whole schema, without triggers.
  ///
  /// What needs a module or function that only the original has is not in the copy; a statement
  /// that reads it cannot be tried.
  ///
  /// - Throws: What reading the schema throws.
  init(of db: Database) throws {
    let schema = try db.schemaRows(
      """
      SELECT sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
      ORDER BY type NOT IN ('table', 'view'), rowid
      """, [])
    try self.init(schema.map { $0[0].schemaText }, omittingRefused: true)
  }

  /// Makes an empty database, to run migrations on; they cannot attach files there.
  ///
  /// - Parameter collations: Those that compare by the rule that they have.
  /// - Throws: What opening it throws.
  init(knowing collations: [TextCollation]) throws {
    try self.init([], omittingRefused: false)
    queue.inDatabase { copy in
      sqlite3_limit(copy.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
      collations.forEach(copy.register)
    }
  }

  /// Makes one table anew.
  ///
  /// - Parameters:
  ///   - sql: The statement that creates it.
  ///   - others: Statements that create what is on it.
  /// - Throws: ``StoreError`` where a statement is refused, as for a function that only the
  ///   original has.
  init(ofTableWith sql: String, and others: [String] = []) throws {
    try self.init([sql] + others, omittingRefused: false)
  }

  /// Calls `body` with the copy.
  ///
  /// - Throws: What `body` throws.
  func withDatabase<Result>(_ body: (Database) throws -> Result) rethrows -> Result {
    try queue.inDatabase(body)
  }
}
