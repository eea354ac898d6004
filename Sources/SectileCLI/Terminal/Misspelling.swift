internal import SectileInspecting

/// What somebody may have meant with a word that the parser of arguments does not know.
enum Misspelling {
  /// Tells of a word that should be a command, and is none.
  ///
  /// - Parameters:
  ///   - arguments: The arguments; after `help` the second is meant.
  ///   - commands: The names of the commands.
  /// - Returns: The failure; nil where it is a command, or an option.
  static func ofCommand(
    in arguments: some Collection<String>, among commands: [String]
  ) -> CommandFailure? {
    let word = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
    guard let word, !word.hasPrefix("-"), word != "help", !commands.contains(word) else {
      return nil
    }
    return CommandFailure(
      .usage, "there is no command '\(word)'",
      hint: Spelling.question(for: word, in: commands) + "sectile --help lists the commands.")
  }

  /// Tells of an option that the parser misses, and that is there under another name, or of the
  /// value that was meant by one that an option does not have.
  ///
  /// - Parameters:
  ///   - message: What the parser says, such as `Missing expected argument '--table <table>'`.
  ///   - arguments: The arguments.
  /// - Returns: A hint; nil where no option looks like it.
  static func hint(for message: String, in arguments: [String]) -> String? {
    let wordings = [/Missing expected argument '(--[a-z-]+)/, /Name a table with (--[a-z-]+)/]
    guard let missing = wordings.compactMap({ message.firstMatch(of: $0)?.1 }).first else {
      return valueHint(for: message)
    }
    let written = arguments.filter { $0.hasPrefix("--") }.map { String($0.prefix { $0 != "=" }) }
    return Spelling.closest(to: String(missing), in: written).map {
      "Did you mean \(missing) by \($0)?"
    }
  }

  /// Tells of a value that is none of an option's, of which the parser lists all.
  private static func valueHint(for message: String) -> String? {
    let lines = message.split(separator: "\n")
    let wording = /The value '(.*)' is invalid for .*Please provide one of(.*)/
    for (place, line) in lines.enumerated() {
      guard let found = line.firstMatch(of: wording) else { continue }
      // A few stand behind it in quotes, many below it, each on a line of its own.
      let quoted = found.2.matches(of: /'([^']+)'/).map { String($0.1) }
      let listed = lines[(place + 1)...].map { $0.drop { $0 == " " } }
        .prefix { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
      return Spelling.closest(to: String(found.1), in: quoted + listed).map {
        "Did you mean \($0)?"
      }
    }
    return nil
  }
}
