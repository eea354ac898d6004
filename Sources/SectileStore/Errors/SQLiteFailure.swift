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
  /// Where in ``sql`` the offending word begins, in bytes of UTF-8; nil where SQLite does not say.
  public let offset: Int?

  /// Creates a report.
  public init(resultCode: Int32, message: String, sql: String? = nil, offset: Int? = nil) {
    self.resultCode = resultCode
    self.message = message
    self.sql = sql
    self.offset = offset
  }

  /// The result code without its extension, such as 19 for `SQLITE_CONSTRAINT`.
  public var primaryResultCode: Int32 { resultCode & 0xFF }
}

extension SQLiteFailure: CustomStringConvertible {
  /// The code and the message, in one line.
  public var description: String { "SQLite error \(resultCode): \(message)" }
}
