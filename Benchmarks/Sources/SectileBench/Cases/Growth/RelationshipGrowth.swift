internal import Sectile

/// Sections titled by a row of another table, which is renamed.
enum RelationshipGrowth: Benchmark {
  static let name = "growth-relationship"
  static let summary = "rename a parent with 100 … 100,000 children, which are grouped by its name"
  static let storages = [Storage.memory]
  static let runsOnce = true

  static func run(_ bench: Bench) throws {
    let childCounts = [100, 1_000, 10_000, 100_000].filter { $0 <= bench.size }
    let stores = try (0..<2).map { _ in
      let store = try World.emptyStore(.memory, in: bench.folder, schema: Song.schemaSQL)
      try store.write { transaction in
        for (position, count) in childCounts.enumerated() {
          let parent = Performer(id: Int64(position) + 1, name: "Performer \(position)")
          try transaction.insert(parent)
          try transaction.execute(Song.fill, parent.id, count)
        }
      }
      return store
    }
    let view = try View(
      FetchRequest<Song>().sectioned(by: \.performer.name).sort(by: \.title), in: stores[1])
    try view.verifyContents(in: stores[1])
    var names = 0
    for (position, count) in childCounts.enumerated() {
      let times = try bench.interleave(
        stores.enumerated().map { side, store in
          {
            names += 1
            let parent = Performer(id: Int64(position) + 1, name: "Renamed \(names)")
            let (time, _) = try Stopwatch.time { try store.write { try $0.update(parent) } }
            if side == 1 {
              let delivered = view.takeDelivered().count
              try verify(delivered == count, "\(delivered) of \(count) rows were delivered")
            }
            return time
          }
        })
      try view.verifyContents(in: stores[1])
      bench.reportStep(
        "\(SizeText.text(count)) children, added per child",
        zip(times[1], times[0]).map { ($0 - $1) / count }, of: "children", at: count)
    }
    bench.reportGrowth("added per child, over children", of: "children")
  }
}
