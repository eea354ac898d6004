/// What the ledger and the files say together, without touching either.
struct MigrationPlan {
  let pending: [Migration]
  let problems: [StoreError]

  init(files: [Migration], applied: [AppliedMigration]) {
    let filesByVersion = Dictionary(
      files.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
    let newestFile = files.last
    let newestApplied = applied.last
    let appliedVersions = Set(applied.map(\.version))
    var problems: [StoreError] = []
    for row in applied {
      if let file = filesByVersion[row.version] {
        problems += Self.difference(between: row, and: file).map { [$0] } ?? []
      } else if let newestFile, row.version < newestFile.version {
        problems.append(Self.missing(row))
      } else {
        problems.append(Self.newer(row, than: newestFile))
      }
    }
    pending = files.filter { !appliedVersions.contains($0.version) }
    for file in pending {
      if let newestApplied, file.version < newestApplied.version {
        problems.append(Self.outOfOrder(file, after: newestApplied))
      }
    }
    self.problems = problems
  }

  private static func difference(
    between row: AppliedMigration, and file: Migration
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

  private static func missing(_ row: AppliedMigration) -> StoreError {
    StoreError(
      .migrationMissing,
      message: "\(row.name) was applied at \(row.appliedAt), but the file is missing",
      hint: "Put the file back: a new database needs it, too.")
  }

  private static func newer(_ row: AppliedMigration, than newest: Migration?) -> StoreError {
    StoreError(
      .migrationNewer,
      message: "\(row.name) was applied at \(row.appliedAt), but "
        + (newest.map { "this program knows nothing after \($0.name)" }
          ?? "this program has no migrations"),
      hint: "Run the newer program, or restore a backup from before it ran.")
  }

  private static func outOfOrder(
    _ file: Migration, after newest: AppliedMigration
  ) -> StoreError {
    StoreError(
      .migrationOutOfOrder, message: "\(file.name) is new, but \(newest.name) was applied already",
      hint: "Give it a version higher than \(newest.version): databases must all be built in one "
        + "order.")
  }
}
