internal import Sectile

/// Long texts to sort by, which differ at their very end.
enum SortKeyGrowth: Benchmark {
  static let name = "growth-sort-key"
  static let summary = "10,000 rows sorted by text of 20 B … 4 KB: open, commit"
  static let storages = [Storage.memory]
  static let runsOnce = true

  private static let rowCount = 10_000
  private static let commits = 50

  static func run(_ bench: Bench) throws {
    for isIndexed in [true, false] {
      let suffix = isIndexed ? "indexed" : "no index"
      for length in [20, 200, 1_000, 4_000] {
        try measure(bench, length: length, isIndexed: isIndexed, suffix)
      }
      bench.reportGrowth("open, \(suffix), over bytes", of: "key \(suffix): open")
      bench.reportGrowth("commit, \(suffix), over bytes", of: "key \(suffix): commit")
    }
  }

  private static func measure(
    _ bench: Bench, length: Int, isIndexed: Bool, _ suffix: String
  ) throws {
    let schema = [Document.table] + (isIndexed ? [Document.index] : [])
    var generator = TrackGenerator(seed: 5)
    let documents = (1...rowCount).map {
      Document(id: Int64($0), key: key(length, &generator))
    }
    let stores = try (0..<2).map { _ in
      let store = try World.emptyStore(.memory, in: bench.folder, schema: schema)
      try store.write { _ = try $0.insert(contentsOf: documents) }
      return store
    }
    let request = FetchRequest<Document>().sort(by: \.key)
    let opened = try bench.interleave([
      {
        let results = try stores[1].results(of: request)
        let (time, _) = try Stopwatch.time { try results.load() }
        try verify(results.numberOfItems == rowCount, "there are other rows")
        return time / rowCount
      }
    ])
    let view = try View(request, in: stores[1])
    let times = try bench.interleave(
      stores.enumerated().map { position, store in
        {
          let changed = (0..<commits).map { _ in
            Document(
              id: Int64(generator.number(1..<rowCount + 1)), key: key(length, &generator))
          }
          let (time, _) = try Stopwatch.time {
            for document in changed { try store.write { try $0.update(document) } }
          }
          if position == 1 { try view.verifyDelivered(changed) }
          return time / commits
        }
      })
    try view.verifyContents(in: stores[1])
    bench.reportStep(
      "\(length) B, \(suffix): open, per row", opened[0], of: "key \(suffix): open", at: length)
    bench.reportStep(
      "\(length) B, \(suffix): commit, added", zip(times[1], times[0]).map { $0 - $1 },
      of: "key \(suffix): commit", at: length)
  }

  private static func key(_ length: Int, _ generator: inout TrackGenerator) -> String {
    let end = (0..<16).map { _ in UInt8(generator.number(0x61..<0x7B)) }
    return String(repeating: "x", count: length - end.count) + String(decoding: end, as: UTF8.self)
  }
}
