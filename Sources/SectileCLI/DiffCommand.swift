internal import ArgumentParser
internal import Sectile

/// `sectile diff`: what must change for one file's table to become another's.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare a table in two files, row by row.",
    discussion: """
      sectile diff yesterday.sqlite today.sqlite --table song
      sectile diff a.sqlite b.sqlite --table song --key title --ignore-columns id,changed_at
      sectile diff a.sqlite b.sqlite --table song --mode ndjson | jq 'select(.kind == "update")'

      The rows of both are read in the order of the key and compared in constant memory. R- [0,i] is \
      a row that is gone, at its place in the first file; R+ [0,i] a new one, at its place in the \
      second; R~ [0,i]→[0,j] one with other values, before → after. 1 and 1.0 are other values.

      JSON is a document of version 1: v, table, key, columns, columnsOnlyBefore, columnsOnlyAfter, \
      changes, summary. A change has kind (delete, insert, update), path or source and target, id, \
      and row, or before and after with the columns that changed. NDJSON has lines of kind table, \
      delete, insert, update, summary, each with v.

      The exit code is 0 where tables are the same, and 1 where rows or columns differ.
      """)

  /// How differences are written.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case ndjson
  }

  @Argument(help: "The file before.", completion: .file())
  var before: String

  @Argument(help: "The file after.", completion: .file())
  var after: String

  @Option(help: "The table or view to compare.")
  var table: String

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that tells rows apart, instead of the primary key; repeat it for a key of several.",
      valueName: "column"))
  var keys: [String] = []

  @OptionGroup var columns: ColumnOptions

  @Option(help: ArgumentHelp("Columns not to compare, with commas between them.", valueName: "a,b"))
  var ignoreColumns: String?

  @Option(name: .customLong("where"), help: "Which rows are wanted: an SQL condition.")
  var filter: String?

  @Option(help: "How differences are written: text, json, ndjson.")
  var mode: Mode = .text

  @Flag(help: "Write the numbers only.")
  var summary = false

  func run() throws {
    let ignored = ColumnOptions.names(in: ignoreColumns ?? "")
    let diff = try TableDiff(
      DiffSide(path: before, table: table), DiffSide(path: after, table: table), key: keys,
      columns: columns.names, ignored: ignored, filter: filter)
    let output = Output.standard()
    let writer = writer(of: diff, output: output)
    // A terminal that shows differences has no line for progress.
    var progress = Output.isTerminal ? nil : Progress("Comparing", total: 0)
    var count = 0
    let result: DiffSummary
    do {
      try writer.begin()
      result = try diff.run { difference in
        try writer.write(difference)
        count += 1
        try progress?.advance(to: count)
      }
      try progress?.finish()
      try writer.finish(result)
    } catch {
      // What came before the failure is an answer, too.
      try? output.flush()
      throw error
    }
    try output.flush()
    let hasSameColumns = diff.columnsOnlyBefore.isEmpty && diff.columnsOnlyAfter.isEmpty
    if !result.isEqual || !hasSameColumns { throw ExitCode(CommandFailure.Code.failed.rawValue) }
  }

  private func writer(of diff: TableDiff, output: Output) -> any DiffWriting {
    switch mode {
    case .text:
      TextDiffWriter(diff, paths: (before, after), isSummary: summary, output: output)
    case .json, .ndjson:
      JSONDiffWriter(
        diff, table: table, isDocument: mode == .json, isSummary: summary, output: output)
    }
  }
}
