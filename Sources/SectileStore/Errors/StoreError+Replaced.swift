internal import GRDB
internal import GRDBSQLite

extension StoreError {
  /// Returns the error of a connection whose file is no longer at its path; nil where it is.
  ///
  /// A connection goes on with the file it has open, whatever becomes of the name: what others
  /// write to the new file it would never see. Costs one look at the directory.
  static func fileReplaced(below db: Database) -> StoreError? {
    guard let connection = db.sqliteConnection else { return nil }
    var hasMoved: CInt = 0
    let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    // A database in memory has no file, and says so.
    guard code == SQLITE_OK, hasMoved != 0 else { return nil }
    return StoreError(
      .fileReplaced,
      message: "\(file(of: connection) ?? "The file") was replaced, renamed or deleted while open",
      hint: "Open the store again to see the file that is there now.")
  }
}
