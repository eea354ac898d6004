internal import ArgumentParser
internal import Glibc

/// `sectile sqlite`: looks into a SQLite file, and changes it when told to.
struct SQLiteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sqlite",
    abstract: "Look into a SQLite file, its tables and its schema, and run queries.",
    discussion: """
      Without SQL it is a shell. On a terminal it has a prompt; otherwise it runs the statements \
      on standard input. With neither, it lists the tables with their numbers of rows. The dot \
      commands are those of sqlite3's shell; '.help' lists them.

        sectile sqlite app.db
        sectile sqlite app.db .tables '.schema package'
        sectile sqlite app.db --mode csv 'SELECT * FROM package' > packages.csv
        sectile sqlite app.db < report.sql

      The file is opened read-only unless --writable is given. Without it, no SQL can write, \
      attach or create a file. The dot commands .output and .once do write the file that they \
      name. Control characters in the data are shown escaped, so that no row can take over the \
      terminal.

        sectile sqlite app.db --attach old=backup.db \\
          'SELECT * FROM item EXCEPT SELECT * FROM old.item'
        sectile sqlite app.db --param s=done 'SELECT * FROM job WHERE state = :s'
        sectile sqlite /mnt/snapshot/app.db --immutable .tables

      At the prompt a statement may have several lines; Up brings it back as a whole. The commands of \
      $XDG_CONFIG_HOME/sectile/config run before the first prompt (SECTILE_CONFIG names another file; \
      empty, none). Ctrl-C ends a command with code 130, at the prompt only the statement that runs.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Argument(help: "SQL statements and dot commands, one or more an argument, run in order.")
  var sql: [String] = []

  @Flag(help: "Allow statements that change the file.")
  var writable = false

  @Flag(
    help:
      "Treat the files as ones that nobody changes, without locks and without the logs beside them."
  )
  var immutable = false

  @Option(
    help: ArgumentHelp(
      "Read another file, too, as NAME.table; repeat it for more.", valueName: "name=file"))
  var attach: [NamedArgument] = []

  @Option(
    name: .customLong("param"),
    help: ArgumentHelp(
      "The value of the parameter :NAME, @NAME, $NAME or ?NUMBER, as NULL, a number, 'text', x'00' or other text.",
      valueName: "name=value"))
  var parameters: [NamedArgument] = []

  @Option(
    help:
      "How rows are written: \(RowMode.names). The default is table, or vertical where rows are wider than the terminal."
  )
  var mode: RowMode?

  @Flag(inversion: .prefixedNo, help: "Write the columns' names, or leave them out.")
  var header: Bool?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Show at most this many rows of a statement; 0 for all. A terminal shows \(ShellSettings.terminalRowLimit), a file or a program gets all.",
      valueName: "rows"))
  var limit: Int?

  @Option(name: .customLong("null"), help: "The text for NULL.")
  var nullText: String?

  @Flag(help: "Tell how long each statement takes, on standard error.")
  var timer = false

  @Flag(
    inversion: .prefixedNo,
    help: "End with the first failure, or go on; then the code is the first failure's.")
  var bail: Bool?

  @Flag(inversion: .prefixedNo, help: "Show what is longer than the terminal in $PAGER.")
  var pager = true

  @Flag(name: .customLong("vi"), help: "Edit with the keys of vi.")
  var usesVi = false

  init() {}

  /// Creates the command of a line without options.
  ///
  /// Every option has to be given its default here: what the parser has not read cannot be asked
  /// for.
  init(file: String, sql: [String]) {
    self.file = file
    self.sql = sql
    writable = false
    immutable = false
    attach = []
    parameters = []
    mode = nil
    header = nil
    limit = nil
    nullText = nil
    timer = false
    bail = nil
    pager = true
    usesVi = false
  }

  func validate() throws {
    if immutable && writable {
      throw ValidationError("--immutable is for files that nobody changes. Leave --writable out.")
    }
    if let limit, limit < 0 { throw ValidationError("--limit is a number of rows: 0 or more.") }
  }

  func run() throws {
    let isInteractive = sql.isEmpty && isatty(STDIN_FILENO) == 1 && Output.isTerminal
    let session = try ShellSession(
      path: file, isWritable: writable, isImmutable: immutable, settings: settings,
      isInteractive: isInteractive)
    for file in attach { try session.attach(file.value, as: file.name) }
    for parameter in parameters {
      try session.parameters.set(parameter.name, to: parameter.value)
    }
    if immutable {
      for path in [file] + attach.map(\.value) { try OpeningOptions.noteUnreadLogs(of: path) }
    }
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
    settings.style.mode = mode ?? .table
    settings.style.isModeOpen = mode == nil
    settings.style.hasHeader = header
    settings.style.nullText = nullText
    settings.rowLimit = limit ?? (Output.isTerminal ? ShellSettings.terminalRowLimit : 0)
    settings.showsTime = timer
    settings.bails = bail
    settings.usesPager = pager
    if usesVi { settings.usesVi = true }
    return settings
  }

  private func run(in session: ShellSession) throws {
    for piece in ShellArguments.pieces(of: sql) where !session.isFinished {
      try session.attempt { try session.runWhole { try session.run(piece) } }
    }
    guard sql.isEmpty else { return }
    let input = InputLines(
      descriptor: STDIN_FILENO, name: "standard input", keepsReturns: true)
    // A terminal to type at needs one to answer on.
    let hasInput = try isatty(STDIN_FILENO) == 0 && session.runScript(input)
    if !hasInput { try session.runWhole { try DotCommand.run(".tables", in: session) } }
  }
}
