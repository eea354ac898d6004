internal import ArgumentParser
internal import Sectile
internal import SectileInspecting

/// `sectile sections`: the rows of a table or view in sections, with counts and aggregates.
struct SectionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sections",
    abstract: "Show a table in sections, with counts and aggregates.",
    discussion: """
      Rows are grouped by a column or an expression, and ordered inside of a section; ties go by the \
      primary key, those of a view or a SELECT by --key. Everything is read from one state of the \
      file, which is opened read-only.

        sectile sections app.db --table job --section-by state
        sectile sections app.db --table job --section-by state --rows 0 \\
          --aggregate 'sum(size)' --aggregate 'count(where size > 9)'
        sectile sections app.db --table job --section-by 'date(made)' --sort size
        sectile sections app.db --section-by zone \\
          --sql 'SELECT job.id, name, zone FROM job JOIN host ON host.id = job.host'
        sectile sections app.db --table job --section-by state --mode json
        sectile sections app.db --table job --section-by state --rows 0 --mode md

      The last line has the number of all rows, and the aggregates of all rows.

      JSON is a document of version 2: v, table, sectionBy, columns, sections, count, aggregates; \
      each of the sections with section (its value, null for NULL), count, aggregates by their \
      text, and rows. NDJSON has a line of kind "section" for each section, without rows, one of \
      kind "row" for each row, and a last one of kind "total".

      CSV, TSV and Markdown have one table. Each row begins with its section and the aggregates of \
      the section. With --rows 0 there is a row for each section: section, count, aggregates.
      """)

  /// The format of the sections.
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case text
    case box
    case csv
    case tsv
    case json
    case ndjson
    case markdown

    init?(argument: String) {
      self.init(rawValue: argument == "md" ? "markdown" : argument)
    }

    /// What writes sections as rows of one table; nil for formats of their own.
    var rowMode: RowMode? {
      switch self {
      case .csv: .csv
      case .tsv: .tsv
      case .markdown: .markdown
      case .text, .box, .json, .ndjson: nil
      }
    }
  }

  /// How many rows of a section people are shown.
  static let shownRows = 10

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @OptionGroup var request: RequestOptions

  @Option(
    name: .customLong("aggregate"),
    help: ArgumentHelp(
      "Another value to show for each section, as in 'sum(size)' or 'max(date)'; repeat it for more.",
      valueName: "expression"))
  var aggregates: [String] = []

  @OptionGroup var columns: ColumnOptions

  @Option(
    parsing: .unconditional,
    help: "How many rows of each section to write; 10 for people, otherwise all.")
  var rows: Int?

  @Option(help: "The format of the sections.")
  var mode: Mode = .text

  func validate() throws {
    if let rows, rows < 0 { throw ValidationError("--rows is a number of rows: 0 or more.") }
    if request.sectionBy == nil {
      throw ValidationError("Say what rows are grouped by, as in --section-by kind.")
    }
  }

  func run() throws {
    let output = Output.standard()
    let connection = try opening.connection(to: file)
    let query = try RequestCheck.query(
      request.request(columns: columns.names), aggregates: aggregates, on: connection)
    do {
      try SectionedReader(query: query, connection: connection)
        .read(rowLimit: rowLimit, into: writer(of: query, output: output))
    } catch {
      // What came before the failure is an answer, too.
      try? output.flush()
      throw error
    }
    try output.flush()
  }

  private var rowLimit: Int? {
    switch mode {
    case .text, .box: rows ?? Self.shownRows
    case .csv, .tsv, .json, .ndjson, .markdown: rows
    }
  }

  private func writer(of query: SectionedQuery, output: Output) -> any SectionWriting {
    if let rowMode = mode.rowMode {
      let columns =
        rowLimit == 0
        ? SectionRowWriter.columns(query.aggregates)
        : ExportSectionWriter.columns(query.columns, aggregates: query.aggregates)
      let rows = RowStyle(mode: rowMode).makeWriter(columns: columns, output: output)
      return rowLimit == 0 ? SectionRowWriter(rows) : ExportSectionWriter(rows)
    }
    switch mode {
    case .text, .box:
      let frame: TextTable.Frame = mode == .box ? .box : .none
      return rowLimit == 0
        ? CountSectionWriter(query, frame: frame, output: output)
        : TextSectionWriter(query, frame: frame, output: output)
    default:
      return JSONSectionWriter(
        query, sectionBy: request.sectionBy, isDocument: mode == .json, output: output)
    }
  }
}
