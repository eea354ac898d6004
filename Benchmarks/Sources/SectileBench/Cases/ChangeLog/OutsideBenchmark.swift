internal import CBaseline
internal import Sectile

/// Commits of another process, followed by live results through the change log of the file.
enum OutsideBenchmark: Benchmark {
  static let name = "outside"
  static let summary = "follow commits of another process: when they are noticed, what they cost"
  static let goals = ["L2", "L3"]
  static let storages = [Storage.file]
  static let hasFileGoal = true

  /// How many commits the other process makes, how far apart in microseconds.
  private static let commits = (count: 200, pause: 20_000)

  static func run(_ bench: Bench) throws {
    try follow(bench)
    try followWithoutLog(bench)
    for count in [1, 1_000, 100_000] where count <= bench.size {
      try applyTail(bench, count)
      if count <= max(10_000, bench.size / 10) { try resume(bench, behind: count) }
    }
  }

  // MARK: As it happens

  private static func follow(_ bench: Bench) throws {
    let path = try bench.folder.copy(of: bench.world.template())
    let store = try Store.open(at: path)
    try store.changeLog.enable()
    let view = try View(.indexed, in: store)
    _ = Stopwatch.settle()
    // The first commit waits for the digests of all rows, which are taken in the background.
    let first = DeliveryTimes(of: view.results)
    _ = try OutsideWriter(path: path, folder: bench.folder).write(1, pause: 0, of: bench.size)
    first.wait(for: 1)
    let times = DeliveryTimes(of: view.results)
    let start = Stopwatch.now
    let written = try OutsideWriter(path: path, folder: bench.folder)
      .write(commits.count, pause: commits.pause, of: bench.size)
    let cpu = (Stopwatch.now - start).cpu / Double(commits.count)
    times.wait(for: commits.count)
    try view.verifyContents(in: store)
    let arrivals = times.all
    var noticed: [Double] = []
    var delivered: [Double] = []
    for row in written {
      guard let arrival = arrivals[row.id] else {
        throw WrongResult("the commit of row \(row.id) was not delivered")
      }
      // A commit can be seen a moment before the call returns that made it.
      noticed.append(max(0, arrival.began - row.committed) / 1e3)
      delivered.append(max(0, arrival.ended - row.committed) / 1e3)
    }
    bench.report("commit elsewhere to begin of changeset", noticed, .microseconds, goal: "L3")
    bench.report("… its 90 % quantile", [quantile(0.9, of: noticed)], .microseconds)
    bench.report("commit elsewhere to end of changeset", delivered, .microseconds)
    bench.report(
      "processor time of the follower, per commit", [cpu / 1e3], .microseconds, goal: "L2")
    try store.close()
  }

  /// What the log spares: everything is read again.
  private static func followWithoutLog(_ bench: Bench) throws {
    let path = try bench.folder.copy(of: bench.world.template())
    let store = try Store.open(at: path, configuration: quiet)
    let other = try CDatabase(path: path)
    let view = try View(.indexed, in: store)
    var changes = TrackChanges(bench.world.tracks)
    let times = try bench.interleave([
      {
        _ = Stopwatch.settle()
        try other.update(CTracks(changes.titles(1)), at: 0)
        let (time, _) = try Stopwatch.time { try store.checkForExternalChanges() }
        try verify(view.takeDelivered().count == 1, "the commit was not delivered")
        return time
      }
    ])
    bench.reportTime("without a log: 1 row elsewhere", times[0])
  }

  // MARK: Much at once

  private static func applyTail(_ bench: Bench, _ count: Int) throws {
    let path = try bench.folder.copy(of: bench.world.template())
    let store = try Store.open(at: path, configuration: quiet)
    try store.changeLog.enable()
    let other = try CDatabase(path: path)
    let view = try View(.indexed, in: store)
    let times = try bench.interleave([
      {
        _ = Stopwatch.settle()
        try other.execute("UPDATE track SET rating = rating + 1 WHERE id <= \(count)")
        let (time, _) = try Stopwatch.time { try store.checkForExternalChanges() }
        let delivered = view.takeDelivered().count
        try verify(delivered == count, "\(delivered) of \(count) changes were delivered")
        return time
      }
    ])
    bench.reportTime("tail of \(SizeText.text(count)), applied to results", times[0])
    try verify(view.results.statistics.resyncCount == 0, "the view was resynchronized")
  }

  private static func resume(_ bench: Bench, behind count: Int) throws {
    let path = try bench.folder.copy(of: bench.world.template())
    let store = try Store.open(at: path, configuration: quiet)
    try store.changeLog.enable()
    let first = try View(.indexed, in: store)
    guard let token = first.results.token else { throw WrongResult("there is no token") }
    try store.write {
      try $0.execute("UPDATE track SET rating = rating + 1 WHERE id <= ?", count)
    }
    let times = try bench.interleave([
      {
        let results = try store.results(of: FetchRequest<Track>.indexed)
        let (time, _) = try Stopwatch.time { try waiting { try await results.load() } }
        _ = Stopwatch.settle()
        return time
      },
      {
        let results = try store.results(of: FetchRequest<Track>.indexed)
        let (time, named) = try Stopwatch.time {
          try waiting {
            guard case .changes(let changes) = try await results.load(since: token) else {
              throw WrongResult("everything was to be read anew")
            }
            return changes.upserts.count
          }
        }
        try verify(named == count, "\(named) of \(count) rows were named")
        _ = Stopwatch.settle()
        return time
      },
    ])
    bench.reportRatio(
      "load since \(SizeText.text(count)) rows ago / load", times[1], to: times[0])
    bench.reportTime(
      "load since \(SizeText.text(count)) rows ago, added",
      zip(times[1], times[0]).map { $0 - $1 })
  }

  /// Looks when it is told to.
  private static var quiet: StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    return configuration
  }

  private static func quantile(_ fraction: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[Int(Double(sorted.count - 1) * fraction)]
  }
}
