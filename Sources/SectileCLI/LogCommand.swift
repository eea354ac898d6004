internal import ArgumentParser
internal import Sectile
internal import SectilePresenting

/// `sectile log`: the change log of a file, and what it tells.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Tell what happened in a file, whoever did it; switch its change log on and off.",
    discussion: """
      A change log is made of ordinary tables and triggers in the file. It names the rows that each \
      commit has inserted, updated or deleted, by their primary keys, whichever program wrote them. \
      Live results follow other processes by it at the cost of what these have touched.

        enable   switch the log on for all tables, or for those of --tables
        disable  switch it off, and remove all of it from the file
        status   what it follows, what it does not and why, and who reads it
        prune    remove old rows now; commits of stores do it by themselves

      Without such a word the history is written: a line for each commit of a store with its time \
      (UTC), author and tag, and its rows below. What other programs wrote is unattributed, one \
      entry for all of it between two commits of stores, with the time of the one before. The log has \
      keys, not values. The last line is the token to go on from \
      with --since. Where it does not lead on, as after a backup was restored, the command says why \
      and ends with exit code 1.

      Reading opens the file read-only. The other words write to it; enable turns it to WAL mode, \
      in which it stays.

      EXAMPLES
        sectile log music.sqlite enable
        sectile log music.sqlite enable --tables album,track
        sectile log music.sqlite
        sectile log music.sqlite --since "$TOKEN" --ndjson
            One object a line, each with its token.
        sectile log music.sqlite --table album --key 7 --from 2026-11-25
            What happened to row 7 since then.
        sectile log music.sqlite --table album --follow
            Goes on until Ctrl-C.
        sectile log music.sqlite prune --keep 1000
        sectile log music.sqlite disable
      """)

  /// What to do with the log.
  enum Action: String, ExpressibleByArgument, CaseIterable {
    case enable, disable, status, prune
  }

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @Argument(help: "enable, disable, status or prune; the history without one.")
  var action: Action?

  @Option(help: ArgumentHelp("The tables to follow, with enable.", valueName: "a,b"))
  var tables: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many rows to keep, with prune.", valueName: "n"))
  var keep: Int?

  @Option(help: "The token after which the history begins.")
  var since: String?

  @Option(help: "Tell only what happened in this table.")
  var table: String?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "With --table: tell only what happened to the row with this key; repeat it for a key of several columns.",
      valueName: "value"))
  var keys: [String] = []

  @Option(
    help: ArgumentHelp(
      "Tell only what was committed from this time on, in UTC: 2026-11-25, or 2026-11-25T08:29.",
      valueName: "time"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Tell only what was committed up to this time, its end included.", valueName: "time"))
  var to: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End after so many rows, with the transaction that has the last one.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Go on with what happens, until Ctrl-C.")
  var follow = false

  @Flag(help: "Write JSON, one object a line, for programs.")
  var ndjson = false

  func validate() throws {
    if tables != nil && action != .enable {
      throw ValidationError("--tables belongs to enable: sectile log FILE enable --tables a,b.")
    }
    if keep != nil && action != .prune {
      throw ValidationError("--keep belongs to prune: sectile log FILE prune --keep 1000.")
    }
    if let keep, keep < 1 { throw ValidationError("--keep is a number of rows: 1 or more.") }
    let isNarrowed = table != nil || !keys.isEmpty || from != nil || to != nil
    if action != nil && (since != nil || isNarrowed || limit != nil || follow) {
      throw ValidationError(
        "--since, --table, --key, --from, --to, --limit and --follow belong to the history.")
    }
    if !keys.isEmpty && table == nil {
      throw ValidationError("--key is that of a row of one table: name it with --table.")
    }
    for (option, text) in [("--from", from), ("--to", to)] {
      if let text, LogFilter.date(of: text, isEnd: false) == nil {
        throw ValidationError("\(option) is a time in UTC, as 2026-11-25 or 2026-11-25T08:29:43.")
      }
    }
    if let limit, limit < 1 { throw ValidationError("--limit is a number of rows: 1 or more.") }
    if limit != nil && follow { throw ValidationError("--follow has no end: leave --limit out.") }
    if let since, ChangeToken(since) == nil {
      throw ValidationError("--since is a token, as sectile log writes it.")
    }
  }

  func run() throws {
    let output = Output.standard()
    // What is no database is told before anything is opened for writing, which would make one.
    let store = try OpeningOptions(isImmutable: false).store(at: file)
    if let action {
      try LogActions(file: file, isJSON: ndjson, output: output).run(
        action, reading: store, tables: tableNames, keeping: keep)
    } else {
      let filter = LogFilter(
        table: table, key: keys, start: from.flatMap { LogFilter.date(of: $0, isEnd: false) },
        end: to.flatMap { LogFilter.date(of: $0, isEnd: true) })
      let writer = LogWriter(filter, isJSON: ndjson, output: output)
      let history = LogHistory(store: store, writer: writer, limit: limit)
      try history.run(since: since.flatMap { ChangeToken($0) }, follows: follow)
    }
    try output.flush()
  }

  private var tableNames: [String]? {
    tables?.split(separator: ",").map(String.init)
  }
}
