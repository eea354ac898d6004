internal import GRDBSQLite

extension StoreError {
  /// Returns the error of a file that is only read, and that SQLite cannot read without writing to what
  /// lies beside it.
  static func logUnusable(_ failure: SQLiteFailure, file: String) -> StoreError {
    StoreError(
      .cannotOpen,
      message: "\(file): the log beside the file cannot be used: \(failure.message)",
      hint: "Make the file's folder writable, or copy the file with its -wal or -journal.",
      cause: failure)
  }

  /// Whether a file cannot be read because SQLite would have to write to what lies beside it.
  package var isOfUnusableLog: Bool {
    guard code == .cannotOpen, let failure = cause as? SQLiteFailure else { return false }
    return failure.primaryResultCode == SQLITE_READONLY
  }
}
