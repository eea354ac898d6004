internal import GRDBSQLite

/// What a statement took, in SQLite's own units.
package struct StatementStatistics: Sendable {
  /// How many steps of the virtual machine.
  package let steps: Int
  /// How many rows were read one after the other, without an index.
  package let scannedRows: Int
  /// How many times rows were sorted.
  package let sorts: Int
  /// How many rows went into indexes that were made for this statement alone.
  package let indexedRows: Int
  /// How many pages were found in the connection's cache since it was opened.
  package let cacheHits: Int
  /// How many were not.
  package let cacheMisses: Int
  /// How many bytes the cache takes.
  package let cacheSize: Int
}

extension InspectionStatement {
  /// What the statement took since it was asked last.
  package func takeStatistics() -> StatementStatistics {
    func counter(_ number: Int32) -> Int { Int(sqlite3_stmt_status(statement, number, 1)) }
    func status(_ number: Int32) -> Int {
      var current: Int32 = 0
      var highest: Int32 = 0
      let handle = sqlite3_db_handle(statement)
      guard sqlite3_db_status(handle, number, &current, &highest, 0) == SQLITE_OK else { return 0 }
      return Int(current)
    }
    return StatementStatistics(
      steps: counter(SQLITE_STMTSTATUS_VM_STEP),
      scannedRows: counter(SQLITE_STMTSTATUS_FULLSCAN_STEP),
      sorts: counter(SQLITE_STMTSTATUS_SORT), indexedRows: counter(SQLITE_STMTSTATUS_AUTOINDEX),
      cacheHits: status(SQLITE_DBSTATUS_CACHE_HIT),
      cacheMisses: status(SQLITE_DBSTATUS_CACHE_MISS),
      cacheSize: status(SQLITE_DBSTATUS_CACHE_USED))
  }
}
