internal import ArgumentParser
internal import SectileInspecting

/// The option that says what to work out from the rows, alike where results are live and where they
/// are explained.
struct AggregateOptions: ParsableArguments {
  @Option(
    name: .customLong("aggregate"),
    help: ArgumentHelp(
      "A value to keep up to date, of each section and of all rows; repeat it for more. One of count, count(column), count(distinct column), count(where condition), and sum, avg, min and max of a column.",
      valueName: "function"))
  var functions: [AggregateArgument] = []
}
