internal import ArgumentParser
internal import Glibc
internal import Sectile
internal import SectileInspecting

/// The state of one run of the shell: the file, the settings, where output goes.
final class ShellSession {
  /// How deep scripts may read each other.
  static let scriptDepthLimit = 16

  let connection: InspectionConnection
  let names: SchemaNames
  let output: ShellOutput
  let interrupts: InterruptCatcher
  /// Whether somebody types at a prompt.
  let isInteractive: Bool

  // MARK: - Mutable state
  //
  // Confined to the thread that runs the shell.
  // - `settings`: changed by dot commands.
  // - `isFinished`: set by `.quit`.
  // - `scriptDepth`: how many scripts are being read.
  // - `results`: what was watched so far.
  // - `attached`: the names and paths of other files that are read.
  // - `parameters`: the values that statements ask for.
  // - `lastStatement`: the SQL that ran last.
  // - `nextText`: what the next prompt begins with.
  // - `log`: what hears of each statement.
  // - `firstFailure`: the code of the first failure that did not end a script.
  var settings: ShellSettings
  var isFinished = false
  var scriptDepth = 0
  var results: [ResultsRecord] = []
  private(set) var attached: [(name: String, path: String)] = []
  var parameters = StatementParameters()
  private(set) var lastStatement: String?
  var nextText: String?
  var log: StatementLog?
  private var firstFailure: CommandFailure.Code?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isWritable: Whether statements may change it.
  ///   - isImmutable: Whether nobody changes it, so that no log is looked for.
  ///   - settings: What was said by options.
  ///   - isInteractive: Whether somebody types at a prompt.
  /// - Throws: ``StoreError`` where it cannot be opened.
  init(
    path: String, isWritable: Bool, isImmutable: Bool = false, settings: ShellSettings,
    isInteractive: Bool
  ) throws {
    connection = try InspectionConnection(
      path: path, access: isWritable ? .readWrite : .readOnly, isImmutable: isImmutable)
    names = SchemaNames(connection)
    output = ShellOutput()
    interrupts = InterruptCatcher(connection.interrupter)
    self.settings = settings
    self.isInteractive = isInteractive
  }

  /// The file's path.
  var path: String { connection.path }

  /// The names of the files that statements may speak of, the session's own first.
  var schemas: [String] { ["main"] + attached.map(\.name) }

  /// Returns whether a path leads to one of the databases, or to what SQLite keeps beside it.
  func ownsFile(_ path: String) -> Bool {
    ([self.path] + attached.map(\.path)).contains { DatabaseFiles(of: $0).contains(path) }
  }

  /// Adds another file, for reading.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - name: What statements call it.
  /// - Throws: ``StoreError`` where it cannot be opened.
  func attach(_ path: String, as name: String) throws {
    try connection.attach(path, as: name)
    attached.append((name, path))
  }

  /// Tells something beside the results, on standard error.
  ///
  /// - Parameter text: The line, safe to show.
  /// - Throws: ``CommandFailure`` where it cannot be written.
  func note(_ text: String) throws {
    try Output.send(Array((text + "\n").utf8), to: STDERR_FILENO)
  }

  /// Runs an input, and writes all of its results.
  func runWhole(_ body: () throws -> Void) throws {
    let isPaged = settings.usesPager && isatty(STDIN_FILENO) == 1
    // Ctrl-C must not end this process while the pager has the terminal.
    output.begin(
      isPaged: isPaged, cutsLines: settings.style.mode.isTabular, willPage: interrupts.begin)
    defer { if isPaged && !isInteractive { interrupts.end() } }
    do {
      try body()
    } catch is ClosedPipe where output.isPaging {
      // Closing the pager early is fine.
    } catch {
      // What came before the failure is an answer, too.
      try? output.end()
      throw error
    }
    try output.end()
  }

  /// Runs SQL or a dot command.
  func run(_ piece: StatementBuffer.Piece) throws {
    switch piece {
    case .sql(let text):
      lastStatement = String(decoding: text.bytes, as: UTF8.self)
      try StatementRunner(session: self).run(text)
    case .command(let text, _): try DotCommand.run(text, in: self)
    }
  }

  /// Runs all of a script, up to the first failure.
  ///
  /// - Parameters:
  ///   - lines: The script.
  ///   - name: What messages call its file; nil for standard input.
  /// - Returns: Whether there was anything to run.
  /// - Throws: What a statement or command throws, with its line.
  @discardableResult
  func runScript(_ lines: InputLines, name: String? = nil) throws -> Bool {
    guard scriptDepth < Self.scriptDepthLimit else {
      throw CommandFailure(
        .data, "scripts read each other more than \(Self.scriptDepthLimit) deep",
        hint: "Look for one that reads itself.")
    }
    scriptDepth += 1
    defer { scriptDepth -= 1 }
    var buffer = StatementBuffer(name: name)
    var isEmpty = true
    while !isFinished, let line = try lines.next() {
      guard let piece = buffer.add(line) else { continue }
      isEmpty = false
      try attempt { try runInScript(piece, name: name) }
    }
    if !isFinished, let piece = buffer.finish() {
      isEmpty = false
      try attempt { try runInScript(piece, name: name) }
    }
    return !isEmpty
  }

  /// Runs a piece of a script; where a failure does not end it, it is told and kept in mind.
  ///
  /// - Throws: What ends the script.
  func attempt(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      guard settings.bails == false, let failure = CommandFailure(error),
        failure.code != .interrupted
      else { throw error }
      for line in failure.lines { try note(line) }
      firstFailure = firstFailure ?? failure.code
    }
  }

  private func runInScript(_ piece: StatementBuffer.Piece, name: String?) throws {
    do {
      // A script that a command reads is part of that command's results.
      if scriptDepth == 1 && !isInteractive {
        try runWhole { try run(piece) }
      } else {
        try run(piece)
      }
    } catch {
      let requestFailure = (error as? RequestError).map { CommandFailure(of: $0) }
      guard case .command(_, let line) = piece,
        let failure = error as? CommandFailure ?? requestFailure
      else { throw error }
      let place = name.map { "\($0):\(line): " } ?? "line \(line): "
      throw CommandFailure(failure.code, place + failure.message, hint: failure.hint)
    }
  }

  /// Ends the session: rolls back what was left open.
  ///
  /// - Throws: ``CommandFailure`` where a transaction that wrote was left open; ``ExitCode`` where
  ///   a script went on after a failure.
  func finish() throws {
    try output.finish()
    try rollBack()
    // It was told when it happened.
    if let firstFailure, !isInteractive { throw ExitCode(firstFailure.rawValue) }
  }

  private func rollBack() throws {
    guard connection.isInTransaction else { return }
    let hadChanges = connection.access != .readOnly
    try connection.run("ROLLBACK") { _ in }
    guard hadChanges else { return }
    throw CommandFailure(
      .failed, "a transaction was left open and has been rolled back",
      hint: "End it with COMMIT to keep what it changed.")
  }
}
