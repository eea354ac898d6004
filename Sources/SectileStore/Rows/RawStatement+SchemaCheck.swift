internal import GRDBSQLite

extension RawStatement {
  /// Whether the schema may be another than when this statement was last asked.
  ///
  /// True before the first run of a cached statement and after SQLite compiled it anew, which it
  /// does when the schema has changed. So the check of an entity against its table costs nothing
  /// while nothing changes, and needs no memory of its own.
  package func takeSchemaDoubt() -> Bool {
    let wasCompiledAgain = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 1) > 0
    return wasCompiledAgain || sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_RUN, 0) == 0
  }
}
