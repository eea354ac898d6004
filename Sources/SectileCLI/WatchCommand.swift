internal import ArgumentParser
internal import Sectile

/// `sectile watch`: the changesets of a request, live, whatever process writes.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a table, whatever process writes to it.",
    discussion: """
      Tells each change of the rows that a request yields: deletes and the source of a move are \
      places before the change, inserts and the target places after it. Several commits between two \
      looks arrive as one change. The file is opened read-only. One with a change log (see 'sectile log') is \
      looked at as soon as somebody writes, and only what was touched is read.

        sectile watch app.db --table job --section-by state --sort created
        sectile watch app.db --table job --section-by state --tui
        sectile watch app.db --table job --where 'state = 1' --ndjson --changes-only
        sectile watch app.db --table job --section-by state --aggregate 'sum(size)'
        sectile watch app.db --table job --exec 'mail -s "$SECTILE_TABLE changed" me'
        sectile watch app.db --table job --until-changes 1 && echo changed

      S- i and S+ i are a section deleted and inserted, S> a section moved. R- [s,r] is a row \
      deleted at an old path, R+ [s,r] a row inserted at a new one, R> a row moved (* its content \
      changed, too), R~ a row updated. S~ is a section with another title or other aggregates, C~ \
      aggregates of all rows that changed.

      NDJSON has one object a line, version 1: its event is start (the contents are empty now), \
      willLoad, partial (a changeset), finished, failed or schema. Applying every partial in order \
      gives the exact contents. A changeset of nothing but inserts may come as several lines, all \
      but the last with "more":true.

      The command of --exec runs once for each change after the first load, one at a time, with the \
      lines of the change on its standard input. Its environment has SECTILE_FILE, SECTILE_TABLE, \
      SECTILE_EVENT, SECTILE_SOURCE_VERSION, SECTILE_TARGET_VERSION, SECTILE_SECTIONS and \
      SECTILE_ROWS (how many there are now), SECTILE_INSERTS, SECTILE_DELETES, SECTILE_MOVES and \
      SECTILE_UPDATES (how many rows).

      Checkpoints, VACUUM and writers that come and go are nothing to notice. A new schema is told, \
      and where the columns are others the contents begin anew. A file that is replaced or deleted \
      ends the watch with exit code 74. With --immutable the contents are shown, and no change is \
      ever noticed.
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @OptionGroup var request: RequestOptions

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var aggregates: AggregateOptions

  @Flag(help: "Write JSON, one object a line, for programs.")
  var ndjson = false

  @Flag(help: "Show the rows on the whole screen, live; ? explains the keys.")
  var tui = false

  @Option(
    name: .customLong("exec"),
    help: ArgumentHelp("Run a command with /bin/sh for each change.", valueName: "command"))
  var command: String?

  @Flag(help: "Do not write out the contents of the first load.")
  var changesOnly = false

  @Option(
    parsing: .unconditional,
    help: "How many changes of one kind to write out for each change; 12 by default.")
  var lines = 12

  @Option(parsing: .unconditional, help: "How often to look at the file, in seconds.")
  var interval = 0.2

  @Option(name: .customLong("for"), parsing: .unconditional, help: "End after so many seconds.")
  var duration: Double?

  @Option(
    parsing: .unconditional, help: "End after so many changes, those of the first load not counted."
  )
  var untilChanges: Int?

  func validate() throws {
    if !(interval >= 0.01 && interval <= 86_400) {
      throw ValidationError("--interval is a time in seconds between 0.01 and 86400.")
    }
    if let duration, !(duration >= 0 && duration <= 1e9) {
      throw ValidationError("--for is a time in seconds: 0 or more.")
    }
    if let untilChanges, untilChanges < 0 {
      throw ValidationError("--until-changes is a number of changes: 0 or more.")
    }
    if tui && (ndjson || command != nil) {
      throw ValidationError("--tui has the screen for itself: leave --ndjson and --exec out.")
    }
    if opening.isImmutable && (command != nil || untilChanges != nil) {
      throw ValidationError(
        "--immutable says that nobody changes the file: leave --exec and --until-changes out.")
    }
    if lines < 0 { throw ValidationError("--lines is a number of lines: 0 or more.") }
  }

  func run() throws {
    let stop = StopSignal()
    if tui { return try show(stop) }
    let output = Output.standard()
    let reading = ItemReading(stop: stop)
    var reporters: [any WatchReporting] = [
      ndjson
        ? JSONReporter(output: output, reading: reading, showsFirstLoad: !changesOnly)
        : TextReporter(output: output, lineLimit: lines, showsFirstLoad: !changesOnly)
    ]
    let runner = command.map { CommandReporter(command: $0, reading: reading) }
    if let runner { reporters.append(runner) }
    let watcher = try makeWatcher(reporters, to: output, stop)
    stop.whenStopped { [store = watcher.store] in
      store.interrupt()
      runner?.end()
    }
    try watcher.run(every: .seconds(interval), limits: limits)
    try output.flush()
  }

  /// Shows the watch on the whole screen.
  private func show(_ stop: StopSignal) throws {
    // What is wrong with the file or the request is said before the screen is taken over.
    _ = try makeWatcher([], stop)
    let screen = try WatchScreen(stop: stop)
    defer { screen.close() }
    let reporters = [screen.reporting]
    try screen.run { [self] in
      let watcher = try makeWatcher(reporters, stop)
      stop.whenStopped { [store = watcher.store] in store.interrupt() }
      try watcher.run(every: .seconds(interval), limits: limits)
    }
  }

  private func makeWatcher(
    _ reporters: [any WatchReporting], to output: Output? = nil, _ stop: StopSignal
  ) throws -> Watcher {
    let request = request.request(columns: columns.names, aggregates: aggregates.functions)
    let watcher = try Watcher(
      file: file, opening: opening, request: request, reporters: reporters, output: output,
      stop: stop)
    try RequestCheck.check(request, in: file, opening)
    return watcher
  }

  private var limits: Watcher.Limits {
    Watcher.Limits(duration: duration.map { .seconds($0) }, changes: untilChanges)
  }
}
