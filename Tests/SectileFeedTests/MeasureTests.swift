import Foundation
import SectileFeed
import SectileStore
import SectileTestHelpers
import Testing

@Suite(.enabled(if: ProcessInfo.processInfo.environment["SECTILE_MEASURE"] != nil), .serialized) struct MeasureTests {
  func cpu() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(0), &usage)
    func s(_ t: timeval) -> Double { Double(t.tv_sec) + Double(t.tv_usec) / 1e6 }
    return s(usage.ru_utime) + s(usage.ru_stime)
  }
  func threads() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1 }

  @Test func stores() async throws {
    let count = Int(ProcessInfo.processInfo.environment["SECTILE_STORES"] ?? "300") ?? 300
    let folder = try TemporaryFolder()
    var all: [(Store, SectionedResults<Song>, Feed<SectionedResults<Song>, Void>)] = []
    for n in 0..<count {
      let store = try await Store.open(at: folder.file("\(n).sqlite"))
      try await store.write { try $0.execute(Song.table); try $0.insert(contentsOf: (0..<20).map { Song(id: Int64($0)) }) }
      try await store.changeLog.enable()
      let results = try store.results(of: Song.request)
      try await results.load()
      all.append((store, results, Feed<SectionedResults<Song>, Void>(of: results)))
    }
    print("opened", count, "threads", threads())
    for _ in 0..<6 {
      let (c, t) = (cpu(), ContinuousClock.now)
      var most = 0
      for _ in 0..<50 { try await Task.sleep(for: .milliseconds(100)); most = max(most, threads()) }
      let d = (ContinuousClock.now - t) / .seconds(1)
      print("asleep: \(String(format: "%.2f", 100 * (cpu() - c) / d)) % of a core, threads \(most)")
    }
    for (s, _, f) in all { f.finish(); try await s.close() }
  }

  @Test func joins() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    let store = try await Store.open(at: path)
    try await store.write { try $0.execute(Song.table); try $0.insert(contentsOf: (0..<5000).map { Song(id: Int64($0), artist: "\($0 % 7)", title: String(repeating: "x", count: 200)) }) }
    let results = try store.results(of: Song.request)
    try await results.load()
    let feed = Feed<SectionedResults<Song>, Void>(of: results)
    let seconds = Double(ProcessInfo.processInfo.environment["SECTILE_SECONDS"] ?? "30") ?? 30
    let end = ContinuousClock.now + .seconds(seconds)
    let writer = Task {
      var n = 0
      while ContinuousClock.now < end {
        n += 1
        let start = (n * 60) % 4900
        let text = String(repeating: "\(n % 10)", count: 200)
        try await store.write { try $0.execute("UPDATE song SET title = ? WHERE id BETWEEN ? AND ?", text, start, start + 60) }
        try await Task.sleep(for: .milliseconds(4))
      }
      return n
    }
    let joiners = (0..<4).map { which in
      Task {
        var joins = 0, failures = 0
        while ContinuousClock.now < end {
          var i = try await feed.events().makeAsyncIterator()
          joins += 1
          while let e = await i.next() {
            if e.kind == .failed { failures += 1 }
            if e.kind == .complete { break }
            // a slow client
            if which == 3, e.kind == .rows { try await Task.sleep(for: .milliseconds(1500)) }
          }
          try await Task.sleep(for: .milliseconds(200))
        }
        return (joins, failures)
      }
    }
    var most = 0
    while ContinuousClock.now < end {
      try await Task.sleep(for: .seconds(1))
      let s = store.statistics
      most = max(most, s.logByteCount)
      if Int(seconds) > 0 { print("log \(s.logByteCount / 1024) KiB, views \(s.heldViewCount), oldest \(s.oldestViewAge.map { $0 / .seconds(1) } ?? 0), commits \(s.commitCount)") }
    }
    let n = try await writer.value
    for j in joiners { print("joins, failures", try await j.value) }
    print("most \(most / 1024) KiB, \(Double(n) / seconds) writes/s")
    feed.finish()
    try await store.close()
  }
}
