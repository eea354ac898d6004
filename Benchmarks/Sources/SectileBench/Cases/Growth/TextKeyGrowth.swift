internal import Sectile

/// Texts of 36 letters as primary keys, next to integers.
enum TextKeyGrowth: Benchmark {
  static let name = "growth-text-keys"
  static let summary = "UUID text as primary key / integer: open, commit, path(of:), memory"
  static let storages = [Storage.memory]

  private static let request = FetchRequest<TextTrack>().sectioned(by: \.genre).sort(by: \.title)
  private static let commits = 100

  static func run(_ bench: Bench) throws {
    let numbers = try bench.store()
    let texts = try textStore(bench)
    let opened = try bench.interleave([
      { try open(request, in: texts, bench.size) }, { try open(.indexed, in: numbers, bench.size) },
    ])
    bench.reportRatio("open, text / integer", opened[0], to: opened[1])
    bench.reportStep(
      "open, per row, text", opened[0].map { $0 / bench.size }, of: "text: open", at: bench.size)

    let before = MemoryBenchmark.usedMemory
    let textView = try View(request, in: texts)
    let bytes = Double(MemoryBenchmark.usedMemory - before) / Double(bench.size)
    bench.report("memory of a view, per row, text", [bytes], .bytes)
    try commit(bench, texts, textView)
    try find(bench, texts, textView)
  }

  private static func textStore(_ bench: Bench) throws -> Store {
    let store = try bench.store()
    try store.write {
      try $0.execute(TextTrack.table)
      try $0.execute(TextTrack.copy)
      try $0.execute("DROP TABLE track")
      try $0.execute(TextTrack.index)
    }
    return store
  }

  /// Commits with a view and without; a store without a view shows what SQLite takes for texts.
  private static func commit(
    _ bench: Bench, _ store: Store, _ view: View<TextTrack>
  ) throws {
    var changes = TrackChanges(bench.world.tracks)
    func side(_ store: Store, _ view: View<TextTrack>?) throws -> Bench.Side {
      let tracks = try store.read { try $0.fetchAll(FetchRequest<TextTrack>()) }
      return {
        let changed = changes.titles(commits).map { track in
          var other = tracks[Int(track.id) - 1]
          other.title = track.title
          return other
        }
        let (time, _) = try Stopwatch.time {
          for track in changed { try store.write { try $0.update(track) } }
        }
        try view?.verifyDelivered(changed)
        return time / commits
      }
    }
    let times = try bench.interleave([side(store, view), side(textStore(bench), nil)])
    bench.reportRatio("commit, text, 1 view / none", times[0], to: times[1])
    try view.verifyContents(in: store)
  }

  private static func find(_ bench: Bench, _ store: Store, _ view: View<TextTrack>) throws {
    let ids = try store.read { try $0.fetchAll(FetchRequest<TextTrack>()).map(\.id) }
    var generator = TrackGenerator(seed: 5)
    let keys = (0..<20_000).map { _ in ids[generator.number(0..<ids.count)] }
    let found = try bench.interleave([
      {
        let (time, count) = Stopwatch.time {
          keys.reduce(0) { $0 + (view.results.path(of: $1) == nil ? 0 : 1) }
        }
        try verify(count == keys.count, "path(of:) finds \(count) of \(keys.count) rows")
        return time / keys.count
      }
    ])
    bench.reportStep("path(of:), text", found[0], of: "text: path", at: bench.size)
  }

  static func conclude(_ bench: Bench) {
    bench.reportGrowth("open with text keys, per row", of: "text: open")
    bench.reportGrowth("path(of:) with text keys", of: "text: path")
  }

  private static func open<E: Entity>(
    _ request: FetchRequest<E>, in store: Store, _ size: Int
  ) throws -> Sample {
    let results = try store.results(of: request)
    let (time, _) = try Stopwatch.time { try results.load() }
    try verify(results.numberOfItems == size, "there are other rows")
    return time
  }
}
