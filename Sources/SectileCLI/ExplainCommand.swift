internal import ArgumentParser
internal import Sectile
internal import SectileInspecting

/// `sectile explain`: tells what a request costs, and why.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show what a request costs, with its SQL, its plan and an index that would help.",
    discussion: """
      Shows the statement that live results of a request run, and how SQLite runs it. Says whether \
      they read only the touched rows after a commit, and why; for commits of other processes the \
      file needs a change log. Says whether a token can be resumed by keys, and how the rows of a \
      section are found when its aggregates are computed again. If an index would help, the \
      command tries it on an empty copy of the schema, and shows the statement that creates it. \
      Nothing is changed. Rows are read only if the schema leaves open whether the key is unique: \
      what would end a watch of the same request ends this command, too.

      Of a view or a SELECT that is followed row by row, it also shows what SQLite is asked about \
      a touched row of each table, and the indexes that are missing. If it is not followed row by \
      row, the command names the first token that stands in the way, and the reason.

      EXAMPLES
        sectile explain music.db --table track --section-by genre --sort title
        sectile explain music.db --table track --where "year > 1990" --limit 50
        sectile explain music.db --table track --aggregate 'max(year)'
        sectile explain music.db --table track --sort title --json
        sectile explain a.db --sql 'SELECT kind, count(*) FROM track GROUP BY kind'
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @OptionGroup(title: "Request")
  var request: RequestOptions

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var aggregates: AggregateOptions

  @Flag(help: "Write one JSON document.")
  var json = false

  func run() throws {
    let request = try request.request(columns: columns.names, aggregates: aggregates.functions)
    try RequestCheck.check(request, in: file, opening)
    let store = try opening.store(at: file)
    // What a watch of the same request would follow, and what would end it.
    let followed = try FollowedRequest(request, in: store)
    let plan = followed.plan
    let explanation = try store.explain(plan)
    try KeyCheck(plan, in: store).run()
    try store.close()
    try FollowedRequest.tell(followed.note)
    let output = Output.standard()
    if json {
      try output.line(explanation.document(of: plan).text)
    } else {
      for line in explanation.lines { try output.line(line) }
    }
    try output.flush()
  }
}
