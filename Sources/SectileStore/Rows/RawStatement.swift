package import GRDB
internal import GRDBSQLite

/// A prepared statement, stepped and bound through SQLite's own functions.
///
/// GRDB compiles it, owns it and finalizes it: a cached statement lives in the statement cache of
/// its connection, which GRDB empties before it closes the connection; any other lives as long as
/// this value. Keep values made by ``prepare(_:on:)`` inside one database access, because a
/// statement that outlives it makes an explicit close fail with `SQLITE_BUSY`.
///
/// Stepping does not go through GRDB, so it costs what it costs in C. In return GRDB's own
/// observers do not see the rows that such a statement writes; Sectile's pre-update hook does.
package struct RawStatement {
  /// SQLite's statement.
  package let handle: OpaquePointer
  /// GRDB's statement, which finalizes the handle; nil where the value was borrowed.
  let owner: Statement?

  /// Wraps a statement of GRDB's.
  init(_ owner: Statement) {
    self.init(handle: owner.sqliteStatement, owner: owner)
  }

  /// Borrows a statement that somebody else finalizes.
  init(handle: OpaquePointer) {
    self.init(handle: handle, owner: nil)
  }

  private init(handle: OpaquePointer, owner: Statement?) {
    self.handle = handle
    self.owner = owner
  }

  /// The statement as long as this value lives, for copies that need not keep it alive.
  var borrowed: RawStatement { RawStatement(handle: handle) }

  /// Returns the connection's cached statement for a SQL text, reset and without bindings.
  ///
  /// The cache has no limit, therefore only SQL whose variety is bounded by the program's types
  /// goes through it. Where the cached statement is being stepped, a fresh one is returned.
  package static func cached(_ sql: String, on db: Database) throws(StoreError) -> RawStatement {
    let statement: RawStatement
    do {
      statement = RawStatement(try db.cachedStatement(sql: sql))
    } catch {
      throw StoreError.statement(error, sql: sql, on: db)
    }
    return statement.isBusy ? try prepare(sql, on: db) : statement
  }

  /// Compiles exactly one statement.
  package static func prepare(_ sql: String, on db: Database) throws(StoreError) -> RawStatement {
    try refuseZeroByte(sql)
    do {
      return RawStatement(try db.makeStatement(sql: sql))
    } catch {
      throw StoreError.statement(error, sql: sql, on: db)
    }
  }

  /// Compiles the statements of a SQL text one after the other, each after `body` has finished with
  /// the one before it, so that a statement may use what an earlier one created.
  package static func forEach(
    in sql: String, on db: Database, _ body: (RawStatement) throws -> Void
  ) throws {
    try refuseZeroByte(sql)
    let statements: SQLStatementCursor
    do {
      statements = try db.allStatements(sql: sql)
    } catch {
      throw StoreError.statement(error, sql: sql, on: db)
    }
    while true {
      let next: Statement?
      do {
        next = try statements.next()
      } catch {
        throw StoreError.statement(error, sql: sql, on: db)
      }
      guard let next else { return }
      try body(RawStatement(next))
    }
  }

  /// SQLite reads SQL up to the first zero byte; what follows would be ignored without a word.
  static func refuseZeroByte(_ sql: String) throws(StoreError) {
    guard sql.utf8.contains(0) else { return }
    throw StoreError(
      .statementFailed, message: "The SQL text contains a zero byte.",
      hint: "Bind the value that contains it instead of writing it into the text.")
  }

  // MARK: - Running

  /// Advances to the next row.
  ///
  /// - Returns: True if there is a row; false if the statement has finished.
  package func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  /// Runs the statement to its end, then resets it and forgets its bindings.
  package func run() throws(StoreError) {
    defer { finish() }
    while try step() {}
  }

  /// Runs a statement without bindings that is compiled once for each connection.
  package static func runCached(_ sql: String, on db: Database) throws(StoreError) {
    let statement = try cached(sql, on: db)
    defer { statement.reset() }
    _ = try statement.step()
  }

  /// Makes the statement ready to be stepped again; bindings stay.
  package func reset() {
    sqlite3_reset(handle)
  }

  /// Resets the statement and sets every parameter to NULL, which also lets go of bound memory.
  package func finish() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: - Properties

  /// Whether the statement has been stepped and not been reset.
  package var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// Whether the statement itself writes nothing.
  ///
  /// True also for ATTACH and some pragmas.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// How many steps SQLite's machine took for the statement since the last call.
  func takeStepCount() -> Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)) }

  /// The SQL text.
  package var sql: String { Self.sql(of: handle) }

  /// How many parameters the statement has: the greatest index.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// How many columns a row has; 0 for a statement that returns none.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The name of a result column.
  package func columnName(at column: Int) -> String {
    sqlite3_column_name(handle, CInt(column)).map { String(cString: $0) } ?? ""
  }

  /// The columns' names, in order.
  var columnNames: [String] { (0..<columnCount).map { columnName(at: $0) } }

  /// Whether there is a GRDB schema cache to clear after this statement has run: true for whatever
  /// writes and is not plain data manipulation, and for what begins with a comment.
  package var mayChangeSchema: Bool {
    guard !isReadOnly else { return false }
    let verb = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
    return !["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(verb)
  }

  /// The error for a result code that this statement returned last.
  package func failure(_ resultCode: CInt) -> StoreError {
    Self.failure(resultCode, of: handle)
  }

  /// The error for a result code that a statement of SQLite's returned last.
  static func failure(_ resultCode: CInt, of handle: OpaquePointer) -> StoreError {
    StoreError.sqlite(resultCode, on: sqlite3_db_handle(handle), sql: sql(of: handle))
  }

  private static func sql(of handle: OpaquePointer) -> String {
    sqlite3_sql(handle).map { String(cString: $0) } ?? ""
  }
}
