internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

extension DotCommand {
  /// The command that reads rows in.
  static let importCommand = DotCommand(
    name: ".import", arguments: "FILE TABLE", counts: 2...2, kinds: [.file, .table],
    summary: "Import CSV, TSV, JSON or NDJSON into a table, which is created if there is none.",
    details: [
      "It needs --writable. All rows or none; an open transaction is not ended by it.",
      "sectile import does more: keys, upserts, types, bad rows.",
    ]
  ) { session, words in
    try importRows(from: words[0], into: words[1], in: session)
  }

  private static func importRows(
    from path: String, into table: String, in session: ShellSession
  ) throws {
    guard session.connection.access != .readOnly else {
      throw CommandFailure(
        .data, "the file is open for reading only",
        hint: "Start with --writable to change it, or use sectile import.")
    }
    if path == "-" {
      throw CommandFailure(
        .usage, "the shell itself reads standard input", hint: "Name a file, or use sectile import."
      )
    }
    if session.ownsFile(path) {
      throw CommandFailure(.usage, "\(path) belongs to the open database")
    }
    let start = ContinuousClock.now
    let summary = try session.withStopSignal { stop in
      let progress = ImportProgress(stop: stop)
      let source = try InputSource(path: path)
      source.checkpoint = { try progress.advance(label: "Reading", to: 0, of: nil) }
      let input = try ImportInput(
        source: source, path: path, format: nil, separated: try SeparatedOptions.parse([]))
      let importer = TableImporter(
        on: session.connection, options: ImportOptions(table: table), inputs: [input],
        announce: { statement in
          try progress.finish()
          for line in statement.split(separator: "\n") {
            try session.note(TerminalText.escaped(String(line)))
          }
        },
        tell: { try session.note(TerminalText.escaped("Bad row: \($0)")) },
        checkpoint: progress.advance)
      do {
        let summary = try importer.run()
        try progress.finish()
        return summary
      } catch {
        try progress.finish()
        throw error
      }
    }
    try session.output.current.line(summary.line(after: ContinuousClock.now - start))
  }
}
