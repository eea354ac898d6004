internal import Sectile

/// Whether the table of applied migrations makes sense, by itself or beside the files.
struct LedgerCheck {
  let store: Store
  /// The files; nil where nobody knows them.
  let migrations: Migrations?

  /// Reads the ledger, and the files where there are any.
  ///
  /// - Throws: ``StoreError`` for files that cannot be read or break the rules themselves.
  func report() throws -> CheckReport {
    let status: MigrationStatus
    do {
      status = try Migrator(migrations ?? .none).status(of: store)
    } catch {
      guard [.decodingFailed, .corrupt, .statementFailed].contains(error.code) else { throw error }
      return problem([error.message], applied: 0)
    }
    let applied = status.applied.count
    let odd = status.applied.compactMap(Self.oddity)
    if migrations == nil {
      if !odd.isEmpty { return problem(odd, applied: applied) }
      if applied == 0 {
        return CheckReport(
          name: "migrations", state: .skipped, summary: "the file has no ledger of migrations")
      }
      return CheckReport(
        name: "migrations", state: .ok,
        summary: "\(applied) applied; give --migrations to compare them with the files",
        figures: [("applied", applied)])
    }
    let found = status.problems.map(\.message) + odd
    if !found.isEmpty { return problem(found, applied: applied) }
    return CheckReport(
      name: "migrations", state: .ok,
      summary: "\(applied) applied, \(status.pending.count) pending",
      figures: [("applied", applied), ("pending", status.pending.count)])
  }

  private func problem(_ details: [String], applied: Int) -> CheckReport {
    CheckReport(
      name: "migrations", state: .problem, summary: "the ledger is not as it should be",
      details: Array(details.prefix(CheckReport.detailLimit)), figures: [("applied", applied)])
  }

  /// What cannot be right about a row of the ledger, whatever the files say.
  private static func oddity(of row: MigrationStatus.AppliedMigration) -> String? {
    if Migrations.File.version(of: row.name) != row.version {
      return "version \(row.version) has the name \(row.name)"
    }
    let isChecksum = row.checksum.utf8.count == 64 && row.checksum.allSatisfy(\.isHexDigit)
    return isChecksum ? nil : "the checksum of \(row.name) is none"
  }
}
