internal import Foundation
internal import GRDBSQLite
internal import SectileCore

extension InspectionConnection {
  /// Adds another file, to be read under a name of its own: `SELECT * FROM name.table`.
  ///
  /// It is opened for reading only, whatever the connection may do, and like the connection's own
  /// file where that is immutable. Statements still attach nothing.
  ///
  /// - Parameters:
  ///   - path: The file's path; never a URI, never a name for memory.
  ///   - name: What statements call it.
  /// - Throws: ``StoreError``: `cannotOpen` where there is no such file, `notADatabase` where it
  ///   holds something else, `statementFailed` for a name that is taken or one file too many.
  package func attach(_ path: String, as name: String) throws(StoreError) {
    try Self.check(path, mayBeMissing: false)
    let hadNoLog = !isImmutable && !FileManager.default.fileExists(atPath: path + "-wal")
    let isGuarded = access == .readOnly
    if isGuarded {
      sqlite3_set_authorizer(connection, nil, nil)
      // SQLite takes no more than it was built for.
      sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, .max)
    }
    defer {
      if isGuarded {
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        InspectionRules.install(on: connection)
      }
    }
    let uri = Self.uri(of: path, isImmutable: isImmutable)
    do {
      let statement = try prepare("ATTACH ? AS ?")
      try statement.start([.text(uri), .text(name)])
      _ = try statement.next()
    } catch {
      guard let failure = error.cause as? StoreError.SQLiteFailure else { throw error }
      // SQLite's message repeats the URI, which nobody wrote.
      let message = failure.message.replacing(uri, with: path)
      throw StoreError(
        StoreError.SQLiteFailure(resultCode: failure.resultCode, message: message), file: path)
    }
    if hadNoLog { filesWithoutLog.append(path) }
  }

  /// Returns a path as SQLite takes it for nothing but a path: with a folder before it.
  static func plainName(of path: String) -> String { StorePath.plainName(of: path) }

  /// Returns the URI that opens a file for reading only.
  static func uri(of path: String, isImmutable: Bool) -> String {
    StorePath.uri(of: path, isImmutable: isImmutable)
  }
}
