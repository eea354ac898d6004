internal import Sectile
internal import Synchronization

/// One callback that writes, whose changes wait until it returns, under a composition.
enum DeliveryGrowth: Benchmark {
  static let name = "growth-delivery"
  static let summary = "100, 1,000, 10,000 commits of one callback, under filter and sort"
  static let storages = [Storage.memory]
  static let runsOnce = true

  static func run(_ bench: Bench) throws {
    for count in bench.effort.isQuick ? [100, 1_000] : [100, 1_000, 10_000] {
      let store = try bench.store()
      let results = try store.results(of: FetchRequest<Track>().sort(by: \.id).limit(1_000))
      let composed = results.filter { $0.rating > 1 }.sorted(by: \.title)
      composed.load()
      let isFirst = Atomic<Bool>(true)
      var changes = TrackChanges(Array(bench.world.tracks[..<100]))
      let tracks = changes.titles(count)
      let token = results.observe { event in
        guard case .didFinishLoading = event, isFirst.exchange(false, ordering: .relaxed)
        else { return }
        for track in tracks { try? store.write { try $0.update(track) } }
      }
      let version = results.version
      let (time, _) = try Stopwatch.time { try store.write { try $0.update(tracks[0]) } }
      try verify(results.version > version + count / 2, "the callback wrote nothing")
      withExtendedLifetime(token) {}
      bench.reportStep(
        "a commit of \(count) in a callback", [time / count], of: "commit", at: count)
    }
    bench.reportGrowth("a commit in a callback, over commits", of: "commit")
  }
}
