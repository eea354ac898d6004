internal import CEditLine
internal import Foundation
internal import Glibc
internal import Sectile
internal import SectilePresenting

/// The shell as somebody uses it who types: a prompt, statements of several lines, and errors that
/// end nothing.
struct InteractiveShell {
  private static let prompt = "sectile> "
  private static let continuation = "   ...> "

  private let session: ShellSession
  private let reader: any LineReading
  private let completion: ShellCompletion

  /// Creates a shell for a session.
  init(_ session: ShellSession) {
    self.session = session
    let completion = ShellCompletion(names: session.names)
    self.completion = completion
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
    catchInterrupts()
    try greet()
    var buffer = StatementBuffer(hasLines: false)
    var typed: [String] = []
    var isOneLine = true
    while !session.isFinished {
      switch try reader.read(prompt: buffer.isOpen ? Self.continuation : Self.prompt) {
      case .interrupted:
        buffer.clear()
        typed = []
      case .end:
        session.isFinished = true
      case .line(let line):
        if !buffer.isOpen { typed = [] }
        isOneLine =
          typed.isEmpty
          || (isOneLine && buffer.isOutside && (typed.last ?? "").firstRange(of: "--") == nil)
        typed.append(line)
        guard let piece = buffer.add(Array(line.utf8)) else {
          if !buffer.isOpen { typed.forEach(reader.remember) }
          break
        }
        // A statement comes back as one line where line ends are mere layout.
        if isOneLine {
          reader.remember(typed.joined(separator: " "))
        } else {
          typed.forEach(reader.remember)
        }
        try run(piece)
      }
      completion.earlierLines = buffer.isOpen ? typed.map { $0 + "\n" }.joined() : ""
    }
    try session.finish()
  }

  private func run(_ piece: StatementBuffer.Piece) throws {
    do {
      try session.runWhole { try session.run(piece) }
    } catch let error as ClosedPipe {
      throw error
    } catch {
      try report(error)
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
    let access = session.connection.access == .readOnly ? "read-only" : "writable"
    try session.output.current.line(
      TextStyle.dim.text(
        "\(TerminalText.escaped(session.path)), \(access). .help lists the commands, TAB completes, Ctrl-D ends."
      ))
    try session.output.current.flush()
  }

  /// Lets Ctrl-C stop the statement that runs, and nothing else.
  private func catchInterrupts() {
    sectile_interrupt_catch()
    let interrupter = session.connection.interrupter
    Thread.detachNewThread {
      while true {
        sectile_interrupt_wait()
        interrupter.interrupt()
      }
    }
  }
}
