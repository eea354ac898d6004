internal import Dispatch
internal import Sectile
internal import SectileTestSupport
internal import Synchronization

/// Threads that write, cancel, load, change the request, take and read snapshots and let go, all at
/// once; then everything must agree.
struct StormCase: ReliabilityCase {
  let name = "storm"
  let summary = "threads: commits, cancel, load, update(to:), snapshots, releases"

  let weight = 2.0

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    var configuration = StoreConfiguration()
    configuration.synchronous = .off
    configuration.busyTimeout = .seconds(30)
    let store = try Store.open(
      at: folder.database, configuration: configuration, migrations: Model.migrations)
    let steady = try store.results(of: .byBatch)
    let recorder = ChangeRecorder<Int64, Entry>()
    steady.delegate = recorder
    try steady.load()
    let troubled = try (0..<3).map { _ in try store.results(of: .byBatch) }
    let found = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      var random = SeededRandom(seed: seed &* 64 &+ UInt64(thread))
      for _ in 0..<60 {
        do {
          try Self.act(on: store, troubled, steady, random: &random)
        } catch {
          found.withLock { $0.append("\(error)") }
        }
      }
    }
    tally.cycles += 1
    if let first = found.withLock({ $0.first }) { throw Finding("an operation failed: \(first)") }
    // The last to write may have left what it wrote to whoever was delivering; an empty write
    // waits.
    try store.write { try $0.save(Entry(id: 999, batch: 0, body: "end")) }
    try store.checkForExternalChanges()
    let fetched = try store.read { try $0.fetchAll(.byBatch) }
    for results in troubled {
      try results.update(to: .byBatch)
      try results.load()
      let shown = try results.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
      if shown != fetched { throw Finding("results that were cancelled differ from a fetch") }
    }
    try recorder.check(against: steady)
    let replayed = recorder.contents.sections.flatMap { $0.rows.map(\.item) }
    if replayed != fetched { throw Finding("replayed contents differ from a fetch") }
    try store.close()
  }

  /// Reads all of a snapshot.
  private static func read(_ snapshot: ResultsSnapshot<Entry>) throws {
    let items = try snapshot.materialized()
    if items.count != snapshot.numberOfItems { throw Finding("a snapshot changed its size") }
  }

  private static func act(
    on store: Store, _ troubled: [SectionedResults<Entry>], _ steady: SectionedResults<Entry>,
    random: inout SeededRandom
  ) throws {
    let results = troubled[Int.random(in: 0..<troubled.count, using: &random)]
    let id = Int64.random(in: 1...80, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5:
      let batch = Int64.random(in: 0...4, using: &random)
      try store.write { try $0.save(Entry(id: id, batch: batch, body: "\(batch) \(id % 7)")) }
    case 5: try store.write { _ = try $0.delete(Entry.self, key: id) }
    case 6: results.cancel()
    case 7: try results.load()
    case 8:
      try read(steady.snapshot)
      do {
        try read(results.snapshot)
      } catch let error as StoreError where error.code == .itemChangedElsewhere {
        // Somebody has cancelled them: rows that are written after that are not what they were.
      }
    default:
      if random.chance(0.5) {
        try results.update(to: random.chance(0.5) ? .byBatch : FetchRequest().sort(by: \.body))
      } else {
        let brief = try store.results(of: .byBatch)
        try brief.load()
      }
    }
  }
}
