internal import ArgumentParser
internal import Sectile

/// `sectile sqlite`: looks into a SQLite file, and changes it when told to.
struct SQLiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sqlite",
    abstract: "Look into a SQLite file: its tables, its schema, a query.",
    discussion: """
      Without SQL the tables are listed with their numbers of rows. `.tables` does the same, \
      `.schema` prints the statements that make the schema, `.schema TABLE` those of one table.

      The file is opened read-only unless --writable is given. Control characters in the data are \
      shown escaped, so that no row can take over the terminal.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Argument(help: "SQL statements, run in order; or .tables, .schema, .schema TABLE.")
  var sql: [String] = []

  @Flag(help: "Allow statements that change the file.")
  var writable = false

  @Option(help: "How rows are written: \(RowMode.names).")
  var mode: RowMode = .table

  func run() throws {
    let output = Output.standard()
    let connection = try InspectionConnection(
      path: file, access: writable ? .readWrite : .readOnly)
    do {
      try inspect(connection, output: output)
    } catch {
      // What came before the failure is an answer, too.
      try? output.flush()
      throw error
    }
    try output.flush()
  }

  private func inspect(_ connection: InspectionConnection, output: Output) throws {
    guard let first = sql.first, first.hasPrefix(".") else {
      if sql.isEmpty { return try listTables(of: connection, output: output) }
      for text in sql { try query(connection, sql: text, output: output) }
      return
    }
    let words = sql.flatMap { $0.split(separator: " ").map(String.init) }
    switch (words[0], words.count) {
    case (".tables", 1):
      try listTables(of: connection, output: output)
    case (".schema", 1...2):
      try printSchema(of: connection, table: words.count > 1 ? words[1] : nil, output: output)
    default:
      throw CommandFailure(
        .usage, "unknown command '\(words.joined(separator: " "))'",
        hint: "There are .tables, .schema and .schema TABLE.")
    }
  }

  private func query(
    _ connection: InspectionConnection, sql: String, output: Output
  ) throws {
    var writer: (any RowWriting)?
    let changes = try connection.run(
      sql,
      columns: { names in
        try writer?.finish()
        writer = RowStyle(mode: mode).makeWriter(columns: names, output: output)
      },
      row: { values in try writer?.write(values) })
    try writer?.finish()
    if changes > 0 && mode.isForPeople {
      try output.line("\(changes) row\(changes == 1 ? "" : "s") changed")
    }
  }

  private func listTables(of connection: InspectionConnection, output: Output) throws {
    let writer = RowStyle(mode: mode).makeWriter(columns: ["name", "kind", "rows"], output: output)
    for table in try connection.tables() {
      try writer.write([
        .text(table.name), .text(table.kind.rawValue),
        table.rowCount.map { .integer(Int64($0)) } ?? .null,
      ])
    }
    try writer.finish()
  }

  private func printSchema(
    of connection: InspectionConnection, table: String?, output: Output
  ) throws {
    let statements = try connection.schema(of: table)
    if let table, statements.isEmpty {
      throw CommandFailure(
        .failed, "there is no table '\(table)' in \(file)",
        hint: "sectile sqlite \(file) .tables lists what there is.")
    }
    for statement in statements {
      // Line ends belong to the layout of a statement; everything else is data.
      let lines = statement.split(separator: "\n", omittingEmptySubsequences: false)
      try output.line(lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n") + ";")
    }
  }
}
