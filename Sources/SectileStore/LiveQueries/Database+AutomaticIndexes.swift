import GRDB
import GRDBSQLite
import SectileCore

extension Database {
  /// Calls a closure while SQLite makes no indexes of its own for statements that are prepared.
  ///
  /// The setting changes when the pragma is prepared. It is not run: that would have all statements
  /// of the connection prepared anew.
  func withoutAutomaticIndexes(_ body: () -> Void) {
    let isOn =
      (try? schemaRows("PRAGMA automatic_index", []).first?.first) != .integer(0)
    if isOn { prepareOnly("PRAGMA automatic_index = 0") }
    body()
    if isOn { prepareOnly("PRAGMA automatic_index = 1") }
  }
  private func prepareOnly(_ sql: String) {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(sqliteConnection, sql, -1, &statement, nil)
    sqlite3_finalize(statement)
  }
}
