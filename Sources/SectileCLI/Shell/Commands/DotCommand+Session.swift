internal import Glibc
internal import Sectile
internal import SectilePresenting

extension DotCommand {
  /// The commands about the session itself.
  static let sessionCommands = [
    DotCommand(
      name: ".help", arguments: "[COMMAND]", counts: 0...1, kinds: [.command],
      summary: "List the commands, or explain one."
    ) { session, words in
      try help(words.first, in: session)
    },
    DotCommand(
      name: ".bail", arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "End a script, or what was typed, with the first failure.",
      details: ["Until it is set, a failure ends a script, and the code is that of the failure."]
    ) { session, words in
      session.settings.bails = try isOn(words[0], for: ".bail")
    },
    DotCommand(
      name: ".keys", arguments: "emacs|vi", counts: 1...1, kinds: [.keys],
      summary: "Set whose keys edit what is typed."
    ) { session, words in
      switch words[0].lowercased() {
      case "vi": session.settings.usesVi = true
      case "emacs": session.settings.usesVi = false
      default:
        throw CommandFailure(
          .usage, "'\(words[0])' are no keys", hint: "Usage: .keys emacs|vi")
      }
    },
    DotCommand(
      name: ".quit", aliases: [".exit", ".q"], summary: "Leave the shell."
    ) { session, _ in
      session.isFinished = true
    },
  ]

  private static func help(_ word: String?, in session: ShellSession) throws {
    let output = session.output.current
    guard let word else {
      let width = all.map(\.usage.count).max() ?? 0
      for command in all {
        try output.line("\(TerminalText.padded(command.usage, to: width))  \(command.summary)")
      }
      return
    }
    let command = try find(word.hasPrefix(".") ? word : "." + word)
    try output.line(command.usage)
    try output.line("  " + command.summary)
    for detail in command.details { try output.line("  " + detail) }
    if !command.aliases.isEmpty {
      try output.line("  Also: \(command.aliases.joined(separator: ", "))")
    }
  }
}
