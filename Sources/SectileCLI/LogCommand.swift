internal import ArgumentParser
internal import Sectile
internal import SectileInspecting
internal import SectilePresenting

/// `sectile log`: the change log of a file, and what it tells.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show what happened in a file, by any process; switch its change log on and off.",
    discussion: """
      A change log is made of ordinary tables and triggers in the file. It names the rows that \
      each commit inserted, updated or deleted, by their primary keys, for commits of all \
      programs. With it, live results follow other processes at the cost of the rows that these \
      touched.

        enable   switch the log on for all tables, or for those of --tables; with --audit, keep \
      old values
        disable  switch it off, and remove all of it from the file
        status   the tables that it follows, the others with a reason, its readers
        prune    remove old rows now; commits of stores do it by themselves

      Without such a word the command writes the history. Each commit of a store has a line with \
      its time (UTC), author and tag, and its rows below it. Writes of other programs are \
      unattributed; all of them between two commits of stores are one entry, with the time of the \
      commit before. --from and --to show such an entry only where both commits are within the \
      time that is asked for; where no commit comes after it, the time now counts. The last line \
      is the token to continue from with --since. Where the history does not lead on from a \
      token, as after a backup was restored, the command says why and ends with exit code 1.

      The log has keys. With enable --audit TABLE it keeps old values of the table, too: each update \
      says which columns it changed, from what to what, and each delete what the row was; --values \
      shows them. Changes by other programs then have a time of their own. SQLite drops no column \
      of such a table: use --no-audit before.

      Times are in UTC: 2026-11-25, 2026-11-25T08:29, now, today, yesterday, or how long ago it \
      was: 90s, 15m, 2h, 3d, 1w.

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
        sectile log music.sqlite enable --audit album
        sectile log music.sqlite --table album --key 7 --from 1d --values --reverse
            Who changed row 7 within a day, and from what; the newest first.
        sectile log music.sqlite --table album --follow
            Continues until Ctrl-C.
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
    help: ArgumentHelp("Keep old values of these tables, with enable.", valueName: "a,b"))
  var audit: String?

  @Option(
    help: ArgumentHelp("No longer keep old values of these tables, with enable.", valueName: "a,b"))
  var noAudit: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many rows to keep, with prune.", valueName: "n"))
  var keep: Int?

  @Option(help: "The token after which the history begins.")
  var since: String?

  @Option(
    help: "Show only changes of this table.", completion: .custom(SchemaCompletion.tables))
  var table: String?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      "With --table, show only changes of the row with this key; repeat it for a key of several columns.",
      valueName: "value"))
  var keys: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show only changes from this time on, as 2026-11-25, 2026-11-25T08:29, yesterday or 2h.",
      valueName: "time"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "Show only changes up to this time, its end included.", valueName: "time"))
  var to: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End after this many rows, with the transaction of the last one.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Show what columns held before, where that is kept: see --audit.")
  var values = false

  @Flag(help: "Show the newest transaction first.")
  var reverse = false

  @Option(help: "The token before which the history begins; with --reverse.")
  var before: String?

  @Flag(help: "Continue with new changes until Ctrl-C.")
  var follow = false

  @Flag(help: "Write JSON, one object a line, for programs.")
  var ndjson = false

  func validate() throws {
    if tables != nil && action != .enable {
      throw ValidationError("--tables needs enable, as in sectile log FILE enable --tables a,b.")
    }
    if (audit != nil || noAudit != nil) && action != .enable {
      throw ValidationError(
        "--audit and --no-audit need enable, as in sectile log FILE enable --audit album.")
    }
    if let both = Set(auditNames).intersection(noAuditNames).min() {
      throw ValidationError("--audit and --no-audit both name \(both).")
    }
    if keep != nil && action != .prune {
      throw ValidationError("--keep needs prune, as in sectile log FILE prune --keep 1000.")
    }
    if let keep, keep < 1 { throw ValidationError("--keep is a number of rows: 1 or more.") }
    try validateHistory()
  }

  private func validateHistory() throws {
    let isNarrowed = table != nil || !keys.isEmpty || from != nil || to != nil
    let isShown = values || reverse || before != nil
    if let action, since != nil || isNarrowed || isShown || limit != nil || follow {
      throw ValidationError(
        "--since, --table, --key, --from, --to, --limit, --values, --reverse, --before and --follow"
          + " are for the history. Leave \(action.rawValue) out.")
    }
    if before != nil && !reverse { throw ValidationError("--before needs --reverse.") }
    if reverse && (since != nil || follow) {
      throw ValidationError(
        "--reverse goes back from the end, or from --before. Leave --since and --follow out.")
    }
    if !keys.isEmpty && table == nil {
      throw ValidationError("--key needs the --table of the row.")
    }
    for (option, text) in [("--from", from), ("--to", to)] {
      if let text, LogTime.date(of: text, isEnd: false) == nil {
        throw ValidationError("\(option) is a time: \(LogTime.forms).")
      }
    }
    if let limit, limit < 1 { throw ValidationError("--limit is a number of rows: 1 or more.") }
    if limit != nil && follow { throw ValidationError("--follow has no end. Leave --limit out.") }
    for (option, text) in [("--since", since), ("--before", before)] {
      if let text, ChangeToken(text) == nil {
        throw ValidationError("\(option) is a token, as sectile log writes it.")
      }
    }
  }

  func run() throws {
    let output = Output.standard()
    // What is no database is told before anything is opened for writing, which would make one.
    let store = try OpeningOptions(isImmutable: false).store(at: file)
    if let action {
      try LogActions(file: file, isJSON: ndjson, output: output).run(
        action, reading: store, tables: tables.map(Self.names),
        values: (kept: auditNames, dropped: noAuditNames), keeping: keep)
    } else {
      if let table { try refuseUnknown(table, in: store) }
      let filter = LogFilter(
        table: table, key: keys, start: from.flatMap { LogTime.date(of: $0, isEnd: false) },
        end: to.flatMap { LogTime.date(of: $0, isEnd: true) })
      let writer = LogWriter(filter, isJSON: ndjson, showsValues: values, output: output)
      let history = LogHistory(
        store: store, writer: writer, limit: limit, readsValues: values || filter.hasTimes)
      if reverse {
        try history.runBackwards(before: before.flatMap { ChangeToken($0) })
      } else {
        try history.run(since: since.flatMap { ChangeToken($0) }, follows: follow)
      }
    }
    try output.flush()
  }

  /// Refuses the name of a table that the file does not have and of which the log tells nothing.
  private func refuseUnknown(_ table: String, in store: Store) throws {
    try store.read { transaction in
      if try TableListing(of: table, in: transaction) != nil { return }
      // Without a log there is another error to tell.
      guard try TableListing(of: LogTables.log, in: transaction) != nil else { return }
      // The log calls a table by its number once it no longer follows it.
      let number = table.lowercased().split(separator: " ").last.flatMap { Int64($0) }
      if let number, table.lowercased() == "table \(number)" {
        let sql = "SELECT 1 FROM main.\(LogTables.log) WHERE tbl = ? LIMIT 1"
        if try !transaction.query(sql, number).isEmpty { return }
      }
      let names = "SELECT 1 FROM main.\(LogTables.tables) WHERE name = ? COLLATE NOCASE"
      if try !transaction.query(names, table).isEmpty { return }
      _ = try TableShape(of: table, in: file, on: transaction)
    }
  }

  private var auditNames: [String] { audit.map(Self.names) ?? [] }
  private var noAuditNames: [String] { noAudit.map(Self.names) ?? [] }

  private static func names(in list: String) -> [String] {
    list.split(separator: ",").map(String.init)
  }
}
