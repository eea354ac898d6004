internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

extension DotCommand {
  /// The commands that say how results look.
  static let formatCommands = [
    DotCommand(
      name: ".mode", arguments: "[MODE [TABLE]]", counts: 0...2, kinds: [.mode, .table],
      summary: "Set how rows are written, or tell.",
      details: [
        "Modes: \(RowMode.names).",
        "TABLE is the one that insert names. Until a mode is set, rows that are wider than the",
        "terminal are written as in vertical.",
      ]
    ) { session, words in
      guard let word = words.first else {
        return try session.output.current.line(session.settings.style.mode.rawValue)
      }
      let mode = try mode(named: word)
      guard words.count < 2 || mode == .insert else {
        throw CommandFailure(.usage, "mode \(mode.rawValue) names no table")
      }
      session.settings.style.mode = mode
      session.settings.style.isModeOpen = false
      session.settings.style.insertTable = words.dropFirst().first ?? RowStyle().insertTable
    },
    DotCommand(
      name: ".separator", arguments: "TEXT", counts: 1...1,
      summary: "Set what stands between values in mode list.",
      details: [#"\t is a tab. Other modes have their own: sectile export writes any."#]
    ) { session, words in
      session.settings.style.separator = words[0].replacing("\\t", with: "\t")
    },
    DotCommand(
      name: ".headers", aliases: [".header"], arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "Write the columns' names, or leave them out."
    ) { session, words in
      session.settings.style.hasHeader = try isOn(words[0], for: ".headers")
    },
    DotCommand(
      name: ".nullvalue", arguments: "[TEXT]", counts: 0...1,
      summary: "Set what stands for NULL; without TEXT, the mode's own way.",
      details: ["JSON always says null."]
    ) { session, words in
      session.settings.style.nullText = words.first
    },
    DotCommand(
      name: ".width", arguments: "[COLUMNS]", counts: 0...1,
      summary: "Set how wide a cell of a table or box gets; 0 is any width."
    ) { session, words in
      session.settings.style.cellWidth =
        try words.first.map { try number($0, for: ".width") } ?? RowStyle.defaultCellWidth
    },
    DotCommand(
      name: ".limit", arguments: "[ROWS]", counts: 0...1,
      summary: "Set how many rows of a statement are shown; 0 shows all."
    ) { session, words in
      guard let word = words.first else {
        return try session.output.current.line("\(session.settings.rowLimit)")
      }
      session.settings.rowLimit = try number(word, for: ".limit")
    },
    DotCommand(
      name: ".timer", arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "Tell how long each statement takes, on standard error."
    ) { session, words in
      session.settings.showsTime = try isOn(words[0], for: ".timer")
    },
    DotCommand(
      name: ".stats", arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "Tell what each statement takes in SQLite's own units, on standard error."
    ) { session, words in
      session.settings.showsStatistics = try isOn(words[0], for: ".stats")
    },
    DotCommand(
      name: ".explain", aliases: [".eqp"], arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "Show the query plan of each statement before its rows."
    ) { session, words in
      session.settings.showsPlan = try isOn(words[0], for: ".explain")
    },
    DotCommand(
      name: ".changes", arguments: "on|off", counts: 1...1, kinds: [.onOff],
      summary: "Tell how many rows were changed."
    ) { session, words in
      session.settings.showsChanges = try isOn(words[0], for: ".changes")
    },
    DotCommand(name: ".show", summary: "Show the settings.") { session, _ in
      try show(session)
    },
  ]

  /// Returns the mode of a name, sqlite3's names included.
  private static func mode(named word: String) throws -> RowMode {
    let others: [String: RowMode] = ["column": .table, "columns": .table, "tabs": .tsv]
    if let mode = RowMode(rawValue: word.lowercased()) ?? others[word.lowercased()] { return mode }
    let closest = Spelling.closest(to: word, in: RowMode.allCases.map(\.rawValue))
    throw CommandFailure(
      .usage, "there is no mode '\(word)'",
      hint: closest.map { "Did you mean \($0)?" } ?? "Modes: \(RowMode.names).")
  }

  private static func number(_ word: String, for command: String) throws -> Int {
    if let number = Int(word), number >= 0 { return number }
    throw CommandFailure(
      .usage, "'\(word)' is no number of 0 or more", hint: "\(command) 0 lifts the limit.")
  }

  private static func show(_ session: ShellSession) throws {
    let settings = session.settings
    func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
    let values: [(String, String)] = [
      ("mode", settings.style.mode.rawValue),
      ("headers", settings.style.hasHeader.map(onOff) ?? "as the mode says"),
      ("separator", "'\(settings.style.separator)'"),
      ("nullvalue", settings.style.nullText.map { "'\($0)'" } ?? "as the mode says"),
      ("width", "\(settings.style.cellWidth)"),
      ("limit", "\(settings.rowLimit)"),
      ("timer", onOff(settings.showsTime)),
      ("stats", onOff(settings.showsStatistics)),
      ("explain", onOff(settings.showsPlan)),
      ("changes", onOff(settings.showsChanges)),
      ("bail", settings.bails.map(onOff) ?? "in scripts"),
      ("keys", settings.usesVi.map { $0 ? "vi" : "emacs" } ?? "as libedit's settings say"),
      ("log", session.log?.path ?? "off"),
      ("pager", settings.usesPager ? Pager.command ?? "none" : "off"),
      ("output", session.output.path ?? "standard output"),
    ]
    for (name, value) in values {
      let name = TerminalText.padded(name, to: 10, right: true)
      try session.output.current.line("\(name): \(TerminalText.escaped(value))")
    }
  }
}
