internal import GRDB
internal import SectileCore

/// Brings a database's schema to where a program's migrations want it.
///
/// Files are applied in the order of their versions, each in a transaction of its own together with
/// its row in the ledger, the table `sectile_migration`. A file that fails leaves nothing behind;
/// the files before it stay, and the next run continues there. Several processes may run it at
/// once: they take turns, and each file is applied once.
///
/// ```swift
/// let status = try Migrator(.folder("Migrations")).status(of: store)
/// print(status.pending)  // ["V0003_add_size.sql"]
/// ```
///
/// Foreign keys are not enforced while a file runs, so that it may rebuild tables; before its
/// commit `PRAGMA foreign_key_check` looks at the whole database, unless the connection does not
/// enforce foreign keys at all.
public struct Migrator: Sendable {
  private let migrations: Migrations

  /// Creates a migrator for a program's migrations.
  public init(_ migrations: Migrations) {
    self.migrations = migrations
  }

  /// Applies what is pending; `Store.open(at:configuration:migrations:)` does it, too.
  ///
  /// There is no way back: no file undoes another. To get rid of what a file did, write a new one,
  /// or restore a backup.
  ///
  /// - Parameters:
  ///   - store: The store to migrate. Live results resync.
  ///   - version: The version of the last file to apply; nil for all of them.
  ///   - didApply: Hears the name of each file once it is committed.
  /// - Returns: The names of the files that were applied by this call, without those of a baseline.
  /// - Throws: ``StoreError`` that names the file. Refused before anything is written:
  ///   `migrationName`, `migrationUnreadable`, `migrationEmpty`, `migrationDuplicate`,
  ///   `migrationChanged`, `migrationMissing`, `migrationOutOfOrder`, `migrationNewer`,
  ///   `migrationPending`, `migrationTarget` for a version that cannot be reached,
  ///   `migrationBaseline` for a schema that is not that of the baseline. Failing in a
  ///   file, which is then undone: `migrationFailed`, `migrationTransaction`,
  ///   `migrationForeignKeys`; and the codes of any write.
  @discardableResult
  public func apply(
    to store: Store, through version: Int64? = nil, didApply: (_ name: String) -> Void = { _ in }
  ) throws(StoreError) -> [String] {
    guard let files = try migrations.load() else {
      return []
    }
    let plan = try store.plan(for: files)
    if let problem = plan.problems.first {
      throw problem
    }
    if let version {
      try plan.checkTarget(version, of: files)
    }
    guard let first = plan.pending(through: version).first else {
      return []
    }
    guard !store.configuration.isReadOnly else {
      throw StoreError(
        .migrationPending,
        message:
          "\(store.path ?? "The store") is read-only, and \(first.name) is pending",
        hint: "Let a program that may write migrate the database first.")
    }
    if let last = migrations.baselineVersion, plan.isUnused {
      try store.record(
        MigrationBaseline(
          of: files.filter { $0.version <= last }, through: version,
          knowing: store.configuration.collations))
    }
    var applied: [String] = []
    let run = MigrationRun(files, through: version)
    while let name = try store.applyNext(of: run) {
      applied.append(name)
      didApply(name)
    }
    return applied
  }

  /// Applies what is pending, without blocking the caller's thread.
  ///
  /// Cancelling the task has it stop after a file; the call then throws `CancellationError`, and
  /// the next run continues there. See `apply(to:through:didApply:)` for more information.
  @discardableResult
  public func apply(
    to store: Store, through version: Int64? = nil,
    didApply: @Sendable (_ name: String) -> Void = { _ in }
  ) async throws -> [String] {
    try await store.blockingCalls.run {
      try apply(to: store, through: version, didApply: didApply)
    }
  }

  /// Returns what was applied, what is pending, and what stands in the way, without writing.
  ///
  /// Files of a baseline are pending until they are in the ledger.
  ///
  /// - Throws: ``StoreError`` if the files break the rules by themselves, or if reading fails.
  public func status(of store: Store) throws(StoreError) -> MigrationStatus {
    let files = try migrations.load() ?? []
    let applied = try store.readLedger()
    let plan = MigrationPlan(files: files, applied: applied)
    return MigrationStatus(
      applied: applied, entries: plan.entries, pending: plan.pending.map(\.name),
      problems: plan.problems)
  }

  /// Refuses a version to stop at that cannot be reached, as ``apply(to:through:)`` does.
  ///
  /// - Parameters:
  ///   - version: The version of the last file to apply.
  ///   - status: What ``status(of:)`` returned.
  /// - Throws: ``StoreError`` with the code `migrationTarget`.
  package func checkTarget(
    _ version: Int64, in status: MigrationStatus
  ) throws(StoreError) {
    let files = try migrations.load() ?? []
    try MigrationPlan(files: files, applied: status.applied).checkTarget(version, of: files)
  }
}
