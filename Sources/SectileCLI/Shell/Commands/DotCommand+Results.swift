internal import Foundation
internal import Sectile
internal import SectileInspecting

extension DotCommand {
  /// The commands that show what Sectile is about.
  static let resultsCommands = [
    DotCommand(
      name: ".sections", arguments: "TABLE COLUMN [SORT]", counts: 2...3,
      kinds: [.table, .column, .column],
      summary: "Show a table in sections.",
      details: [
        "COLUMN, and SORT, may be any SQL expression, in quotes where it has spaces: 'size DESC'.",
        "sectile sections does more: conditions, aggregates, columns.",
      ]
    ) { session, words in
      try showSections(words, in: session)
    },
    DotCommand(
      name: ".watch", arguments: "TABLE [COLUMN]", counts: 1...2, kinds: [.table, .column],
      summary: "Follow a table, in sections by COLUMN, until Ctrl-C.",
      details: ["What any process commits is told. sectile watch does more."]
    ) { session, words in
      try watch(words, in: session)
    },
    DotCommand(
      name: ".results", summary: "List the live results that .watch opened in this session."
    ) { session, _ in
      try listResults(in: session)
    },
  ]

  /// How often a watch looks at the file.
  private static let interval: Duration = .milliseconds(200)
  /// How many changes of one kind a watch writes out for each change.
  private static let lineLimit = 12

  private static func showSections(_ words: [String], in session: ShellSession) throws {
    guard !session.connection.isInTransaction else {
      throw CommandFailure(
        .data, "sections are read in a transaction of their own", hint: "End the open one first.")
    }
    let sorts = try words.dropFirst(2).map { try SortArgument(reading: $0) }
    let request = TableRequest(table: words[0], sectionBy: words[1], sorts: sorts)
    let query = try SectionedQuery(request, on: session.connection)
    let output = session.output.current
    let mode = session.settings.style.mode
    let writer: any SectionWriting =
      switch mode {
      case .json, .ndjson:
        JSONSectionWriter(
          query, sectionBy: words[1], isDocument: mode == .json, output: output)
      case .box: TextSectionWriter(query, frame: .box, output: output)
      default: TextSectionWriter(query, frame: .none, output: output)
      }
    let limit = mode == .json || mode == .ndjson ? nil : SectionsCommand.shownRows
    try SectionedReader(query: query, connection: session.connection)
      .read(rowLimit: limit, into: writer)
  }

  private static func watch(_ words: [String], in session: ShellSession) throws {
    guard !session.connection.isInTransaction else {
      throw CommandFailure(
        .data, "an open transaction would hold up the watch", hint: "End it with COMMIT first.")
    }
    // What is live is no matter for a pager.
    try session.output.stopPaging()
    let request = TableRequest(table: words[0], sectionBy: words.count > 1 ? words[1] : nil)
    let recorder = ResultsRecorder()
    defer { recorder.record.map { session.results.append($0) } }
    try session.withStopSignal { stop in
      let reporter = TextReporter(
        output: session.output.current, lineLimit: lineLimit, showsFirstLoad: true)
      let watcher = try Watcher(
        file: session.path, request: request, reporters: [reporter, recorder], stop: stop)
      stop.whenStopped { [store = watcher.store] in store.interrupt() }
      try watcher.run(every: interval, limits: Watcher.Limits())
    }
    if session.isInteractive { try session.note("") }
  }

  private static func listResults(in session: ShellSession) throws {
    guard !session.results.isEmpty else {
      return try session.output.current.line(
        "No live results: .watch TABLE opens some, and they are told about here when it has ended.")
    }
    let writer = session.makeWriter(columns: [
      "number", "table", "section by", "rows", "sections", "version", "strategy", "commits",
      "reread rows", "rebuilds", "resyncs",
    ])
    for (offset, record) in session.results.enumerated() {
      let counters = record.statistics
      try writer.write([
        .integer(Int64(offset + 1)), .text(record.table),
        record.sectionBy.map { .text($0) } ?? .null,
        .integer(Int64(record.rowCount)), .integer(Int64(record.sectionCount)),
        .integer(Int64(record.version)), record.strategy.map { .text("\($0)") } ?? .null,
        .integer(Int64(counters.commitCount)), .integer(Int64(counters.rereadRowCount)),
        .integer(Int64(counters.rebuildCount)), .integer(Int64(counters.resyncCount)),
      ])
    }
    try writer.finish()
  }
}
