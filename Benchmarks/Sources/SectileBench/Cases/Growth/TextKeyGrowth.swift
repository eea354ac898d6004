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
    let texts = try bench.store()
    try texts.write {
      try $0.execute(TextTrack.table)
      try $0.execute(TextTrack.copy)
      try $0.execute("DROP TABLE track")
      try $0.execute(TextTrack.index)
    }
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
    try commitAndFind(bench, texts, textView, numbers, try View(.indexed, in: numbers))
  }

  private static func commitAndFind(
    _ bench: Bench, _ texts: Store, _ textView: View<TextTrack>, _ numbers: Store,
    _ view: View<Track>
  ) throws {
    let tracks = try texts.read { try $0.fetchAll(FetchRequest<TextTrack>()) }
    var changes = TrackChanges(bench.world.tracks)
    let times = try bench.interleave([
      {
        let changed = changes.titles(commits).map { track in
          var other = tracks[Int(track.id) - 1]
          other.title = track.title
          return other
        }
        return try commit(changed, to: texts, textView)
      },
      { try commit(changes.titles(commits), to: numbers, view) },
    ])
    bench.reportRatio("commit with 1 view, text / integer", times[0], to: times[1])
    try textView.verifyContents(in: texts)
    try view.verifyContents(in: numbers)

    let keys = changes.titles(20_000).map { Int($0.id) }
    let found = try bench.interleave([
      {
        let (time, count) = Stopwatch.time {
          keys.reduce(0) { $0 + (textView.results.path(of: tracks[$1 - 1].id) == nil ? 0 : 1) }
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

  private static func commit<E: Entity>(
    _ entities: [E], to store: Store, _ view: View<E>
  ) throws -> Sample {
    let (time, _) = try Stopwatch.time {
      for entity in entities { try store.write { try $0.update(entity) } }
    }
    try view.verifyDelivered(entities)
    return time / entities.count
  }
}
