internal import ArgumentParser
internal import Sectile

/// `sectile explain`: tells what a request costs, and why.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Tell what a request costs: its SQL, its plan, the index that would help.",
    discussion: """
      Shows the statement that live results of a request run, how SQLite runs it, whether a commit \
      is answered by reading the touched rows alone, and why: one of the store itself, and one of another \
      process, for which the file needs a change log; whether a token can be answered by keys; and where the \
      rows of a section are found whose aggregates have to be worked out anew. Where an index would help, it \
      is tried on an empty copy of the schema first, and shown with the statement that creates it. \
      No row is read, and nothing is changed.

      EXAMPLES
        sectile explain music.db --table track --section-by genre --sort title
        sectile explain music.db --table track --where "year > 1990" --limit 50
        sectile explain music.db --table track --aggregate 'max(year)'
        sectile explain music.db --table track --sort title --json
      """)

  @Argument(help: "The SQLite file. It must exist.", completion: .file())
  var file: String

  @OptionGroup var opening: OpeningOptions

  @OptionGroup(title: "Request")
  var request: RequestOptions

  @OptionGroup var aggregates: AggregateOptions

  @Flag(help: "Write one JSON document.")
  var json = false

  func run() throws {
    try RequestCheck.check(request.request(aggregates: aggregates.functions), in: file, opening)
    let store = try opening.store(at: file)
    let plan = try request.plan(for: store, aggregates: aggregates.functions)
    let explanation = try store.explain(plan)
    try store.close()
    let output = Output.standard()
    if json {
      try output.line(explanation.document(table: plan.table).text)
    } else {
      for line in explanation.lines { try output.line(line) }
    }
    try output.flush()
  }
}
