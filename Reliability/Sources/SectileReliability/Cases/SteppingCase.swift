internal import CFaultVFS
internal import Dispatch
internal import GRDBSQLite
internal import Sectile
internal import SectileTestSupport
internal import Synchronization

/// Stops a writer before one of its operations, lets another connection checkpoint meanwhile, and
/// goes on: a given interleaving of two connections.
struct SteppingCase: ReliabilityCase {
  let name = "stepping"
  let summary = "a writer and a checkpointer in a given interleaving of file operations"

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    fault_watch(folder.path)
    fault_gates_clear()
    defer {
      fault_gates_clear()
      fault_watch(nil)
    }
    let first = try Store.open(at: folder.database, migrations: Model.migrations)
    try first.write { try $0.execute("INSERT INTO entry VALUES (1, 1, 'before')") }
    let kinds = [FAULT_WRITE, FAULT_SYNC, FAULT_SHM_LOCK, FAULT_LOCK]
    let kind = kinds[Int(seed % 4)]
    let gate = fault_gate("writer", Int32(kind), Int.random(in: 1...4, using: &random))
    guard gate >= 0 else { throw Finding("no gate is left") }
    let path = folder.database
    let outcome = Mutex<(any Error)?>(nil)
    let done = DispatchSemaphore(value: 0)
    let thread = DispatchQueue(label: "writer")
    thread.async {
      fault_actor("writer")
      do {
        let other = try PlainConnection(path: path)
        try other.run("BEGIN IMMEDIATE; INSERT INTO entry VALUES (2, 2, 'during'); COMMIT")
      } catch {
        outcome.withLock { $0 = error }
      }
      fault_actor(nil)
      done.signal()
    }
    let isReached = fault_gate_wait(gate, 500) != 0
    let observer = try PlainConnection(path: path, busyTimeout: 0)
    for mode in ["PASSIVE", "RESTART", "TRUNCATE"] {
      do {
        try observer.run("PRAGMA wal_checkpoint(\(mode))")
      } catch let error as PlainConnection.Failure where error.code & 0xFF == SQLITE_BUSY {}
    }
    let rows = try observer.run("SELECT * FROM entry")
    if isReached && kind == FAULT_WRITE && rows != 1 {
      throw Finding("a reader sees \(rows) rows before the writer's pages are written")
    }
    fault_gate_release(gate)
    guard done.wait(timeout: .now() + 60) == .success else {
      throw Finding("the writer does not come back")
    }
    if let error = outcome.withLock({ $0 }) { throw Finding("the writer failed: \(error)") }
    try first.checkForExternalChanges()
    let entries = try first.read { try $0.fetchAll(FetchRequest<Entry>()) }
    if entries.count != 2 { throw Finding("\(entries.count) of 2 rows are there") }
    tally.cycles += 1
    try first.close()
  }
}
