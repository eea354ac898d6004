internal import Foundation
internal import GRDBSQLite

/// Copies a database from one connection to another, page by page.
struct PageCopy {
  /// How often others may set the copy back to its beginning before they have to wait for it.
  static let restartLimit = 3

  let source: OpaquePointer
  let target: OpaquePointer
  let sourcePath: String?
  let targetPath: String
  let pageSize: Int
  let pagesPerStep: Int

  /// Copies all pages.
  ///
  /// - Parameters:
  ///   - hold: Keeps the source as it is until the copy is done. Called after others have written
  ///     between two steps too often.
  ///   - progress: Hears of each step; what it throws ends the copy.
  /// - Returns: How many pages the copy has.
  /// - Throws: ``StoreError``; what the closures throw.
  func run(
    hold: () throws -> Void, progress: (Store.BackupProgress) throws -> Void
  ) throws -> Int {
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw failure(sqlite3_extended_errcode(target))
    }
    var isOpen = true
    defer { if isOpen { sqlite3_backup_finish(backup) } }
    var copied = 0
    var restarts = 0
    while true {
      let code = sqlite3_backup_step(backup, Int32(clamping: max(pagesPerStep, 1)))
      guard code == SQLITE_OK || code == SQLITE_DONE else { throw failure(code) }
      let total = Int(sqlite3_backup_pagecount(backup))
      let now = total - Int(sqlite3_backup_remaining(backup))
      try progress(
        Store.BackupProgress(
          phase: .copying, copiedPages: now, totalPages: total, pageSize: pageSize))
      if code == SQLITE_DONE { break }
      if now <= copied {
        restarts += 1
        if restarts == Self.restartLimit { try hold() }
      }
      copied = now
    }
    let total = Int(sqlite3_backup_pagecount(backup))
    isOpen = false
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw failure(code) }
    return total
  }

  /// The error of a step; SQLite does not say which of the files it is about.
  private func failure(_ code: Int32) -> StoreError {
    // The steps of a copy leave no message in the connections.
    let reason =
      code & 0xFF == SQLITE_IOERR && errno != 0 ? ": \(String(cString: strerror(errno)))" : ""
    let message = (sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error") + reason
    return StoreError(
      StoreError.SQLiteFailure(resultCode: code, message: message),
      file: Self.isWriting(code) ? targetPath : sourcePath)
  }

  private static func isWriting(_ code: Int32) -> Bool {
    switch code & 0xFF {
    case SQLITE_FULL, SQLITE_READONLY, SQLITE_CANTOPEN: true
    // What SQLite reads goes wrong with one of these two; all its other calls write.
    case SQLITE_IOERR: ![1, 2].contains(code >> 8)
    default: false
    }
  }
}
