/// All cases, in the order they run.
enum BenchCases {
  static var all: [any Benchmark.Type] {
    [
      NoiseBenchmark.self, OpenBenchmark.self, OpenUnindexedBenchmark.self, DecodeBenchmark.self,
      InsertBenchmark.self,
      CommitBenchmark.self, CommitMixedBenchmark.self, ObserveBenchmark.self,
      TransactionBenchmark.self, ReorderBenchmark.self, LookupBenchmark.self, MemoryBenchmark.self,
      UntouchedBenchmark.self, CompositionBenchmark.self, WriteBenchmark.self,
      AggregateBenchmark.self, WindowBenchmark.self, SearchBenchmark.self, LogBenchmark.self,
      OutsideBenchmark.self, QueryBenchmark.self, FamilyBenchmark.self, ListBenchmark.self,
      StartUpBenchmark.self, ImportBenchmark.self, ExportBenchmark.self, DumpBenchmark.self,
      DiffBenchmark.self,
      SectionGrowth.self, ViewGrowth.self, TransactionGrowth.self, SortKeyGrowth.self,
      TextKeyGrowth.self, RelationshipGrowth.self, DeliveryGrowth.self,
    ]
  }

  /// Returns the cases that decide on a goal, by its number with or without a suffix.
  static func cases(for goal: String) -> [any Benchmark.Type] {
    let goal = goal.uppercased()
    let number = goal.prefix { $0 != "-" }
    return all.filter { $0.goals.contains { $0.prefix { $0 != "-" } == number } }
  }

  /// Names and summaries, for the help.
  static var list: String {
    all.map { benchmark in
      let goals = benchmark.goals.isEmpty ? "" : " (\(benchmark.goals.joined(separator: ", ")))"
      return TextLine.text(["  " + benchmark.name, benchmark.summary + goals], [22, 0])
    }.joined(separator: "\n")
  }
}
