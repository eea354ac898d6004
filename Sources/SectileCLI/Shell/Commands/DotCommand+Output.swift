internal import Glibc
internal import Sectile
internal import SectilePresenting

extension DotCommand {
  /// The commands that say where results go.
  static let outputCommands = [
    DotCommand(
      name: ".output", arguments: "[-f] [FILE]", counts: 0...2, kinds: [.file],
      summary: "Write results to a file from now on; without FILE, to standard output again.",
      details: overwriting
    ) { session, words in
      try redirect(words, in: session, isOnce: false)
    },
    DotCommand(
      name: ".once", arguments: "[-f] FILE", counts: 1...2, kinds: [.file],
      summary: "Write the results of the next input to a file.",
      details: overwriting
    ) { session, words in
      try redirect(words, in: session, isOnce: true)
    },
    logCommand,
    DotCommand(
      name: ".print", arguments: "[TEXT …]", counts: 0...1000,
      summary: "Write a line of text."
    ) { session, words in
      let bytes = ByteArguments.bytes(of: words.joined(separator: " "))
      try session.output.current.line(
        TerminalText.escaped(String(decoding: bytes, as: UTF8.self)))
    },
    DotCommand(
      name: ".pager", arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "Show what is longer than the screen in $PAGER, or in less -S."
    ) { session, words in
      session.settings.usesPager = try isOn(words[0], for: ".pager")
    },
  ]

  /// The command that keeps a log.
  static let logCommand = DotCommand(
    name: ".log", arguments: "FILE|off", counts: 1...1, kinds: [.file],
    summary: "Write a line about each statement to a file: when, how long, what came of it.",
    details: ["What the file holds stays. It is never one of the database's."]
  ) { session, words in
    if words[0].lowercased() == "off" {
      session.log = nil
      return
    }
    if words[0] == "-" {
      throw CommandFailure(
        .usage, "the log cannot be written to standard output, where the results go",
        hint: "Name a file; ./- is one that is called -.")
    }
    if session.ownsFile(words[0]) {
      throw CommandFailure(
        .inputOutput, "\(words[0]) belongs to the open database", hint: "Choose another file.")
    }
    session.log = try StatementLog(path: words[0])
  }

  private static let overwriting = [
    "A file that exists is overwritten only with -f, the open database and its journals never.",
    "Nothing but this, .log and .save writes without --writable.",
  ]

  private static func redirect(_ words: [String], in session: ShellSession, isOnce: Bool) throws {
    var words = words
    let isForced = words.first == "-f"
    if isForced { words.removeFirst() }
    guard words.count < 2, !(isForced && words.isEmpty) else {
      throw CommandFailure(.usage, "one file is needed", hint: "Usage: .output [-f] [FILE]")
    }
    guard let path = words.first, path != "stdout", path != "-" else {
      return try session.output.close()
    }
    let descriptor = try OutputFile.open(
      path, overwrites: isForced, isOwned: session.ownsFile(path))
    try session.output.close()
    session.output.redirect(to: path, descriptor: descriptor, isOnce: isOnce)
  }
}
