internal import CSQLite
internal import GRDBSQLite

/// What the functions of text may cost that compare each part of one text with another.
///
/// No deadline stops a single call of a function, and one of `instr`, `trim`, `replace` or `LIKE`
/// takes as long as the product of two lengths says: hours within the limit of what a value may be.
enum TextWork {
  /// How large the product of two lengths may be, in bytes: a text of 60 MB and a part of 16 bytes,
  /// or one of a megabyte and a part of a kilobyte.
  static let productLimit: Int64 = 1 << 30
  /// How many bytes a pattern of `LIKE` and `GLOB` may have.
  ///
  /// These two are not replaced: SQLite searches an index with its own ones only.
  static let patternLimit: Int32 = 256

  /// Has a connection refuse what would take longer.
  static func bound(on connection: OpaquePointer) {
    sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, patternLimit)
    // Fails where there is no memory, or where a statement runs: none does in a new connection.
    sectile_bound_text_functions(connection, productLimit)
  }
}
