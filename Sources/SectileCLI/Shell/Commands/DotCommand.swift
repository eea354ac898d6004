internal import Sectile
internal import SectileInspecting

/// A command of the shell that is no SQL: what it is called, what it takes, what it does.
///
/// ``all`` drives parsing, `.help` and completion.
struct DotCommand: Sendable {
  /// What an argument names, for completion.
  enum Argument {
    case table, column, file, mode, onOff, command, keys, query, other
  }

  /// The name, with its dot.
  let name: String
  /// Other names it answers to.
  var aliases: [String] = []
  /// The arguments, as help shows them.
  var arguments = ""
  /// How many arguments it takes.
  var counts: ClosedRange<Int> = 0...0
  /// What the arguments name, in order; the last stands for all that follow.
  var kinds: [Argument] = []
  /// What it does, in one line.
  let summary: String
  /// What else is to be known.
  var details: [String] = []
  /// Does it.
  let action: @Sendable (_ session: ShellSession, _ arguments: [String]) throws -> Void

  /// All commands, in the order in which help lists them.
  static let all: [DotCommand] =
    schemaCommands + resultsCommands + dataCommands + queryCommands + formatCommands
    + outputCommands + sessionCommands

  /// Runs a line that begins with a dot.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - session: The session it is meant for.
  /// - Throws: ``CommandFailure`` with the code `usage` for a command that is not there or has the
  ///   wrong arguments; what the command throws.
  static func run(_ line: String, in session: ShellSession) throws {
    var words = try DotCommandWords.split(line)
    let command = try find(words.removeFirst())
    guard command.counts.contains(words.count) else {
      throw CommandFailure(
        .usage,
        "\(command.name) takes \(command.arguments.isEmpty ? "no arguments" : "other arguments")",
        hint: "Usage: \(command.usage)")
    }
    do {
      try command.action(session, words)
    } catch let error as StoreError where error.cause is StoreError.SQLiteFailure {
      // The file is known, and so is the SQL: it was not the person's.
      throw StatementFailure(
        error, in: ScriptText(""), at: 0, file: session.path, names: session.names)
    }
  }

  /// The name with its arguments.
  var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

  /// Returns the command of a name, or of an unambiguous beginning of one.
  static func find(_ word: String) throws -> DotCommand {
    let word = word.lowercased()
    if let command = all.first(where: { $0.name == word || $0.aliases.contains(word) }) {
      return command
    }
    if let reason = refusals[word] {
      throw CommandFailure(.usage, "there is no \(word) here", hint: reason)
    }
    let matches = word.count > 1 ? all.filter { $0.name.hasPrefix(word) } : []
    if matches.count == 1 { return matches[0] }
    let hint =
      if matches.isEmpty {
        Spelling.closest(to: word, in: all.map(\.name)).map { "Did you mean \($0)?" }
          ?? ".help lists the commands."
      } else {
        "It may mean \(matches.map(\.name).joined(separator: ", "))."
      }
    throw CommandFailure(
      .usage, matches.isEmpty ? "unknown command '\(word)'" : "'\(word)' is ambiguous", hint: hint)
  }

  /// What sqlite3's shell has and this one has not, with the reason.
  private static let refusals: [String: String] = {
    let programs =
      "Nothing but .edit starts a program; leave the shell with .quit, or stop it with Ctrl-Z."
    let files = "Start sectile sqlite with the other file, or name it with --attach."
    let copies = "sectile backup copies a database that is in use."
    return [
      ".system": programs, ".shell": programs, ".excel": programs,
      ".open": files, ".connection": files,
      ".cd": "Paths are those of the folder that sectile was started in.",
      ".load": "Extensions are not loaded: they could do anything.",
      ".backup": copies, ".clone": copies, ".restore": copies,
    ]
  }()

  /// Reads `on` or `off`.
  static func isOn(_ word: String, for command: String) throws -> Bool {
    switch word.lowercased() {
    case "on", "yes", "true", "1": return true
    case "off", "no", "false", "0": return false
    default:
      throw CommandFailure(
        .usage, "'\(word)' is neither on nor off", hint: "Usage: \(command) on|off")
    }
  }
}
