internal import CBaseline
internal import Sectile

/// Loading compositions, next to loops over the same rows that do the same by hand.
enum CompositionBenchmark: Benchmark {
  static let name = "compositions"
  static let summary = "load filter, sorted, sectioned and four layers, against loops over the rows"
  static let goals = ["C1", "C2", "C3", "C4", "C5"]
  static let storages = [Storage.memory]

  typealias Source = ArrayDataSource<Track>
  typealias Composed = ComposedDataSource<Int64, Track>

  /// A composition, and what comes of the rows by hand.
  private struct Work {
    let name: String
    let goal: String
    let compose: (Source) -> Composed
    /// Returns the rows in sections, in order; of sections whose order is that of a dictionary in
    /// any.
    let loop: (ListSnapshot<Int64, Track>) throws -> [[Track]]
  }

  static func run(_ bench: Bench) throws {
    let source = Source(name: "tracks", items: bench.world.tracks)
    source.load()
    for work in works {
      let (shown, made) = (work.compose(source), try work.loop(source.snapshot))
      shown.load()
      try verify(areEqual(shown.snapshot, made), "\(work.name) shows other rows")
      let times = try bench.interleave([
        {
          let composed = work.compose(source)
          let (time, _) = Stopwatch.time { composed.load() }
          try verify(composed.numberOfItems == shown.numberOfItems, "rows are missing")
          return time
        },
        {
          let snapshot = source.snapshot
          let (time, sections) = try Stopwatch.time { try work.loop(snapshot) }
          try verify(sections.count == made.count, "sections are missing")
          return time
        },
      ])
      bench.reportRatio("\(work.name) / a loop", times[0], to: times[1], goal: work.goal)
      bench.reportTime(work.name + ", for each row", times[0].map { $0 / bench.size })
    }
    try measureMemory(bench, source)
  }

  private static func measureMemory(_ bench: Bench, _ source: Source) throws {
    var used: [Double] = []
    for _ in 0..<3 {
      let before = baseline_process_memory()
      let composed = fourLayers(source)
      composed.load()
      let bytes = baseline_process_memory() - before
      used.append(Double(bytes) / Double(4 * bench.size))
      try verify(composed.numberOfItems > 0, "nothing is shown")
    }
    bench.report("four layers, for each row and layer", used, .bytes, goal: "C5")
  }

  // MARK: The work

  private static func isShown(_ track: Track) -> Bool { track.rating > 0 }

  private static var works: [Work] {
    [
      Work(name: "filter", goal: "C1", compose: { $0.filter(isShown) }) {
        [try rows(of: $0, where: isShown)]
      },
      Work(name: "sorted", goal: "C2", compose: { $0.sorted(by: { $0.duration }) }) {
        [try rows(of: $0) { _ in true }.sorted { $0.duration < $1.duration }]
      },
      Work(name: "sectioned", goal: "C3", compose: { $0.sectioned(by: { $0.genre }) }) {
        Array(Dictionary(grouping: try rows(of: $0) { _ in true }, by: \.genre).values)
      },
      Work(name: "four layers", goal: "C4", compose: fourLayers) { snapshot in
        let sorted = try rows(of: snapshot, where: isShown).sorted { $0.duration < $1.duration }
        return Dictionary(grouping: sorted, by: \.genre).values.map { rows in
          rows.filter { $0.duration > 100 }
        }.filter { !$0.isEmpty }
      },
    ]
  }

  @Sendable private static func fourLayers(_ source: Source) -> Composed {
    source.filter(isShown).sorted(by: { $0.duration }).sectioned(by: { $0.genre })
      .filter { $0.duration > 100 }
  }

  /// The plain pass: what anybody writes who does not know how the rows are kept.
  private static func rows(
    of snapshot: ListSnapshot<Int64, Track>, where isIncluded: (Track) -> Bool
  ) throws -> [Track] {
    var rows: [Track] = []
    for section in 0..<snapshot.numberOfSections {
      for item in 0..<snapshot.numberOfItems(in: section) {
        let track = try snapshot.item(at: ItemPath(section: section, item: item))
        if isIncluded(track) { rows.append(track) }
      }
    }
    return rows
  }

  private static func areEqual(
    _ snapshot: ComposedSnapshot<Int64, Track>, _ sections: [[Track]]
  ) throws -> Bool {
    func byFirst(_ sections: [[Track]]) -> [[Track]] { sections.sorted { $0[0].id < $1[0].id } }
    let shown = try snapshot.materialized().sections.map { $0.rows.map(\.item) }
    return byFirst(shown) == byFirst(sections)
  }
}
