internal import GRDB
internal import SectileCore

/// The table of applied migrations, in the database they were applied to.
enum Ledger {
  /// Creates the table if it is not there.
  static func create(on db: Database) throws {
    let sql = String(decoding: PackageResources.V0001_create_ledger_sql, as: UTF8.self)
    try db.execute(sql: sql)
  }

  /// Returns the rows in the order of versions; none if there is no table.
  static func read(on db: Database) throws -> [MigrationStatus.AppliedMigration] {
    guard try db.tableExists("sectile_migration") else {
      return []
    }
    let sql = "SELECT version, name, checksum, applied_at FROM sectile_migration ORDER BY version"
    let statement = try RawStatement.prepare(sql, on: db)
    var rows: [MigrationStatus.AppliedMigration] = []
    while try statement.step() {
      rows.append(
        MigrationStatus.AppliedMigration(
          version: statement.castInteger(at: 0), name: try text(1, of: statement),
          checksum: try text(2, of: statement), appliedAt: try text(3, of: statement)))
    }
    return rows
  }

  /// Returns the version of the newest row; nil where there is none.
  ///
  /// - Precondition: There is a table.
  static func newestVersion(on db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT max(version) FROM sectile_migration")
  }

  /// Adds a row with the time of now.
  static func append(_ migration: Migration, on db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO sectile_migration (version, name, checksum, applied_at)
        VALUES (?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        """, arguments: [migration.version, migration.name, migration.checksum])
  }

  private static func text(
    _ column: Int, of statement: RawStatement
  ) throws(StoreError) -> String {
    guard case .text(let text) = try statement.columnValue(at: column) else {
      throw StoreError(
        .decodingFailed,
        message: "sectile_migration: column \(statement.columnName(at: column)) holds no text",
        hint: "The ledger was changed by hand: restore it from a backup.")
    }
    return text
  }
}
