internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Sectile
internal import SectilePresenting

/// `sectile apply`: carries out the changes that `sectile diff` and `sectile watch` write.
struct ApplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Apply a patch of 'sectile diff', or follow a 'sectile watch'.",
    discussion: """
        sectile diff old.sqlite new.sqlite --ndjson | sectile apply copy.sqlite
        sectile apply copy.sqlite patch.ndjson --dry-run
        sectile watch app.db --table job --ndjson | sectile apply copy.db -

      A patch of diff is applied in one transaction. Each row is checked first. A row to delete or \
      to change must have the values that the patch expects, and a row to insert must not exist. A \
      change that does not fit is a conflict. The command reports all conflicts and then writes \
      nothing, unless --on-conflict is skip, which leaves such rows as they are, or force, which \
      writes what the patch says. A patch in SQL is run by 'sectile sqlite FILE --writable < \
      patch.sql' instead.

      The lines of a watch keep a copy of its table up to date, with one transaction for each \
      change. When the watch starts, or starts again, rows of the copy that it does not list are \
      deleted. A row of the watch replaces the row that the copy had. The table must exist, with \
      all columns that the watch shows.

      Triggers do not run, except those of a change log. Foreign keys are checked. Ctrl-C undoes \
      what is not committed.

      The exit code is 0 if everything was applied, with skip and force also if there were \
      conflicts; 1 if conflicts kept the patch from being applied; 65 if the input is not a patch; \
      130 if Ctrl-C stopped a patch.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Argument(help: "The patch; - or nothing for standard input.", completion: .file())
  var patch: String?

  @Option(help: "How to treat a change that does not fit: error, skip or force.")
  var onConflict: ConflictPolicy = .error

  @Option(
    help: "The table to change, if its name differs from the one in the patch.",
    completion: .custom(SchemaCompletion.tables))
  var table: String?

  @Flag(help: "Allow rows of a patch that refer to rows that do not exist.")
  var allowOrphans = false

  @Flag(help: "Do everything, report the result, and undo it.")
  var dryRun = false

  @Flag(help: "Write the summary as JSON.")
  var json = false

  func run() throws {
    let stop = StopSignal()
    let path = patch ?? "-"
    if patch == nil && isatty(STDIN_FILENO) == 1 {
      throw CommandFailure(
        .usage, "there is nothing to apply",
        hint: "Name a patch, or pipe into the command; - reads what you type.")
    }
    // Closing a file gives up all locks that SQLite has on it, in the whole process.
    if path != "-" { try DatabaseFiles(of: file).refuse(path, hint: "Name a patch.") }
    let connection = try InspectionConnection(path: file, access: .readWrite)
    stop.whenStopped { [interrupter = connection.interrupter] in interrupter.interrupt() }
    let lines = try PatchLines(path: path) { if stop.hasStopped { throw ApplyStopped() } }
    let messages = Output.standardError()
    var progress = Progress("Applying lines", total: 0)
    let applier = PatchApplier(on: connection, options: options) { conflict in
      try progress.finish()
      try messages.line("Conflict: " + TerminalText.escaped(conflict))
      try messages.flush()
    }
    let start = ContinuousClock.now
    do {
      try apply(lines, to: applier, stop) { try progress.advance(to: $0) }
      try progress.finish()
    } catch {
      try? progress.finish()
      applier.rollBack()
      let isStopped = error is ApplyStopped || (stop.hasStopped && Self.isInterruption(error))
      guard isStopped else { throw error }
      // A watch has no end: who stops it has all that was committed.
      guard applier.isStream else {
        throw CommandFailure(.interrupted, "stopped", hint: "Nothing was written.")
      }
    }
    let duration = ContinuousClock.now - start
    let output = Output.standard()
    let summary = applier.summary
    try output.line(json ? summary.json(after: duration) : summary.line(after: duration))
    try output.flush()
    if summary.isRefused { throw ExitCode(CommandFailure.Code.failed.rawValue) }
  }

  private var options: PatchApplier.Options {
    PatchApplier.Options(
      policy: onConflict, isDryRun: dryRun, allowsOrphans: allowOrphans, table: table)
  }

  private func apply(
    _ lines: PatchLines, to applier: PatchApplier, _ stop: StopSignal,
    advance: (_ lines: Int) throws -> Void
  ) throws {
    let parser = PatchParser()
    var isEmpty = true
    while let bytes = try lines.next() {
      if bytes.allSatisfy({ [0x09, 0x0D, 0x20].contains($0) }) { continue }
      if stop.hasStopped { throw ApplyStopped() }
      isEmpty = false
      // A watch has no end that could come nearer.
      if lines.number & 0x3F == 0 && !applier.isStream { try advance(lines.number) }
      do {
        try applier.apply(parser.line(of: bytes))
      } catch let mistake as PatchParser.Mistake {
        throw CommandFailure(
          .data, "\(lines.name):\(lines.number): \(mistake.reason)",
          hint: "sectile diff --ndjson writes a patch; one in SQL is run by sectile sqlite.")
      } catch let failure as CommandFailure {
        throw CommandFailure(
          failure.code, "\(lines.name):\(lines.number): \(failure.message)", hint: failure.hint)
      }
    }
    if isEmpty {
      throw CommandFailure(
        .data, "\(lines.name) is empty", hint: "sectile diff --ndjson writes a patch.")
    }
    try applier.finish()
  }

  private static func isInterruption(_ error: any Error) -> Bool {
    (error as? StoreError)?.code == .interrupted
  }
}

extension ConflictPolicy: ExpressibleByArgument {}

/// A signal came while a patch was being applied.
struct ApplyStopped: Error {}
