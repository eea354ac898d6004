internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

/// `sectile diff`: what must change for one file's table to become another's.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two files, or a table in them, row by row.",
    discussion: """
        sectile diff yesterday.sqlite today.sqlite
        sectile diff yesterday.sqlite today.sqlite --sql > patch.sql
        sectile diff old.sqlite new.sqlite --ndjson | sectile apply copy.sqlite
        sectile diff a.sqlite b.sqlite --table song --key title --ignore-columns id
        sectile diff a.sqlite b.sqlite --table song --ndjson | jq 'select(.before)'

      Without --table, or with several, the command compares whole files. It compares tables, \
      indexes, views and triggers by the statements that create them, ignoring white space and \
      comments, and the rows of all tables by their primary key, or by row id if there is none. It \
      does not compare rows of views, statistics, or the tables of a change log, unless --table \
      names them. A virtual table is compared by the rows that it shows; one that indexes the text \
      of another table has none.

      The rows of both are read in the order of the key and compared in constant memory. R- [0,i] \
      is a row that is gone, at its place in the first file; R+ [0,i] a new one, at its place in \
      the second; R~ [0,i]→[0,j] one with other values, before → after. 1 and 1.0 are different \
      values.

      --sql writes statements that make the first file's contents the second's, in one \
      transaction: 'sectile sqlite FILE --writable < patch.sql' runs them, and undoes them all if \
      one fails; with sqlite3, use 'sqlite3 -bail'. No triggers run, and foreign keys are not \
      checked. --ndjson writes a patch for 'sectile apply', which checks that each row still has \
      its old values.

      JSON of one table is a document of version 2: v, table, key, columns, columnsOnlyBefore, \
      columnsOnlyAfter, changes, summary. A change has kind (delete, insert, update), path or source \
      and target, id, and row, or before and after with the columns that changed. NDJSON has lines of \
      kind table, delete, insert, update, summary, each with v. For whole files there are lines of \
      kind file, schema, rebuild, sequence, setting and end as well, in the order in which they are \
      to be carried out; the JSON document has them in changes.

      The exit code is 0 if everything is the same, and 1 if rows, columns or schemas differ.
      """)

  /// How differences are written.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case ndjson
    case sql
  }

  @Argument(help: "The file before.", completion: .file())
  var before: String

  @Argument(help: "The file after.", completion: .file())
  var after: String

  @Option(
    name: .customLong("table"),
    help: ArgumentHelp(
      "The table or view to compare, instead of all; repeat it for several tables.",
      valueName: "table"), completion: .custom(SchemaCompletion.tables))
  var tables: [String] = []

  @Option(
    name: .customLong("skip"),
    help: ArgumentHelp("A table to leave out; repeat it for more.", valueName: "table"),
    completion: .custom(SchemaCompletion.tables))
  var skipped: [String] = []

  @Flag(help: "Compare also the tables in which virtual tables keep their contents.")
  var shadowTables = false

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "With one table, the column that identifies rows instead of the primary key; repeat it for a key of several columns.",
      valueName: "column"), completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  @OptionGroup var columns: ColumnOptions

  @Option(
    help: ArgumentHelp("Columns not to compare, with commas between them.", valueName: "a,b"),
    completion: .custom(SchemaCompletion.columnLists))
  var ignoreColumns: String?

  @Option(
    name: .customLong("where"),
    help: "With one table, compare only the rows that meet this SQL condition.")
  var filter: String?

  @Option(help: "How differences are written: text, json, ndjson, sql.")
  var mode: Mode?

  @Flag(help: "Short for --mode sql.")
  var sql = false

  @Flag(help: "Short for --mode ndjson.")
  var ndjson = false

  @Flag(help: "Write only the counts.")
  var summary = false

  /// Whether one table is compared by what the options say about it.
  private var isOneTable: Bool { tables.count == 1 && chosenMode != .sql }

  private var chosenMode: Mode { sql ? .sql : ndjson ? .ndjson : mode ?? .text }

  func validate() throws {
    let modes = Set([mode, sql ? .sql : nil, ndjson ? .ndjson : nil].compactMap { $0 })
    if modes.count > 1 { throw ValidationError("Choose one of --mode, --sql and --ndjson.") }
    let isNarrowed =
      !keys.isEmpty || columns.list != nil || ignoreColumns != nil || filter != nil
    if !isOneTable && isNarrowed {
      throw ValidationError(
        "--key, --columns, --ignore-columns and --where need exactly one --table, and cannot be used with --sql."
      )
    }
    if isOneTable && (!skipped.isEmpty || shadowTables) {
      throw ValidationError("--skip and --shadow-tables are for whole files. Leave --table out.")
    }
    if chosenMode == .sql && summary {
      throw ValidationError("--summary writes no statements. Leave --sql or --summary out.")
    }
    if shadowTables && (chosenMode == .sql || chosenMode == .ndjson) {
      throw ValidationError(
        "A patch cannot change the tables of --shadow-tables. Leave it out, or write text or json.")
    }
  }

  func run() throws {
    let output = Output.standard()
    // A terminal that shows differences has no line for progress.
    var progress = Output.isTerminal ? nil : Progress("Comparing rows", total: 0)
    let isSame: Bool
    do {
      isSame =
        isOneTable
        ? try compareTable(tables[0], output, &progress) : try compareFiles(output, &progress)
    } catch {
      // What came before the failure is an answer, too; half a patch in SQL is none, as it has no
      // COMMIT.
      try? output.flush()
      throw error
    }
    try output.flush()
    if !isSame { throw ExitCode(CommandFailure.Code.failed.rawValue) }
  }

  private func compareTable(
    _ table: String, _ output: Output, _ progress: inout Progress?
  ) throws -> Bool {
    let ignored = ColumnOptions.names(in: ignoreColumns ?? "")
    let diff = try TableDiff(
      DiffSide(path: before, table: table), DiffSide(path: after, table: table), key: keys,
      columns: columns.names, ignored: ignored, filter: filter)
    let writer: any DiffWriting =
      chosenMode == .text
      ? TextDiffWriter(diff, paths: (before, after), isSummary: summary, output: output)
      : JSONDiffWriter(
        diff, table: table, isDocument: chosenMode == .json, isSummary: summary, output: output)
    try writer.begin()
    let result = try diff.run(advance: { try progress?.advance(to: $0) }) { difference in
      try writer.write(difference)
    }
    try progress?.finish()
    try writer.finish(result)
    return result.isEqual && diff.columnsOnlyBefore.isEmpty && diff.columnsOnlyAfter.isEmpty
  }

  private func compareFiles(_ output: Output, _ progress: inout Progress?) throws -> Bool {
    let (old, new) = (try DiffFile(path: before), try DiffFile(path: after))
    var options = FileDiff.Options()
    options.tables = tables
    options.skipped = skipped
    options.withShadows = shadowTables
    let diff = try FileDiff(old, new, options: options)
    let writer: any FileDiffWriting =
      switch chosenMode {
      case .text: TextFileDiffWriter(paths: (before, after), isSummary: summary, output: output)
      case .json, .ndjson:
        JSONFileDiffWriter(
          paths: (before, after), isDocument: chosenMode == .json, isSummary: summary,
          output: output)
      case .sql: try SQLPatchWriter(for: old, keptTriggers: diff.keptTriggers, output: output)
      }
    let result = try diff.run(writer) { try progress?.advance(to: $0) }
    try progress?.finish()
    if !diff.unpatchable.isEmpty {
      try output.flush()
      let messages = Output.standardError()
      for name in diff.unpatchable {
        try messages.line(
          TerminalText.escaped(
            "\(name) differs, and keeps no text to compare or to make it of: it is no part of what is written"
          ))
      }
      try messages.flush()
    }
    return result.isEqual
  }
}
