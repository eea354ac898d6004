internal import ArgumentParser
internal import Glibc
internal import Sectile
internal import SectilePresenting

/// The command `sectile`: looks after its exit codes, leaves the work to its subcommands.
struct SectileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sectile",
    abstract: "Live, sectioned results of SQLite databases, with exact diffs.",
    discussion: """
      Errors go to standard error, as one line and a hint. Control characters in the contents of a \
      file are written out. A closed pipe, as after head, ends a command quietly.

      EXIT CODES
        0   all is well
      \(exitCodes)

      ENVIRONMENT
        NO_COLOR     if it is set, there are no colours on a terminal either
        SECTILE_HUB  the connection to the hub, for sectile hub
        TMPDIR       the folder for temporary copies
      """,
    version: "0.9.0",
    subcommands: [
      SQLiteCommand.self,
      SectionsCommand.self,
      WatchCommand.self,
      ImportCommand.self,
      ExportCommand.self,
      MigrateCommand.self,
      ExplainCommand.self,
      VerifyCommand.self,
      BackupCommand.self,
      LogCommand.self,
      HubCommand.self,
      SalvageCommand.self,
      DiffCommand.self,
      ApplyCommand.self,
      TransformCommand.self,
      EntitiesCommand.self,
      ServeCommand.self,
      DemoCommand.self,
    ])

  private static var exitCodes: String {
    CommandFailure.Code.allCases.map { code in
      let number = "\(code.rawValue)"
      return "  \(number)\(number.utf8.count < 2 ? " " : "")  \(code.meaning)"
    }.joined(separator: "\n")
  }

  /// Parses the arguments, runs the command and exits: 0, or a code of ``CommandFailure/Code``.
  ///
  /// Ctrl-C ends it as a signal that nobody handles, also where something had to be put in order
  /// before.
  static func main() {
    ProcessStart.prepare()
    do {
      let arguments = try ByteArguments.texts()
      if let command = PlainArguments.command(arguments) {
        try command.run()
      } else {
        var command = try parseAsRoot(EmptyNames.separated(in: arguments))
        try command.run()
      }
    } catch is ClosedPipe {
      Glibc.exit(EXIT_SUCCESS)
    } catch {
      guard let failure = CommandFailure(error) else { exit(afterParsing: error) }
      write(failure.lines, to: .standardError())
      if failure.code == .interrupted { EndingSignal.endProcess() }
      Glibc.exit(failure.code.rawValue)
    }
  }

  /// Writes what the parser says: help that was asked for, or why arguments make no sense, which
  /// may repeat them.
  private static func exit(afterParsing error: any Error) -> Never {
    let arguments = CommandLine.arguments.dropFirst()
    let names = configuration.subcommands.map { $0._commandName }
    if let failure = Misspelling.ofCommand(in: arguments, among: names) {
      write(failure.lines, to: .standardError())
      Glibc.exit(failure.code.rawValue)
    }
    let code = exitCode(for: error)
    var message = HiddenPassword.hiding(in: fullMessage(for: error))
    if let hint = Misspelling.hint(for: message, in: Array(arguments)) {
      message += "\nHint: \(hint)"
    }
    // A command that only ends with a code says nothing more.
    let lines =
      message.isEmpty ? [] : message.split(separator: "\n", omittingEmptySubsequences: false)
    write(
      lines.map { TerminalText.escaped(String($0)) },
      to: code.isSuccess ? .standard() : .standardError())
    Glibc.exit(code.rawValue)
  }

  private static func write(_ lines: [String], to output: Output) {
    // There is nobody left to tell that this cannot be written.
    for line in lines { try? output.line(line) }
    try? output.flush()
  }
}
