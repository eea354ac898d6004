internal import ArgumentParser

/// Measures Sectile against C and GRDB, and compares the figures with the goals.
@main
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sectile-bench",
    abstract: "Measures Sectile against C and GRDB, side by side in one run.",
    discussion: """
      Every figure is the median of interleaved rounds (A B B A …), with the middle half of them as \
      25–75 %: seven rounds at least while there is time, and as many as fit into six seconds where \
      they are short. Judged is processor time, of all threads and of the kernel, for both sides \
      and in every place: it is the quieter clock, and work that moves to another thread still \
      counts. The time on the wall stands next to it. All sides work on equal databases with the \
      same pragmas and the same SQLite. A figure counts only because its result was verified: a \
      wrong row ends the run. The case 'noise' does the same work on both sides, and shows how far \
      figures differ on this machine for no reason of their own.

      Examples:
        scripts/bench --quick               everything up to 100,000 rows, in two minutes
        scripts/bench --json figures.json   everything, in forty minutes
        scripts/bench --goal P9             what decides on one goal
        scripts/bench --case open --rows 100000 --storage memory

      Cases:
      \(BenchCases.list)

      Files are made in $TMPDIR, and removed at the end.
      """,
    subcommands: [WriteRowsCommand.self])

  @Flag(help: "Three rounds, and at most 100,000 rows.")
  var quick = false

  @Option(name: .customLong("case"), help: "Run this case only; may be repeated.")
  var names: [String] = []

  @Option(name: .customLong("goal"), help: "Run what decides on this goal; may be repeated.")
  var goals: [String] = []

  @Option(help: "Measure with so many rows only.")
  var rows: Int?

  @Option(help: "Measure in memory or on a file only.")
  var storage: Storage?

  @Option(help: "How many rounds count, unless time is up.")
  var rounds: Int?

  @Option(help: "Also write goals and figures to a JSON file.")
  var json: String?

  func validate() throws {
    for name in names where !BenchCases.all.contains(where: { $0.name == name }) {
      throw ValidationError("There is no case '\(name)'; --help lists them.")
    }
    for goal in goals where BenchCases.cases(for: goal).isEmpty {
      throw ValidationError(
        "There is no goal '\(goal)'; goals are P1 to P17, C1 to C5, J1 to J3, J5 to J10, L1 to L3, "
          + "Q9, Q10, and S1 to S3.")
    }
    if let rows, rows < 1_000 { throw ValidationError("--rows must be 1000 at least.") }
    if let rounds, rounds < 1 { throw ValidationError("--rounds must be 1 at least.") }
  }

  func run() throws {
    let wanted = BenchCases.all.filter { benchmark in
      names.isEmpty && goals.isEmpty || names.contains(benchmark.name)
        || goals.contains { goal in
          BenchCases.cases(for: goal).contains { $0.name == benchmark.name }
        }
    }
    let run = BenchRun(
      cases: wanted, sizes: rows.map { [$0] } ?? BenchRun.sizes(isQuick: quick),
      storages: storage.map { [$0] },
      effort: Effort(isQuick: quick, rounds: rounds))
    try run.start(json: json)
  }
}
