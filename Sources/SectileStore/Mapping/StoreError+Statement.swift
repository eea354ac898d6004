internal import GRDB

extension StoreError {
  /// Wraps what SQLite or GRDB said about a statement.
  package static func statement(_ error: any Error, sql: String) -> StoreError {
    if let error = error as? StoreError { return error }
    guard let error = error as? DatabaseError else {
      return StoreError(.statementFailed, "A statement failed: \(sql)", cause: error)
    }
    let message = error.message ?? "unknown error"
    return StoreError(
      .statementFailed,
      "SQLite error \(error.extendedResultCode.rawValue): \(message), in: \(sql)",
      cause: error)
  }
}
