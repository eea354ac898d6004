internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Sectile
internal import SectilePresenting

/// `sectile import`: rows from CSV, TSV, JSON, NDJSON and other databases into a table.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import CSV, TSV, JSON, NDJSON or another database's rows into a table.",
    discussion: """
        sectile import music.sqlite --table song songs.csv
        sectile import music.sqlite --table song --key id --upsert new.ndjson
        curl -s "$URL" | sectile import music.sqlite --table song --format csv -
        sectile import music.sqlite --table song songs.tsv \\
          --schema 'id INTEGER PRIMARY KEY, title TEXT'
        sectile import music.sqlite --table song --attach o=old.sqlite \\
          --from o.tracks --map Name=title
        sectile import music.sqlite --table song --attach o=old.sqlite \\
          --query 'SELECT Name AS title, Year AS year FROM o.tracks WHERE Year > 1999'

      A file or a table that does not exist is created, and the statement is shown first. Types \
      are learned from all rows, and chosen so that no value changes; 007, +1, 1e5 and integers of \
      more than 64 bits make a column TEXT. An empty field is NULL, "" the empty text. Without \
      quotes x'00ff' is a blob and t'00ff' is text by its bytes; a field with quotes is text. \
      JSON's true and false become 1 and 0, arrays and objects text, {"$blob":"00ff"} a blob and \
      {"$integer":"7"} an integer. Inputs may be packed by gzip or zstd.

      A database of --attach is only read, and its values arrive as they are, in one state of the file. A \
      new table gets the types of the table of --from, not its keys and constraints; columns that \
      SQLite generates are left out. Use --query for a choice of rows, and for several files.

      The import is one transaction. The first bad row ends it with code 65, and nothing is \
      written. With --skip-bad, bad rows are left out, reported and counted, and the code is 0. \
      Ctrl-C undoes everything and ends with code 130. Foreign keys are checked.
      """)

  @Argument(help: "The SQLite file; created if there is none.", completion: .file())
  var file: String

  @Option(
    help: "The table; created if there is none.", completion: .custom(SchemaCompletion.tables))
  var table: String

  @Argument(help: "The files to read; - or nothing for standard input.", completion: .file())
  var inputs: [String] = []

  @OptionGroup(title: "Rows of another database")
  var foreign: ForeignOptions

  @Option(
    help:
      "The inputs' format: \(ImportFormat.names). The default follows from the ending of the file's name."
  )
  var format: ImportFormat?

  @Option(
    help: ArgumentHelp(
      "The encoding of the inputs, as in latin1 or windows-1252, instead of UTF-8.",
      valueName: "name"))
  var encoding: String?

  @OptionGroup(title: "Separated values")
  var separated: SeparatedOptions

  @OptionGroup(title: "Columns")
  var columns: TransformOptions

  @OptionGroup(title: "A new table")
  var creation: CreationOptions

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "The column that identifies rows, as the primary key of a new table or as the key for --upsert. Repeat it for a key of several columns.",
      valueName: "column"),
    completion: .custom(SchemaCompletion.columns))
  var keys: [String] = []

  @Option(help: "How to treat a row that exists already: error, skip or update.")
  var onConflict: RowInserter.ConflictPolicy?

  @Flag(help: "Short for --on-conflict update.")
  var upsert = false

  @Flag(help: "Leave bad rows out instead of ending at the first.")
  var skipBad = false

  @Flag(help: "Do everything, report the result, and undo it.")
  var dryRun = false

  @Option(
    name: .customLong("batch"),
    parsing: .unconditional,
    help: ArgumentHelp(
      "Commit each time this many rows are written, instead of once.", valueName: "rows"))
  var batchSize: Int?

  @Flag(help: "Write the summary as JSON.")
  var json = false

  func validate() throws {
    if table.isEmpty { throw ValidationError("--table needs the name of a table.") }
    if let encoding, !TextConversion.knows(encoding) {
      throw ValidationError("There is no encoding '\(encoding)'; iconv -l lists those there are.")
    }
    if let batchSize, batchSize < 1 {
      throw ValidationError("--batch is a number of rows: 1 or more.")
    }
    if upsert, let onConflict, onConflict != .update {
      throw ValidationError("--upsert and --on-conflict \(onConflict.rawValue) exclude each other.")
    }
    if inputs.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input can be read once.")
    }
    if foreign.isUsed {
      if !inputs.isEmpty {
        throw ValidationError("--attach takes the place of inputs. Leave out \(inputs[0]).")
      }
      if format != nil || encoding != nil || !separated.isEmpty {
        throw ValidationError(
          "A database has no format. Leave out --format, --encoding and the options for separated values."
        )
      }
    }
  }

  func run() throws {
    let stop = StopSignal()
    let output = Output.standard()
    let messages = Output.standardError()
    let progress = ImportProgress(stop: stop)
    let inputs: [any ImportReading] =
      foreign.isUsed
      ? [try foreign.input(for: file, stop: stop)] : try openInputs(progress)
    let isNew = !FileManager.default.fileExists(atPath: file)
    let start = ContinuousClock.now
    var summary = ImportSummary()
    do {
      // A dry run must not leave a file behind.
      let connection =
        isNew && dryRun
        ? try InspectionConnection.inMemory()
        : try InspectionConnection(path: file, access: .create)
      try connection.run("PRAGMA foreign_keys = ON") { _ in }
      let importer = TableImporter(
        on: connection, options: try options(), inputs: inputs,
        announce: { statement in
          try progress.finish()
          let lines = statement.split(separator: "\n").map { TerminalText.escaped(String($0)) }
          let text = lines.joined(separator: "\n") + ";"
          if dryRun && !json {
            try output.line(text)
          } else {
            try messages.line(isNew ? "Creating \(TerminalText.escaped(file))\n\(text)" : text)
            try messages.flush()
          }
        },
        tell: { text in
          try progress.finish()
          try messages.line("Bad row: " + TerminalText.escaped(text))
          try messages.flush()
        },
        checkpoint: progress.advance)
      summary = try importer.run()
    } catch {
      try progress.finish()
      if isNew { Self.removeIfEmpty(file) }
      throw error
    }
    try progress.finish()
    let duration = ContinuousClock.now - start
    if summary.badCount > TableImporter.toldBadRows {
      try messages.line("… and \(summary.badCount - TableImporter.toldBadRows) more bad rows")
      try messages.flush()
    }
    try output.line(json ? summary.json(after: duration) : summary.line(after: duration))
    try output.flush()
  }

  private func options() throws -> ImportOptions {
    var options = ImportOptions(table: table)
    options.policy = upsert ? .update : onConflict ?? .error
    options.key = keys
    options.schema = try creation.schemaText()
    options.types = creation.typesByName
    options.isAllText = creation.textColumns
    options.transform = columns.transform
    options.isDryRun = dryRun
    options.batchSize = batchSize
    options.skipsBadRows = skipBad
    return options
  }

  private func openInputs(_ progress: ImportProgress) throws -> [ImportInput] {
    if inputs.isEmpty && isatty(STDIN_FILENO) == 1 {
      throw CommandFailure(
        .usage, "there is nothing to import",
        hint: "Name files, or pipe into the command; - reads what you type.")
    }
    let database = DatabaseFiles(of: file)
    return try (inputs.isEmpty ? ["-"] : inputs).map { path in
      // Closing a file gives up all locks that SQLite has on it, in the whole process.
      if path != "-" { try database.refuse(path, hint: "Name a file of rows.") }
      let source = try InputSource(path: path, encoding: encoding)
      source.checkpoint = { try progress.advance(label: "Reading", to: 0, of: nil) }
      let input = try ImportInput(
        source: source, path: path, format: format, separated: separated)
      if let guess = input.guessedDelimiter {
        let messages = Output.standardError()
        try messages.line(
          TerminalText.escaped("\(input.name): fields are separated by ")
            + "\(DelimiterGuess.name(of: guess)); --delimiter says otherwise")
        try messages.flush()
      }
      return input
    }
  }

  /// Removes the file that was created for rows that did not come.
  private static func removeIfEmpty(_ path: String) {
    // What a full disk left of a transaction is undone when the file is opened.
    _ = try? InspectionConnection(path: path, access: .readWrite)
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if (attributes?[.size] as? Int) == 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}

extension RowInserter.ConflictPolicy: ExpressibleByArgument {}
