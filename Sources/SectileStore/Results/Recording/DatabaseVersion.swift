import GRDB

/// What changes when something happened that the recorder cannot have seen.
struct DatabaseVersion: Equatable {
  /// Changes when another connection commits, never through the writer's own commits.
  let data: Int64
  /// Changes when a table, index, view or trigger is created, dropped or altered.
  let schema: Int64

  init(_ db: Database) throws {
    data = try Self.read("PRAGMA data_version", in: db)
    schema = try Self.read("PRAGMA schema_version", in: db)
  }

  private static func read(_ pragma: String, in db: Database) throws -> Int64 {
    let statement = try RawStatement.cached(pragma, on: db)
    defer { statement.reset() }
    return try statement.step() ? statement.castInteger(at: 0) : 0
  }
}
