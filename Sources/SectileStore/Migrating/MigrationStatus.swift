/// How a database and a program's migrations stand to each other.
public struct MigrationStatus: Sendable {
  /// What the ledger holds, in the order of versions.
  public let applied: [MigrationStatus.AppliedMigration]
  /// Each migration of the ledger and of the files, in the order of versions.
  public let entries: [Entry]
  /// The names of the files that would be applied next, in order.
  public let pending: [String]
  /// Why `Migrator.apply(to:through:didApply:)` would refuse, one error for each file.
  public let problems: [StoreError]
}
