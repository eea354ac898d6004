internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

/// `sectile backup`: copies a file that others may be using.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy a SQLite file while others use it.",
    discussion: """
      The copy shows one state of the file. It is written under another name in the same folder, \
      checked with PRAGMA quick_check, and renamed when it is complete. A backup that fails, or \
      that Ctrl-C stops, leaves nothing behind. The file itself is opened read-only.

      In WAL mode writers do not wait for the copy. In other modes a commit of another process \
      makes the copy start again; after the third time the file is locked until the copy is done.

      A change log is copied with the rest, and the command prints the token of its last row. \
      Older tokens can be resumed in the copy as in the original. The copy answers newer tokens \
      with the reset ahead, or with rewritten once it has rows of its own. 'sectile log app.db \
      --since TOKEN' lists what the copy lacks.

      EXAMPLES
        sectile backup app.db app-2026-11-21.db
        sectile backup app.db /mnt/backup/app.db --force
            Replaces the copy that exists, once the new one is complete.
        sectile backup app.db copy.db --json
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Argument(
    help: "The file to write; a copy cannot go to standard output.", completion: .file())
  var to: String

  @OptionGroup var opening: OpeningOptions

  @Flag(help: "Replace a file that exists.")
  var force = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many pages to copy at a time.", valueName: "n")
  )
  var pages = 256

  @Flag(help: "Write one JSON document.")
  var json = false

  func validate() throws {
    if pages < 1 || pages > 1_000_000 {
      throw ValidationError("--pages is a number of pages: 1 to 1000000.")
    }
  }

  func run() throws {
    let start = ContinuousClock.now
    try DatabaseFiles(of: file).refuseOutput(to)
    let connection = try opening.connection(to: file)
    let report: Store.BackupReport
    do {
      report = try copy(from: connection)
    } catch let error as StoreError {
      throw CommandFailure(copying: error, to: to)
    }
    let time = ContinuousClock.now - start
    let output = Output.standard()
    try output.line(json ? document(of: report, time).text : text(of: report, time))
    try output.flush()
  }

  private func copy(from connection: InspectionConnection) throws -> Store.BackupReport {
    let stop = StopSignal()
    var copying: Progress?
    var checking = Progress("Checking the copy, seconds", total: 0)
    var checkingStart: ContinuousClock.Instant?
    defer {
      // A terminal that is gone needs no clean line.
      try? copying?.finish()
      try? checking.finish()
    }
    return try connection.backup(to: to, replacing: force, pagesPerStep: pages) { progress in
      if stop.hasStopped {
        throw CommandFailure(.interrupted, "stopped; there is no backup", hint: "Run it again.")
      }
      switch progress.phase {
      case .copying:
        let size = progress.pageSize
        // How much there is, is known now.
        var line = copying ?? Progress("Copying", total: progress.totalPages * size, unit: .bytes)
        try line.advance(to: progress.copiedPages * size)
        copying = line
      case .checking:
        let now = ContinuousClock.now
        let start = checkingStart ?? now
        checkingStart = start
        try checking.advance(to: Int((now - start) / .seconds(1)))
      }
    }
  }

  private func text(of report: Store.BackupReport, _ time: Duration) -> String {
    let size = SizeText.text(kibibytes: (report.size + 1023) / 1024)
    let line =
      "\(TerminalText.escaped(to)): \(CountText.text(report.pageCount, "page")), \(size), in \(DurationText.text(time))"
    let check =
      report.uncheckedReason.map { "not checked: \(TerminalText.escaped($0))" } ?? "checked"
    let log = report.token.map { "; its change log ends at the token \($0)" } ?? ""
    return "\(line); \(check)\(log)"
  }

  private func document(of report: Store.BackupReport, _ time: Duration) -> JSONValue {
    [
      "v": 1, "file": .string(file), "to": .string(to), "pages": JSONValue(report.pageCount),
      "pageSize": JSONValue(report.pageSize), "bytes": .integer(report.size),
      "isChecked": .bool(report.uncheckedReason == nil),
      "uncheckedReason": JSONValue(report.uncheckedReason),
      "token": JSONValue(report.token?.description), "milliseconds": JSONValue(milliseconds: time),
    ]
  }
}
