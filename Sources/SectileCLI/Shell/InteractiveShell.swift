internal import Foundation
internal import Sectile
internal import SectilePresenting

/// The shell as somebody uses it who types: a prompt, statements of several lines, and errors that
/// end nothing.
struct InteractiveShell {
  private let session: ShellSession
  private let reader: any StatementReading

  /// Creates a shell for a session.
  init(_ session: ShellSession) {
    self.session = session
    let completion = ShellCompletion(names: session.names)
    let terminal = ProcessInfo.processInfo.environment["TERM"] ?? ""
    let editor =
      terminal.isEmpty || terminal == "dumb"
      ? nil : EditLineReader(completion: completion, history: ShellHistory())
    reader = editor ?? PlainLineReader()
  }

  /// Reads and runs what is typed, until `.quit` or Ctrl-D.
  ///
  /// - Throws: ``CommandFailure`` where the terminal fails, or a transaction was left open.
  func run() throws {
    session.interrupts.begin()
    try readSettings()
    if !session.isFinished { try greet() }
    var usesVi: Bool?
    while !session.isFinished {
      if let wanted = session.settings.usesVi, wanted != usesVi {
        reader.useVi(wanted)
        usesVi = wanted
      }
      let start = session.nextText
      session.nextText = nil
      switch try reader.read(start: start) {
      case .interrupted: break
      case .end: session.isFinished = true
      case .text(let text):
        reader.remember(text)
        try run(text)
      }
    }
    try session.finish()
  }

  /// Runs the commands of the person's settings, if there are any.
  private func readSettings() throws {
    guard let file = SettingsFile() else { return }
    do {
      try file.run(in: session)
    } catch {
      try report(error)
    }
  }

  private func run(_ text: String) throws {
    var buffer = StatementBuffer(hasLines: false)
    var pieces = buffer.pieces(of: text)
    if let rest = buffer.finish() { pieces.append(rest) }
    for piece in pieces where !session.isFinished {
      if try !run(piece) { return }
    }
  }

  /// Runs a piece of what was typed; returns whether to go on with the next.
  private func run(_ piece: StatementBuffer.Piece) throws -> Bool {
    do {
      try session.runWhole { try session.run(piece) }
      return true
    } catch let error as ClosedPipe {
      throw error
    } catch {
      try report(error)
      let isInterrupted = (error as? StatementFailure)?.isInterrupted ?? false
      return !isInterrupted && session.settings.bails != true
    }
  }

  /// Shows a failure after which the session goes on.
  private func report(_ error: any Error) throws {
    let failed = error as? StatementFailure
    if failed?.isInterrupted == true { return try session.note("Interrupted.") }
    guard let failure = CommandFailure(error) else { throw error }
    var lines = failure.lines
    if let failed {
      if !failed.hasOwnHint { lines = Array(lines.prefix(1)) }
      lines.insert(contentsOf: failed.excerpt, at: 1)
    }
    for line in lines { try session.note(line) }
  }

  private func greet() throws {
    let isWritable = session.connection.access != .readOnly
    let access =
      isWritable ? "writable" : session.connection.isImmutable ? "immutable" : "read-only"
    try session.output.current.line(
      TextStyle.dim.text(
        "\(TerminalText.escaped(session.path)), \(access). .help lists the commands, TAB completes, Ctrl-D ends."
      ))
    try session.output.current.flush()
  }
}
