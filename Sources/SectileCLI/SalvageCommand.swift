internal import ArgumentParser
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// `sectile salvage`: saves what can be read of a damaged file.
struct SalvageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Save what can be read of a damaged SQLite file into a new one.",
    discussion: """
        sectile salvage damaged.sqlite saved.sqlite
        sectile salvage damaged.sqlite saved.sqlite --table song --table artist
        sectile salvage damaged.sqlite saved.sqlite --json

      The command reads damaged tables page by page, so that a bad page costs the rows on it and \
      no others. It finds the pages that only a damaged page led to. For each table it reports the \
      keys that it could not read. It creates indexes, views and triggers again, and saves virtual \
      tables with their contents. Rows that could belong to several tables go to a new table, \
      lost_and_found.

      The damaged file is only read. If the disk may be failing, copy the file to another disk \
      first. The schema must be readable; without the first page, nothing can be saved this way.

      The exit code is 0 if nothing is missing, and 1 if the new file lacks something.
      """)

  @Argument(help: "The damaged file.", completion: .file())
  var file: String

  @Argument(
    help: "The file to write; a database cannot go to standard output.", completion: .file())
  var to: String

  @Option(
    name: .customLong("table"),
    help: ArgumentHelp("Save this table only; repeat it for more.", valueName: "table"))
  var tables: [String] = []

  @Flag(help: "Replace a file that exists.")
  var force = false

  @Flag(help: "Write one JSON document.")
  var json = false

  func run() throws {
    let start = ContinuousClock.now
    try DatabaseFiles(of: file).refuseOutput(to)
    let source = try InspectionConnection(path: file, toleratesDamage: true)
    try checkTables(source)
    let report: SalvageReport
    do {
      report = try save(from: source)
    } catch let error as StoreError {
      throw CommandFailure(copying: error, to: to)
    }
    let output = Output.standard()
    try write(report, after: ContinuousClock.now - start, to: output)
    try output.flush()
    if !report.isWhole { throw ExitCode(CommandFailure.Code.failed.rawValue) }
  }

  private func checkTables(_ source: InspectionConnection) throws {
    for table in tables { _ = try TableShape(of: table, in: file, on: source) }
  }

  private func save(from source: InspectionConnection) throws -> SalvageReport {
    let place = try BackupFile(at: to, of: file, replaces: force)
    let stop = StopSignal()
    var progress: Progress?
    defer { try? progress?.finish() }
    var report = SalvageReport()
    _ = try place.write(
      pageSize: 0,
      fill: { target in
        let salvage = try FileSalvage(from: source, into: target) { table, rows in
          guard rows & 0xFF == 0 else { return }
          if stop.hasStopped {
            throw CommandFailure(.interrupted, "stopped; nothing was saved", hint: "Run it again.")
          }
          var line = progress ?? Progress("Saving rows", total: 0)
          try line.advance(to: rows)
          progress = line
        } isStopped: {
          stop.hasStopped
        }
        report = try salvage.run(tables: Set(tables.map { $0.lowercased() }))
        return 0
      }, progress: { _ in })
    return report
  }

  private func write(
    _ report: SalvageReport, after time: Duration, to output: Output
  ) throws {
    if json { return try output.line(document(of: report, time).text) }
    for table in report.tables {
      var line = "\(table.name): \(CountText.text(table.savedCount, "row"))"
      if table.strayCount > 0 {
        line += ", \(table.strayCount) of them from pages that no readable page leads to"
      }
      if table.refusedCount > 0 { line += ", \(table.refusedCount) refused by the table's rules" }
      try output.line(TerminalText.escaped(line))
      for gap in table.gaps {
        try output.line("  " + TerminalText.escaped("not readable: \(gap.description)"))
      }
    }
    for loss in report.losses { try output.line("Lost: " + TerminalText.escaped(loss)) }
    let verdict = report.isWhole ? "nothing is missing" : "something is missing"
    try output.line(
      TerminalText.escaped(to)
        + ": \(CountText.text(report.savedCount, "row")) saved in \(DurationText.text(time)); \(verdict)"
    )
  }

  private func document(of report: SalvageReport, _ time: Duration) -> JSONValue {
    [
      "v": 1, "file": .string(file), "to": .string(to), "isWhole": .bool(report.isWhole),
      "tables": .array(
        report.tables.map { table in
          [
            "table": .string(table.name), "saved": JSONValue(table.savedCount),
            "stray": JSONValue(table.strayCount), "refused": JSONValue(table.refusedCount),
            "gaps": .array(
              table.gaps.map { ["after": JSONValue($0.after), "before": JSONValue($0.before)] }),
          ]
        }), "losses": .array(report.losses.map { .string($0) }),
      "milliseconds": JSONValue(milliseconds: time),
    ]
  }
}
