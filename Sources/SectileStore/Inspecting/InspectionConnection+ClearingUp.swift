internal import Foundation
internal import GRDBSQLite

/// Lets SQLite clear up what a connection that has closed could not.
///
/// It does so when somebody reads who may write. Where others use the file, or this user may not
/// write it, all stays as it is.
extension InspectionConnection {
  /// Removes the empty log that reading a file in WAL mode leaves beside it: a connection that only
  /// reads makes `-wal` and `-shm`, but may not remove them.
  static func removeEmptyLog(of path: String) {
    var status = stat()
    if stat(path + "-wal", &status) == 0, status.st_size == 0 { readOnce(path) }
  }

  /// Rolls back a journal that was left because rolling back failed, on a full disk for example:
  /// nobody could read before that.
  static func rollBackJournal(of path: String) {
    var status = stat()
    if stat(path + "-journal", &status) == 0, status.st_size > 0 { readOnce(path) }
  }

  private static func readOnce(_ path: String) {
    var handle: OpaquePointer?
    if sqlite3_open_v2(plainName(of: path), &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK {
      sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
    }
    sqlite3_close_v2(handle)
  }
}
