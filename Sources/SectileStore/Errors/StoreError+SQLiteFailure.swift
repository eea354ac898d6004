internal import Foundation
internal import GRDBSQLite

extension StoreError {
  /// SQLite's own report of a failure: what ``StoreError/cause`` holds when SQLite refused.
  ///
  /// The SQL text is as it was prepared, with its `?` marks: bound values are never part of it.
  public struct SQLiteFailure: Error, Hashable, Sendable {
    /// SQLite's extended result code, such as 2067 for `SQLITE_CONSTRAINT_UNIQUE`.
    public let resultCode: Int32
    /// SQLite's message.
    public let message: String
    /// The statement that failed, if it was one.
    public let sql: String?
    /// Where in ``sql`` the offending word begins, in bytes of UTF-8; nil where SQLite does not
    /// say.
    public let offset: Int?

    /// Creates a report.
    public init(resultCode: Int32, message: String, sql: String? = nil, offset: Int? = nil) {
      self.resultCode = resultCode
      self.message = Self.withoutValue(message, of: sql)
      self.sql = sql
      self.offset = offset
    }

    /// What SQLite puts before a bound value that it repeats: a query of full-text search, a JSON
    /// path.
    private static let wordsBeforeValues = [
      "fts5: syntax error near ", "malformed MATCH expression: ", "bad JSON path: ",
      "JSON path error near ",
    ]

    /// Returns a message without the bound value that it repeats; what stands in the SQL itself
    /// stays.
    private static func withoutValue(_ message: String, of sql: String?) -> String {
      guard sql?.contains("?") ?? true,
        let words = wordsBeforeValues.first(where: message.hasPrefix)
      else { return message }
      return words + "a value that was bound"
    }

    /// Describes the failure of a connection's last call.
    ///
    /// - Parameters:
    ///   - connection: The connection that was called.
    ///   - resultCode: What the call returned.
    /// - Returns: SQLite's message, with the system's reason where reading or writing failed.
    static func message(of connection: OpaquePointer, for resultCode: Int32) -> String {
      let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown error"
      guard resultCode & 0xFF == SQLITE_IOERR else { return message }
      var reason = sqlite3_system_errno(connection)
      if reason == 0 {
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &reason)
      }
      if reason == 0 { return message }
      return "\(message): \(String(cString: strerror(reason)))"
    }

    /// The result code without its extension, such as 19 for `SQLITE_CONSTRAINT`.
    public var primaryResultCode: Int32 { resultCode & 0xFF }
  }
}

extension StoreError.SQLiteFailure: CustomStringConvertible {
  /// The code and the message, in one line.
  public var description: String { "SQLite error \(resultCode): \(message)" }
}
