internal import Sectile

/// As many sections as rows.
enum SectionGrowth: Benchmark {
  static let name = "growth-sections"
  static let summary = "one section per row: open, commit, make and remove sections"
  static let storages = [Storage.memory]

  private static let request = FetchRequest<Track>().sectioned(by: \.id)
  private static let commits = 50

  static func run(_ bench: Bench) throws {
    let plain = try bench.store()
    let observed = try bench.store()
    let opened = try bench.interleave([
      {
        let results = try observed.results(of: request)
        let (time, _) = try Stopwatch.time { try results.load() }
        try verify(results.numberOfSections == bench.size, "there are other sections")
        return time / bench.size
      }
    ])
    bench.reportStep("open, per row", opened[0], of: "sections: open", at: bench.size)

    let view = try View(request, in: observed)
    var changes: [TrackChanges] = [0, 1].map { _ in TrackChanges(bench.world.tracks) }
    let updated = try bench.interleave(
      [plain, observed].enumerated().map { position, store in
        {
          let tracks = changes[position].titles(commits)
          let (time, _) = try Stopwatch.time {
            for track in tracks { try store.write { try $0.update(track) } }
          }
          if position == 1 { try view.verifyDelivered(tracks) }
          return time / commits
        }
      })
    bench.reportStep(
      "update a row, added", zip(updated[1], updated[0]).map { $0 - $1 }, of: "sections: update",
      at: bench.size)

    let replaced = try bench.interleave(
      [plain, observed].enumerated().map { position, store in
        {
          let tracks = changes[position].ratings(commits)
          let (time, _) = try Stopwatch.time {
            for track in tracks {
              try store.write { _ = try $0.delete(track) }
              try store.write { _ = try $0.insert(track) }
            }
          }
          if position == 1 {
            let count = view.takeDelivered().count
            try verify(count == 2 * commits, "\(count) changes were delivered")
          }
          return time / (2 * commits)
        }
      })
    bench.reportStep(
      "remove or make a section, added", zip(replaced[1], replaced[0]).map { $0 - $1 },
      of: "sections: replace", at: bench.size)
    try view.verifyContents(in: observed)
  }

  static func conclude(_ bench: Bench) {
    bench.reportGrowth("open, per row", of: "sections: open")
    bench.reportGrowth("update a row", of: "sections: update")
    bench.reportGrowth("remove or make a section", of: "sections: replace")
  }
}
