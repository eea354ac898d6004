internal import ArgumentParser
internal import Sectile

/// `sectile watch`: the changesets of a request, live, whatever process writes.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a table or a query, with the commits of all processes.",
    discussion: """
      Shows each change of the rows that a request yields. Deletes and the source of a move are \
      places before the change, inserts and the target are places after it. Several commits \
      between two looks arrive as one change. The file is opened read-only. If it has a change log \
      (see 'sectile log'), the command notices each commit at once, and reads only the rows that \
      it touched.

        sectile watch app.db --table job --section-by state --sort created
        sectile watch app.db --table job --section-by state --tui
        sectile watch app.db --table job --where 'state = 1' --ndjson --changes-only
        sectile watch app.db --table job --section-by state --aggregate 'sum(size)'
        sectile watch app.db --table job --exec 'mail -s "$SECTILE_TABLE changed" me'
        sectile watch app.db --table job --until-changes 1 && echo changed
        sectile watch app.db --table job --only insert --changes-only
        sectile watch app.db --sql 'SELECT state, count(*) FROM job GROUP BY state'

      The rows of a view or a SELECT are identified by --key. Without it they are by the columns of \
      GROUP BY, or by the primary key of the only table, and of the first one if the others are \
      joined by their row ids, where the SELECT passes these on; otherwise a view's rows are \
      identified by their places, and a SELECT needs --key. In lines, JSON and SECTILE_TABLE a \
      SELECT is called query. 'sectile explain' says whether it is followed row by row.

      S- i and S+ i are a section deleted and inserted, S> a section moved. R- [s,r] is a row \
      deleted at an old path, R+ [s,r] a row inserted at a new one, R> a row moved (* its content \
      changed, too), R~ a row updated. S~ is a section with another title or other aggregates, C~ \
      aggregates of all rows that changed.

      NDJSON has one object a line, of version 2. Its event is start (the contents are empty now), \
      willLoad, partial (a changeset), finished, failed or schema. Applying every partial in order \
      gives the exact contents. A changeset of nothing but inserts may come as several lines, all \
      but the last with "more":true.

      With --only, changes of other kinds, sections and aggregates are not told, counted or handed \
      to --exec. A row that moved with other values is an update, too. The lines of NDJSON then do \
      not give the contents.

      The command of --exec runs once for each change after the first load, one at a time, with the \
      lines of the change on its standard input. Its environment has SECTILE_FILE, SECTILE_TABLE, \
      SECTILE_EVENT, SECTILE_SOURCE_VERSION, SECTILE_TARGET_VERSION, SECTILE_SECTIONS and \
      SECTILE_ROWS (how many there are now), SECTILE_INSERTS, SECTILE_DELETES, SECTILE_MOVES and \
      SECTILE_UPDATES (how many rows).

      Checkpoints, VACUUM and writers that come and go cause no output. A new schema is reported; \
      if its columns differ, the contents start again, and --changes-only, --exec and \
      --until-changes compare them with those before, row by row. A file that is replaced or \
      deleted ends the watch with exit code 74. With --immutable the contents are shown, and no \
      change is noticed.

      With --tui the keys are:

      \(ScreenKey.listing)
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
    help: ArgumentHelp(
      "Tell changes of this kind alone: insert, delete, move or update. Repeat it for more.",
      valueName: "kind"))
  var only: [ChangeKind] = []

  @Option(
    parsing: .unconditional,
    help: "How many changes of one kind to write out for each change; 12 by default.")
  var lines = 12

  @Option(parsing: .unconditional, help: "How often to look at the file, in seconds.")
  var interval = 0.2

  @Option(name: .customLong("for"), parsing: .unconditional, help: "End after this many seconds.")
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: "End after this many changes, not counting those of the first load."
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
      throw ValidationError("--tui uses the whole screen. Leave --ndjson and --exec out.")
    }
    if tui && !only.isEmpty {
      throw ValidationError("--tui shows the rows that there are. Leave --only out.")
    }
    if opening.isImmutable && (command != nil || untilChanges != nil) {
      throw ValidationError(
        "With --immutable nobody changes the file. Leave --exec and --until-changes out.")
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
    try FollowedRequest.tell(watcher.keyNote)
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
    try FollowedRequest.tell(makeWatcher([], stop).keyNote)
    let screen = try WatchScreen(stop: stop)
    defer { screen.close() }
    let reporters = [screen.reporting]
    let filter = screen.filter
    try screen.run { [self] in
      let watcher = try makeWatcher(reporters, filter: filter, stop)
      stop.whenStopped { [store = watcher.store] in store.interrupt() }
      try watcher.run(every: .seconds(interval), limits: limits)
    }
  }

  private func makeWatcher(
    _ reporters: [any WatchReporting], to output: Output? = nil, filter: WatchFilter? = nil,
    _ stop: StopSignal
  ) throws -> Watcher {
    let request = try request.request(columns: columns.names, aggregates: aggregates.functions)
    do {
      let watcher = try Watcher(
        file: file, opening: opening, request: request, only: Set(only), filter: filter,
        reporters: reporters, output: output, stop: stop)
      try RequestCheck.check(request, in: file, opening)
      return watcher
    } catch let error as StoreError where error.code == .statementFailed {
      // What SQLite says of a query is told as what it says of a filter.
      try RequestCheck.check(request, in: file, opening)
      throw error
    }
  }

  private var limits: Watcher.Limits {
    Watcher.Limits(duration: duration.map { .seconds($0) }, changes: untilChanges)
  }
}
