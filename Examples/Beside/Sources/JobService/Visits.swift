internal import GRDB

/// Tables of the server's own, by another library than Sectile, with migrations of its own.
///
/// GRDB uses the SQLite of the system, as Sectile does, so it may open the same file.
struct Visits: Sendable {
  private let pool: DatabasePool

  /// Opens a file, and creates the table that is missing.
  init(at path: String) throws {
    var configuration = Configuration()
    // GRDB by itself fails at once where another connection writes.
    configuration.busyMode = .timeout(5)
    pool = try DatabasePool(path: path, configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("visit") { db in
      try db.execute(sql: "CREATE TABLE visit (id INTEGER PRIMARY KEY, path TEXT NOT NULL)")
    }
    try migrator.migrate(pool)
  }

  func note(_ path: String) async throws {
    try await pool.write { db in
      try db.execute(sql: "INSERT INTO visit (path) VALUES (?)", arguments: [path])
    }
  }

  func count() async throws -> Int {
    try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM visit") ?? 0 }
  }

  func close() throws { try pool.close() }
}
