internal import ArgumentParser
internal import Sectile
internal import SectileInspecting

/// `sectile verify`: looks whether a file is sound, and whether live results keep up with it.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract:
      "Check a SQLite file's integrity, foreign keys, migrations, change log and live results.",
    discussion: """
      The replay check opens live results of every table with a key, keeps a replica of each that \
      receives only their changesets, and compares both with fresh fetches of the same version. \
      With --for it continues while other processes write.

      The check of the change log finds triggers that are missing or changed, rows of the log that \
      were deleted, and rows that were written past the triggers, if the last entry of the log for \
      their key contradicts the data. It does not find changed values, and keys that the log does \
      not name.

      The exit code is 0 if all is well, 1 if a check found a problem, 65 if the file is not a \
      database. Nothing is changed. In a file without a write-ahead log, writers wait while a \
      table is read.

      EXAMPLES
        sectile verify app.db
        sectile verify app.db --migrations Migrations --json
        sectile verify app.db --table track --section-by genre --sort title --for 60
        sectile verify a.db --sql 'SELECT kind, count(*) FROM track GROUP BY kind'
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @Option(
    help: ArgumentHelp("Compare the applied migrations with this folder.", valueName: "dir"),
    completion: .directory)
  var migrations: String?

  @Flag(help: "Use quick_check, which does not compare indexes with their tables.")
  var quick = false

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Continue the replay check for this long, in seconds; Ctrl-C ends it early.",
      valueName: "seconds"))
  var seconds: Double?

  @OptionGroup(title: "What to replay")
  var replay: ReplayOptions

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if let seconds, !(seconds > 0 && seconds <= 86_400) {
      throw ValidationError("--for is a time in seconds, up to 86400.")
    }
  }

  func run() throws {
    let output = Output.standard()
    let files = try migrations.map { try Migrations.existing($0) }
    let connection = try opening.connection(to: file)
    let stop = StopSignal()
    var reports: [CheckReport] = []
    func tell(_ report: CheckReport) throws {
      reports.append(report)
      if json { return }
      for line in report.lines { try output.line(line) }
      try output.flush()
    }
    let check = FileCheck(connection: connection, isQuick: quick)
    try tell(watched("Checking the integrity", connection, stop) { try check.integrity() })
    try tell(watched("Checking foreign keys", connection, stop) { try check.foreignKeys() })
    for report in try storeReports(comparing: files, stop) { try tell(report) }
    try tell(LibraryCheck.report())
    let isFine = !reports.contains { $0.state == .problem }
    if json {
      try output.line(document(of: reports, isFine: isFine).text)
      try output.flush()
    }
    if !isFine {
      let names = Set(reports.filter { $0.state == .problem }.map(\.name)).sorted()
      throw CommandFailure(
        .failed, "\(file): problems with \(names.joined(separator: ", "))",
        hint: names.contains("integrity")
          ? "Keep the file and earlier backups; sectile salvage saves what is readable." : nil)
    }
  }

  // MARK: - Checks

  private func storeReports(comparing files: Migrations?, _ stop: StopSignal) throws
    -> [CheckReport]
  {
    let store: Store
    var reports: [CheckReport] = []
    var plans: [FetchPlan] = []
    do {
      store = try opening.store(at: file)
      reports.append(try LedgerCheck(store: store, migrations: files).report())
      reports.append(try ChangeLogCheck(store: store).report())
      if let request = try replay.request() {
        if request.query != nil { try RequestCheck.check(request, in: file, opening) }
        plans = [try request.plan(in: store)]
      } else {
        let tables = try ReplayTables(of: store)
        plans = tables.plans
        reports += tables.skipped
      }
    } catch let error as StoreError where error.code == .corrupt {
      // The integrity check has told of it.
      return reports + [
        CheckReport(name: "replay", state: .skipped, summary: "impossible: \(error.message)")
      ]
    }
    defer { try? store.close() }
    var progress = Progress("Replaying", total: Int(seconds ?? 0))
    defer { try? progress.finish() }
    reports += try ReplayCheck(store: store, plans: plans).reports(
      for: seconds.map { .seconds($0) }
    ) { pause, elapsed in
      try progress.advance(to: Int(elapsed / .seconds(1)))
      return stop.wait(for: pause)
    }
    return reports
  }

  /// Runs a check that Ctrl-C may interrupt, and shows on a terminal for how long it runs.
  private func watched(
    _ label: String, _ connection: InspectionConnection, _ stop: StopSignal,
    _ check: () throws -> CheckReport
  ) throws -> CheckReport {
    var progress = Progress(label + ", seconds", total: 0)
    let start = ContinuousClock.now
    connection.setProgress {
      // A terminal that is gone does not stop the check.
      try? progress.advance(to: Int((ContinuousClock.now - start) / .seconds(1)))
      return !stop.hasStopped
    }
    defer {
      connection.setProgress(nil)
      try? progress.finish()
    }
    return try check()
  }

  private func document(of reports: [CheckReport], isFine: Bool) -> JSONValue {
    [
      "v": 1, "file": .string(file), "isFine": .bool(isFine),
      "checks": .array(reports.map(\.document)),
    ]
  }
}
