package import GRDB
internal import GRDBSQLite

extension StoreError {
  /// Wraps what SQLite or GRDB said about a statement on a connection.
  package static func statement(_ error: any Error, sql: String, on db: Database) -> StoreError {
    let file = db.sqliteConnection.flatMap { Self.file(of: $0) }
    return .wrapping(error, file: file)
  }

  /// Creates the error for more or fewer values than `?` marks.
  static func valueCount(_ count: Int, marks: Int, sql: String) -> StoreError {
    StoreError(
      .valueCount, message: "\(count) values were given for \(marks) ? marks: \(sql)",
      hint: "Give one value for each ? mark, in order.")
  }
}
