import GRDB

/// What changes when something happened that the recorder cannot have seen.
struct DatabaseVersion: Equatable {
  /// Changes when another connection commits, never through the writer's own commits.
  let data: Int64
  /// Changes when a table, index, view or trigger is created, dropped or altered.
  let schema: Int64

  /// Reads the version.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - statements: Where the connection's statements for it are held.
  /// - Throws: What reading throws.
  init(_ db: Database, _ statements: HeldStatements = HeldStatements()) throws {
    data = try Self.read(statements.statement("PRAGMA data_version", number: 0, on: db))
    schema = try Self.read(statements.statement("PRAGMA schema_version", number: 1, on: db))
  }

  /// Reads what changes when another connection commits.
  ///
  /// - Throws: What reading throws.
  static func data(of db: Database) throws -> Int64 {
    try read(RawStatement.cached("PRAGMA data_version", on: db))
  }

  /// Reads what changes when a table, index, view or trigger is created, dropped or altered.
  ///
  /// - Throws: What reading throws.
  static func schema(of db: Database) throws -> Int64 {
    try read(RawStatement.cached("PRAGMA schema_version", on: db))
  }

  private static func read(_ statement: RawStatement) throws -> Int64 {
    defer { statement.reset() }
    return try statement.step() ? statement.castInteger(at: 0) : 0
  }
}
