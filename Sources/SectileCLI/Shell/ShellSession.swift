internal import Glibc
internal import Sectile

/// The state of one run of the shell: the file, the settings, where output goes.
final class ShellSession {
  /// How deep scripts may read each other.
  static let scriptDepthLimit = 16

  let connection: InspectionConnection
  let names: SchemaNames
  let output: ShellOutput
  /// Whether somebody types at a prompt.
  let isInteractive: Bool

  // MARK: - Mutable state
  //
  // Confined to the thread that runs the shell.
  // - `settings`: changed by dot commands.
  // - `isFinished`: set by `.quit`.
  // - `scriptDepth`: how many scripts are being read.
  // - `results`: what was watched so far.
  var settings: ShellSettings
  var isFinished = false
  var scriptDepth = 0
  var results: [ResultsRecord] = []

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - isWritable: Whether statements may change it.
  ///   - settings: What was said by options.
  ///   - isInteractive: Whether somebody types at a prompt.
  /// - Throws: ``StoreError`` where it cannot be opened.
  init(path: String, isWritable: Bool, settings: ShellSettings, isInteractive: Bool) throws {
    connection = try InspectionConnection(
      path: path, access: isWritable ? .readWrite : .readOnly)
    names = SchemaNames(connection)
    output = ShellOutput()
    self.settings = settings
    self.isInteractive = isInteractive
  }

  /// The file's path.
  var path: String { connection.path }

  /// Tells something beside the results, on standard error.
  ///
  /// - Parameter text: The line, safe to show.
  /// - Throws: ``CommandFailure`` where it cannot be written.
  func note(_ text: String) throws {
    try Output.send(Array((text + "\n").utf8), to: STDERR_FILENO)
  }

  /// Runs an input, and writes all of its results.
  func runWhole(_ body: () throws -> Void) throws {
    output.begin(isPaged: isInteractive && settings.usesPager)
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
    case .sql(let text): try StatementRunner(session: self).run(text)
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
      try runInScript(piece, name: name)
    }
    if !isFinished, let piece = buffer.finish() {
      isEmpty = false
      try runInScript(piece, name: name)
    }
    return !isEmpty
  }

  private func runInScript(_ piece: StatementBuffer.Piece, name: String?) throws {
    do {
      // A script that a command reads is part of that command's results.
      if scriptDepth == 1 && !isInteractive {
        try runWhole { try run(piece) }
      } else {
        try run(piece)
      }
    } catch let failure as CommandFailure {
      guard case .command(_, let line) = piece else { throw failure }
      let place = name.map { "\($0):\(line): " } ?? "line \(line): "
      throw CommandFailure(failure.code, place + failure.message, hint: failure.hint)
    }
  }

  /// Ends the session: rolls back what was left open.
  ///
  /// - Throws: ``CommandFailure`` where a transaction that wrote was left open.
  func finish() throws {
    try output.finish()
    guard connection.isInTransaction else { return }
    let hadChanges = connection.access != .readOnly
    try connection.run("ROLLBACK") { _ in }
    guard hadChanges else { return }
    throw CommandFailure(
      .failed, "a transaction was left open and has been rolled back",
      hint: "End it with COMMIT to keep what it changed.")
  }
}
