internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Two processes write to one file, and so does this one, which follows it.
struct ProcessesCase: ReliabilityCase {
  let name = "processes"
  let summary = "several processes on one file; live results in one follow"

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .seconds(30)
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    let store = try Store.open(
      at: folder.database, configuration: configuration, migrations: Model.migrations)
    let results = try store.results(of: .byBatch)
    let recorder = ChangeRecorder<Int64, Entry>()
    results.delegate = recorder
    try results.load()
    let children = try (0..<2).map {
      try ChildProcess(workload: "foreign", path: folder.database, seed: seed &* 7 &+ $0)
    }
    var random = SeededRandom(seed: seed)
    while children.contains(where: \.isRunning) {
      try store.checkForExternalChanges()
      let id = Int64.random(in: 1...60, using: &random)
      try store.write { try $0.save(Entry(id: id, batch: 9, body: "parent")) }
      if recorder.changesets.count > 200 { recorder.reset() }
    }
    for child in children {
      let lines = child.lines()
      if child.status != 0 { throw Finding("a child failed: \(lines.last ?? "\(child.status)")") }
    }
    try store.checkForExternalChanges()
    let fetched = try store.read { try $0.fetchAll(.byBatch) }
    let shown = recorder.contents.sections.flatMap { $0.rows.map(\.item) }
    if shown != fetched { throw Finding("replayed contents differ from a fetch") }
    if let error = recorder.errors.first { throw Finding("results failed: \(error)") }
    try recorder.check(against: results)
    tally.cycles += 1
    try store.close()
  }
}
