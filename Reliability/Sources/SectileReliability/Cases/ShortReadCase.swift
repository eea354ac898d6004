internal import CFaultVFS
internal import Sectile
internal import SectileTestSupport

/// Lets the n-th read yield half of what was asked for, as from a file that was cut.
///
/// SQLite takes the rest as zeros, and cannot know better. So the store only reads here: no crash,
/// errors of the right type, and a file that is as it was.
struct ShortReadCase: ReliabilityCase {
  let name = "short-read"
  let summary = "the n-th read yields half; no crash, the file stays as it was"

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    let writer = try Store.open(at: folder.database, migrations: Model.migrations)
    var model = Model(seed: seed)
    for _ in 0..<20 {
      try model.write(to: writer)
      model.advance()
    }
    try writer.close()
    fault_watch(folder.path)
    defer { fault_watch(nil) }
    try read(folder)
    let count = fault_count(Int32(FAULT_READ))
    for _ in 0..<15 {
      fault_plan(
        Int32(FAULT_READ), Int.random(in: 1...count, using: &random), Int32(FAULT_SHORT),
        random.chance(0.3) ? 1 : 0)
      try read(folder)
      fault_plan(0, 0, 0, 0)
      tally.cycles += 1
    }
    tally.faults += fault_fired()
    let problem = try FileCheck.problem(
      at: folder.database, of: model, acknowledged: model.number, begun: model.number)
    if let problem { throw Finding(problem) }
  }

  private func read(_ folder: Folder) throws {
    do {
      var configuration = StoreConfiguration()
      configuration.isReadOnly = true
      configuration.externalChangePolling = nil
      let store = try Store.open(at: folder.database, configuration: configuration)
      let results = try store.results(of: .byBatch)
      try results.load()
      _ = try results.snapshot.materialized()
      try store.close()
    } catch {
      guard error is StoreError else { throw Finding("an error of another type: \(error)") }
    }
  }
}
