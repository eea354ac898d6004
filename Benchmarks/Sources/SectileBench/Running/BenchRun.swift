internal import Foundation

/// One run: cases, sizes and places in turn, then the table of goals.
struct BenchRun {
  let cases: [any Benchmark.Type]
  let sizes: [Int]
  /// Where to measure; nil for the places that each case has.
  let storages: [Storage]?
  let effort: Effort

  static func sizes(isQuick: Bool) -> [Int] {
    isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]
  }

  /// Measures, prints as it goes, and writes the JSON file if there shall be one.
  func start(json: String?) throws {
    let start = Stopwatch.seconds
    let machine = try MachineNote()
    let reporter = Reporter()
    print(machine.text)
    print(FigureTable.heading)
    for size in sizes {
      // Rows and databases of one size are shared by its cases, and gone before the next size.
      let world = try World(size: size)
      let isLast = size == sizes.last
      for benchmark in cases where !benchmark.runsOnce || isLast {
        for storage in places(of: benchmark) {
          guard !(effort.isOver && benchmark.isGrowth) else {
            print("\(benchmark.name) at \(SizeText.text(size)) is left out: time is up.")
            continue
          }
          let bench = try makeBench(benchmark, world, storage, reporter)
          try benchmark.run(bench)
          if isLast && storage == benchmark.storages.first { benchmark.conclude(bench) }
        }
      }
    }
    let verdicts = Verdict.all(on: reporter.figures)
    if !verdicts.isEmpty { print(VerdictTable.text(verdicts, isQuick: effort.isQuick)) }
    if let noise = NoiseBenchmark.conclusion(from: reporter.figures) { print("\n" + noise) }
    let seconds = Stopwatch.seconds - start
    print(String(format: "\nThe run took %.0f s.", seconds))
    if let json {
      let report = JSONReport(
        goals: verdicts, figures: reporter.figures, machine: machine, quick: effort.isQuick,
        seconds: seconds)
      try report.write(to: json)
    }
  }

  private func places(of benchmark: any Benchmark.Type) -> [Storage] {
    if let storages { return benchmark.storages.filter(storages.contains) }
    return benchmark.storages.filter {
      $0 == .memory || benchmark.hasFileGoal || !effort.isQuick
    }
  }

  private func makeBench(
    _ benchmark: any Benchmark.Type, _ world: World, _ storage: Storage, _ reporter: Reporter
  ) throws -> Bench {
    let isEvidence = storage == .file && !benchmark.hasFileGoal
    return Bench(
      benchmark: benchmark.name, world: world, storage: storage,
      effort: benchmark.isGrowth
        ? effort.forGrowth : isEvidence ? effort.forEvidence : effort,
      folder: try WorkFolder(), reporter: reporter)
  }
}
