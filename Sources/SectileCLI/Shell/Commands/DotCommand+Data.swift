internal import Glibc
internal import Sectile

extension DotCommand {
  /// The commands that read data out, and in.
  static let dataCommands = [
    DotCommand(
      name: ".dump", arguments: "[TABLE …]", counts: 0...1000, kinds: [.table],
      summary: "Write SQL that makes the schema and the data anew.",
      details: [
        "Load it into an empty file with sqlite3: sectile sqlite FILE .dump | sqlite3 COPY",
        "TABLE is a name, or a pattern of LIKE. A terminal gets control characters escaped.",
      ]
    ) { session, words in
      let isTerminal = session.output.isTerminal
      // A terminal that shows the rows has no line for progress.
      var progress = isTerminal ? nil : Progress("Writing rows", total: 0)
      defer { try? progress?.finish() }
      try SQLDump(of: session.connection, isTerminal: isTerminal)
        .write(tables: words, to: session.output.current) { try progress?.advance(to: $0) }
    },
    importCommand,
    DotCommand(
      name: ".read", arguments: "FILE", counts: 1...1, kinds: [.file],
      summary: "Run the statements and commands of a file.",
      details: ["It stops at the first that fails."]
    ) { session, words in
      try read(words[0], in: session)
    },
  ]

  static func read(_ path: String, in session: ShellSession) throws {
    if session.ownsFile(path) {
      throw CommandFailure(
        .data, "\(path) belongs to the open database", hint: "Name a file of SQL statements.")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .noInput, "cannot read \(path): \(String(cString: strerror(errno)))",
        hint: "Check the path.")
    }
    defer { close(descriptor) }
    try session.runScript(
      InputLines(descriptor: descriptor, name: path, keepsReturns: true), name: path)
  }
}
