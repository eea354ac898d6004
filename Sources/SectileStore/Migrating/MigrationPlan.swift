/// What the ledger and the files say together, without touching either.
struct MigrationPlan {
  let pending: [Migration]
  let problems: [StoreError]
  let entries: [MigrationStatus.Entry]
  private let newestApplied: MigrationStatus.AppliedMigration?

  init(files: [Migration], applied: [MigrationStatus.AppliedMigration]) {
    let filesByVersion = Dictionary(
      files.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
    let newestFile = files.last
    let newestApplied = applied.last
    self.newestApplied = newestApplied
    let appliedVersions = Set(applied.map(\.version))
    let known = applied.map { row in
      MigrationStatus.Entry(
        version: row.version, name: row.name, appliedAt: row.appliedAt,
        problem: Self.problem(with: row, file: filesByVersion[row.version], newest: newestFile))
    }
    pending = files.filter { !appliedVersions.contains($0.version) }
    let new = pending.map { file in
      let later = newestApplied.flatMap { file.version < $0.version ? $0 : nil }
      return MigrationStatus.Entry(
        version: file.version, name: file.name, appliedAt: nil,
        problem: later.map { Self.outOfOrder(file, after: $0) })
    }
    problems = (known + new).compactMap(\.problem)
    entries = (known + new).sorted { $0.version < $1.version }
  }

  private static func problem(
    with row: MigrationStatus.AppliedMigration, file: Migration?, newest: Migration?
  ) -> StoreError? {
    if let file { return difference(between: row, and: file) }
    if let newest, row.version < newest.version { return missing(row) }
    return newer(row, than: newest)
  }

  /// Whether the database has no ledger, or nothing in it.
  var isUnused: Bool { newestApplied == nil }

  /// Returns the pending files up to a version; all of them where it is nil.
  func pending(through version: Int64?) -> ArraySlice<Migration> {
    pending.prefix { $0.version <= version ?? .max }
  }

  /// Refuses a version to stop at that no file has, or that lies behind.
  func checkTarget(_ version: Int64, of files: [Migration]) throws(StoreError) {
    if let newestApplied, version < newestApplied.version {
      throw StoreError(
        .migrationTarget,
        message: "version \(version) lies behind: \(newestApplied.name) was applied at "
          + "\(newestApplied.appliedAt)",
        hint: "No migration runs backwards. Write a new one that undoes what is too much, or "
          + "restore a backup from before.")
    }
    try Self.checkVersion(version, isOneOf: files)
  }

  /// Refuses a version that no file has.
  static func checkVersion(
    _ version: Int64, isOneOf files: [Migration]
  ) throws(StoreError) {
    guard !files.contains(where: { $0.version == version }) else { return }
    throw StoreError(
      .migrationTarget, message: "no migration has version \(version)",
      hint: files.last.map { "The newest is \($0.name)." } ?? "There are no migrations.")
  }

  private static func difference(
    between row: MigrationStatus.AppliedMigration, and file: Migration
  ) -> StoreError? {
    guard row.name == file.name else {
      return StoreError(
        .migrationChanged,
        message:
          "\(file.name) has the version of \(row.name), which was applied at \(row.appliedAt)",
        hint: "If it was renamed, give it its old name back; if it is new, give it a higher "
          + "version.")
    }
    guard row.checksum == file.checksum else {
      return StoreError(
        .migrationChanged,
        message: "\(file.name) was edited after it was applied at \(row.appliedAt)",
        hint: "Restore the file as it was, and write what is new into a new migration.")
    }
    return nil
  }

  private static func missing(_ row: MigrationStatus.AppliedMigration) -> StoreError {
    StoreError(
      .migrationMissing,
      message: "\(row.name) was applied at \(row.appliedAt), but the file is missing",
      hint: "Put the file back: a new database needs it, too.")
  }

  private static func newer(_ row: MigrationStatus.AppliedMigration, than newest: Migration?)
    -> StoreError
  {
    StoreError(
      .migrationNewer,
      message: "\(row.name) was applied at \(row.appliedAt), but "
        + (newest.map { "this program knows nothing after \($0.name)" }
          ?? "this program has no migrations"),
      hint: "Run the newer program, or restore a backup from before it ran.")
  }

  private static func outOfOrder(
    _ file: Migration, after newest: MigrationStatus.AppliedMigration
  ) -> StoreError {
    StoreError(
      .migrationOutOfOrder, message: "\(file.name) is new, but \(newest.name) was applied already",
      hint: "Give it a version higher than \(newest.version): databases must all be built in one "
        + "order.")
  }
}
