internal import ArgumentParser
internal import Glibc

/// `sectile sqlite`: looks into a SQLite file, and changes it when told to.
struct SQLiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sqlite",
    abstract: "Look into a SQLite file: its tables, its schema, a query.",
    discussion: """
      Without SQL it is a shell: on a terminal with a prompt, otherwise it runs what standard input \
      says. With neither, the tables are listed with their numbers of rows. The dot commands are those \
      of sqlite3's shell; '.help' lists them.

        sectile sqlite app.db
        sectile sqlite app.db .tables '.schema package'
        sectile sqlite app.db --mode csv 'SELECT * FROM package' > packages.csv
        sectile sqlite app.db < report.sql

      The file is opened read-only unless --writable is given; then nothing that SQL says writes, \
      attaches or creates a file. The dot commands .output and .once do write the file that they name. \
      Control characters in the data are shown escaped, so that no row can take over the terminal.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Argument(help: "SQL statements and dot commands, one or more an argument, run in order.")
  var sql: [String] = []

  @Flag(help: "Allow statements that change the file.")
  var writable = false

  @Option(help: "How rows are written: \(RowMode.names).")
  var mode: RowMode = .table

  @Flag(inversion: .prefixedNo, help: "Write the columns' names, or leave them out.")
  var header: Bool?

  @Option(
    help: ArgumentHelp(
      "At most how many rows of a statement to show; 0 for all. A terminal shows \(ShellSettings.terminalRowLimit), a file or a program gets all.",
      valueName: "rows"))
  var limit: Int?

  @Option(name: .customLong("null"), help: "What stands for NULL.")
  var nullText: String?

  @Flag(help: "Tell how long each statement takes, on standard error.")
  var timer = false

  init() {}

  /// Creates the command of a line without options.
  ///
  /// Every option has to be given its default here: what the parser has not read cannot be asked for.
  init(file: String, sql: [String]) {
    self.file = file
    self.sql = sql
    writable = false
    mode = .table
    header = nil
    limit = nil
    nullText = nil
    timer = false
  }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit is a number of rows: 0 or more.") }
  }

  func run() throws {
    let isInteractive = sql.isEmpty && isatty(STDIN_FILENO) == 1 && Output.isTerminal
    let session = try ShellSession(
      path: file, isWritable: writable, settings: settings, isInteractive: isInteractive)
    if isInteractive { return try InteractiveShell(session).run() }
    do {
      try run(in: session)
    } catch {
      // What came before the failure is an answer, too.
      try? session.output.finish()
      throw error
    }
    try session.finish()
  }

  private var settings: ShellSettings {
    var settings = ShellSettings()
    settings.style.mode = mode
    settings.style.hasHeader = header
    settings.style.nullText = nullText
    settings.rowLimit = limit ?? (Output.isTerminal ? ShellSettings.terminalRowLimit : 0)
    settings.showsTime = timer
    return settings
  }

  private func run(in session: ShellSession) throws {
    for piece in ShellArguments.pieces(of: sql) where !session.isFinished {
      try session.runWhole { try session.run(piece) }
    }
    guard sql.isEmpty else { return }
    let input = InputLines(descriptor: STDIN_FILENO, name: "standard input")
    // A terminal to type at needs one to answer on.
    let hasInput = try isatty(STDIN_FILENO) == 0 && session.runScript(input)
    if !hasInput { try session.runWhole { try DotCommand.run(".tables", in: session) } }
  }
}
