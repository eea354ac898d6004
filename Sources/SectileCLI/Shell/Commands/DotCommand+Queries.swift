internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

extension DotCommand {
  /// The commands about statements themselves: their values, their names, their text.
  static let queryCommands = [
    DotCommand(
      name: ".parameter", aliases: [".param"], arguments: "set NAME VALUE|unset NAME|list|clear",
      counts: 1...3,
      summary: "Set what stands for :NAME, @NAME, $NAME or ?NUMBER in statements.",
      details: [
        "VALUE is NULL, a number, or text; text that looks like a number stands in both quotes:",
        #".parameter set zip "'01234'""#,
        "NAME may have its sign, where several signs share a name.",
      ]
    ) { session, words in
      try changeParameters(words, in: session)
    },
    DotCommand(
      name: ".save", arguments: "[-f] NAME", counts: 1...2, kinds: [.query],
      summary: "Keep the last SQL by a name; -f replaces one that is there.",
      details: ["Queries are kept in $XDG_CONFIG_HOME/sectile/queries, for all databases."]
    ) { session, words in
      let isForced = words.first == "-f"
      guard let name = words.last, words.count == (isForced ? 2 : 1), name != "-f" else {
        throw CommandFailure(.usage, "one name is needed", hint: "Usage: .save [-f] NAME")
      }
      guard let text = session.lastStatement else {
        throw CommandFailure(.failed, "no SQL has run yet", hint: "Run what is to be saved first.")
      }
      try NamedQueries().save(text, as: name, replaces: isForced)
    },
    DotCommand(
      name: ".queries", arguments: "[NAME]", counts: 0...1, kinds: [.query],
      summary: "List the queries that were saved, or show one."
    ) { session, words in
      let queries = NamedQueries()
      let output = session.output.current
      guard let name = words.first else {
        for name in queries.names { try output.line(name) }
        return
      }
      for line in try queries.text(of: name).split(separator: "\n") {
        try output.line(TerminalText.escaped(String(line)))
      }
    },
    DotCommand(
      name: ".run", arguments: "NAME", counts: 1...1, kinds: [.query],
      summary: "Run a query that was saved; .parameter gives it values."
    ) { session, words in
      let queries = NamedQueries()
      _ = try queries.text(of: words[0])
      try read(try queries.path(of: words[0]), in: session)
    },
    DotCommand(
      name: ".unsave", arguments: "NAME", counts: 1...1, kinds: [.query],
      summary: "Forget a query that was saved."
    ) { _, words in
      try NamedQueries().remove(words[0])
    },
    DotCommand(
      name: ".edit", aliases: [".e"],
      summary: "Edit the last SQL in $VISUAL or $EDITOR; Enter runs it then."
    ) { session, _ in
      guard session.isInteractive else {
        throw CommandFailure(
          .usage, ".edit needs a prompt", hint: "Start sectile sqlite FILE on a terminal.")
      }
      try session.output.stopPaging()
      var text = session.lastStatement ?? ""
      while let last = text.last, last.isWhitespace { text.removeLast() }
      let edited = try ExternalEditor.edit(text)
      if !edited.isEmpty { session.nextText = edited }
    },
  ]

  private static func changeParameters(_ words: [String], in session: ShellSession) throws {
    switch (words[0].lowercased(), words.count) {
    case ("set", 3):
      try session.parameters.set(words[1], to: words[2])
    case ("unset", 2):
      guard session.parameters.remove(words[1]) else {
        throw CommandFailure(
          .failed, "there is no parameter '\(words[1])'",
          hint: Spelling.closest(to: words[1], in: session.parameters.values.keys)
            .map { "Did you mean \($0)?" } ?? ".parameter list tells which there are.")
      }
    case ("clear", 1):
      session.parameters.removeAll()
    case ("list", 1):
      let writer = session.makeWriter(columns: ["name", "value"])
      for (name, value) in session.parameters.values.sorted(by: { $0.key < $1.key }) {
        try writer.write([.text(name), InvalidText.marked(value)])
      }
      try writer.finish()
    default:
      throw CommandFailure(
        .usage, ".parameter does not take that",
        hint: "Usage: .parameter set NAME VALUE, unset NAME, list or clear")
    }
  }
}
