internal import ArgumentParser
internal import Glibc
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// `sectile export`: a table, a query or a sectioned request as CSV, TSV, JSON, NDJSON and more.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a table, a query or sections as CSV, TSV, JSON, NDJSON or Markdown.",
    discussion: """
        sectile export music.sqlite --table song --output songs.csv
        sectile export music.sqlite --table song --where 'year > 1999' --format tsv
        sectile export music.sqlite --sql 'SELECT title FROM song ORDER BY title'
        sectile export music.sqlite --sql 'SELECT * FROM song WHERE year > :year' \\
          --param year=1999 --section-by artist --format json
        sectile export music.sqlite --table song --section-by artist | head

      A table's rows come in the order of --sort and its key. With --section-by they come section \
      by section, with a first column for the section. A SELECT decides the order of its rows, \
      unless --sort, --section-by, --where, --limit or --columns is there: these name its columns, \
      and its own ORDER BY then decides nothing. Rows are written as they are read. The \
      output file appears when it is complete; the database and the files beside it are never \
      replaced.

      In CSV and TSV an empty field is NULL, "" the empty text, x'00ff' a blob, 9e999 an infinity, \
      t'00ff' text that holds NUL or is not UTF-8. In JSON a blob is {"$blob":"00ff"}. `sectile \
      import` into a table of the same schema gives the same rows from each of csv, tsv, json and \
      ndjson. Columns that SQLite generates are left out, unless --columns names them.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @Option(
    help: "The table or view to export.", completion: .custom(SchemaCompletion.tables))
  var table: String?

  @OptionGroup var select: QueryOptions

  /// What `--sql` was called.
  @Option(name: .customLong("query"), help: .hidden)
  var query: String?

  @Option(
    help: "Group rows by a column, or by any SQL expression.",
    completion: .custom(SchemaCompletion.columns))
  var sectionBy: String?

  @Option(
    name: .customLong("sort"),
    help: ArgumentHelp(
      "Order rows by this, as in 'size DESC'; repeat it for more.", valueName: "term"),
    completion: .custom(SchemaCompletion.columns))
  var sorts: [SortArgument] = []

  @Option(name: .customLong("where"), help: "Take only the rows that meet this SQL condition.")
  var filter: String?

  @Option(parsing: .unconditional, help: "Export at most this many rows.")
  var limit: Int?

  @OptionGroup var columns: ColumnOptions

  @Option(
    help:
      "How rows are written: \(RowMode.names). The default follows from the ending of the output's name, or is csv."
  )
  var format: RowMode?

  @Option(
    help: "The file to write. Without it, or with -, the rows go to standard output.",
    completion: .file())
  var output: String?

  @Flag(help: "Replace the output if it exists.")
  var force = false

  @Option(name: .customLong("null"), help: "The text for NULL in formats of text.")
  var nullText: String?

  @Option(
    help: ArgumentHelp(
      "The encoding of the output, as in latin1 or utf-16, instead of UTF-8.", valueName: "name"))
  var encoding: String?

  func validate() throws {
    if table == nil && source.sql == nil {
      throw ValidationError("Name what to export with --table, or write a SELECT with --sql.")
    }
    if query != nil && select.sql != nil {
      throw ValidationError("--query is an older name of --sql. Leave one of them out.")
    }
    try source.validate(beside: table)
    try RequestOptions.validate(limit: limit)
    if let encoding, !TextConversion.knows(encoding) {
      throw ValidationError("There is no encoding '\(encoding)'; iconv -l lists those there are.")
    }
    if force && output == nil { throw ValidationError("--force needs --output.") }
  }

  /// The SELECT, by whichever of its names.
  private var source: QueryOptions {
    var source = select
    if let query { source.sql = query }
    return source
  }

  /// Whether something is said about the rows of a SELECT beside its text.
  private var isRefined: Bool {
    sectionBy != nil || !sorts.isEmpty || filter != nil || limit != nil || columns.list != nil
  }

  func run() throws {
    let connection = try opening.connection(to: file)
    guard let output, output != "-" else {
      let target = try EncodedOutput(to: STDOUT_FILENO, encoding: encoding, compression: nil)
      let output = target.output
      // A terminal that shows rows has no line for progress.
      let progress = Output.isTerminal ? nil : Progress("Exporting", total: 0)
      do {
        _ = try export(connection, to: output, isTerminal: Output.isTerminal, progress)
      } catch {
        // What came before the failure is an answer, too.
        try? output.flush()
        throw error
      }
      return try target.finish()
    }
    let stop = StopSignal()
    connection.setProgress { !stop.hasStopped }
    let target = try ExportFile(
      path: output, replaces: force, database: file, encoding: encoding)
    let count = try export(
      connection, to: target.output, isTerminal: false, Progress("Exporting", total: 0))
    try target.finish()
    let messages = Output.standard()
    try messages.line("\(CountText.text(count, "row")) written to \(TerminalText.escaped(output))")
    try messages.flush()
  }

  private func export(
    _ connection: InspectionConnection, to output: Output, isTerminal: Bool, _ progress: Progress?
  ) throws -> Int {
    // Nothing is cut off: whoever exports wants all of it.
    var style = RowStyle(mode: mode, hasHeader: true, cellWidth: 0, nullText: nullText)
    if let table { style.insertTable = table }
    func writer(_ columns: [String]) -> CountingRowWriter {
      let writer = style.makeWriter(columns: columns, output: output, isTerminal: isTerminal)
      return CountingRowWriter(writer, progress: progress)
    }
    if let sql = source.sql, !isRefined {
      let statement = try connection.prepare(sql)
      guard !statement.columnNames.isEmpty else {
        throw CommandFailure(.data, "the statement yields no rows", hint: "Write a SELECT.")
      }
      let values = try source.statementParameters().values(for: statement)
      return try write(statement, values, to: writer(statement.columnNames))
    }
    let wanted = try table.map {
      try ExportedColumns(of: $0, named: columns.names, on: connection)
    }
    let query = try RequestCheck.query(
      request(of: wanted?.names ?? columns.names), on: connection)
    if sectionBy == nil {
      style.quotedColumns = wanted?.mixed ?? []
      return try write(
        connection.prepare(query.rows.sql), query.rows.values.map { ExactValue.value($0) },
        to: writer(query.columns))
    }
    let rows = writer(ExportSectionWriter.columns(query.columns))
    try SectionedReader(query: query, connection: connection)
      .read(rowLimit: nil, into: ExportSectionWriter(rows))
    return rows.count
  }

  private func write(
    _ statement: InspectionStatement, _ values: [ExactValue], to rows: CountingRowWriter
  ) throws -> Int {
    statement.keepsInvalidText = true
    try statement.run(exactly: values) { row in
      try rows.write(row, invalidText: statement.invalidTextColumns)
    }
    try rows.finish()
    return rows.count
  }

  private var mode: RowMode { format ?? output.flatMap(RowMode.init(fileName:)) ?? .csv }

  private func request(of columns: [String]) throws -> TableRequest {
    var request = try source.request(or: table, keys: [])
    request.sectionBy = sectionBy
    request.sorts = sorts
    request.filter = filter
    request.limit = limit
    request.columns = columns
    return request
  }
}

extension RowMode {
  /// Tells the mode by the end of a file's name; nil where that says nothing.
  init?(fileName: String) {
    if let format = ImportFormat(fileName: fileName) {
      self.init(rawValue: format.rawValue)
    } else if fileName.lowercased().hasSuffix(".md") {
      self = .markdown
    } else {
      return nil
    }
  }
}
