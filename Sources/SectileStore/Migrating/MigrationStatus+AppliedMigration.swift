extension MigrationStatus {
  /// A row of the ledger: a migration that was applied to a database.
  public struct AppliedMigration: Hashable, Sendable {
    /// The version in the file's name.
    public let version: Int64
    /// The file's name.
    public let name: String
    /// SHA-256 of the file's bytes, in lower-case hexadecimal.
    public let checksum: String
    /// When it was applied: UTC, ISO 8601 with milliseconds.
    public let appliedAt: String
  }
}
