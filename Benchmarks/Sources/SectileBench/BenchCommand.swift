internal import ArgumentParser
internal import Foundation

/// Measures Sectile against C and GRDB, and compares the figures with the goals.
@main
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sectile-bench",
    abstract: "Measures Sectile against C and GRDB, side by side in one run.",
    discussion: """
      Every ratio is the median of interleaved rounds of processor time; min–max are the rounds at
      the ends. A figure counts only because its result was verified: a wrong row ends the run.

      Cases:
      \(cases.map { "  \($0.name.padding(toLength: 12, withPad: " ", startingAt: 0)) \($0.summary)" }
        .joined(separator: "\n"))
      """)

  static var cases: [any Benchmark.Type] {
    [
      OpenBenchmark.self, DecodeBenchmark.self, InsertBenchmark.self, CommitBenchmark.self,
      ObserveBenchmark.self, UntouchedBenchmark.self, LookupBenchmark.self,
      TransactionBenchmark.self, MemoryBenchmark.self,
    ]
  }

  @Flag(help: "Fewer rounds, and 10,000 rows only.")
  var quick = false

  @Option(name: .customLong("case"), help: "Run this case only; may be repeated.")
  var names: [String] = []

  @Option(help: "Measure with so many rows only.")
  var rows: Int?

  @Option(help: "Measure in memory or on a file only.")
  var storage: Storage?

  @Option(help: "How many rounds count.")
  var rounds: Int?

  @Option(help: "Also write the figures to a JSON file.")
  var json: String?

  func validate() throws {
    let known = Self.cases.map { $0.name }
    for name in names where !known.contains(name) {
      let list = known.joined(separator: ", ")
      throw ValidationError("There is no case '\(name)'; the cases are \(list).")
    }
    if let rows, rows < 1_000 { throw ValidationError("--rows must be 1000 at least.") }
    if let rounds, rounds < 1 { throw ValidationError("--rounds must be 1 at least.") }
  }

  func run() throws {
    let folder = try WorkFolder()
    var figures: [Figure] = []
    print(FigureTable.heading)
    for benchmark in Self.cases where names.isEmpty || names.contains(benchmark.name) {
      for storage in storage.map({ [$0] }) ?? Storage.allCases {
        for size in rows.map({ [$0] }) ?? (quick ? [10_000] : [10_000, 100_000]) {
          let bench = Bench(
            benchmark: benchmark.name, size: size, storage: storage,
            rounds: rounds ?? (quick ? 3 : 7), folder: folder
          ) { figure in
            figures.append(figure)
            print(FigureTable.line(figure))
            fflush(nil)  // A pipe would show nothing until the end.
          }
          try benchmark.run(bench)
        }
      }
    }
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(figures).write(to: URL(fileURLWithPath: json))
    }
  }
}
