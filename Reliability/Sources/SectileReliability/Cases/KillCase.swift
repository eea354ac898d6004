internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Kills a process at its k-th operation that changes a file, a torn write included, again and
/// again on one file.
struct KillCase: ReliabilityCase {
  let name = "kill"
  let summary = "SIGKILL at the k-th write: writer, bulk, migrations, backup, checkpoints"

  let weight = 2.0

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    let workload = ["writer", "bulk", "backup", "checkpoint", "migrations"][Int(seed % 5)]
    let bulk = workload == "bulk" ? 2_000 : 120
    var acknowledged: Int64 = 0
    for _ in 0..<4 {
      let at = Int.random(in: 1...(random.chance(0.3) ? 25 : 300), using: &random)
      let child = try ChildProcess(
        workload: workload, path: folder.database, seed: seed, killAt: at,
        isTorn: random.chance(0.4))
      let lines = child.lines()
      guard child.status == SIGKILL || child.status == 0 else {
        throw Finding("the child ended with \(child.status): \(lines.last ?? "")")
      }
      acknowledged = lines.compactMap { Int64($0) }.last ?? acknowledged
      tally.kills += child.status == SIGKILL ? 1 : 0
      tally.cycles += 1
      guard folder.hasDatabase else {
        if acknowledged > 0 { throw Finding("the file is gone") }
        continue
      }
      let model = Model(seed: seed, bulk: bulk)
      if workload == "migrations" {
        try checkLedger(folder, acknowledged: acknowledged)
        continue
      }
      let problem = try FileCheck.problem(
        at: folder.database, of: model, acknowledged: acknowledged, begun: acknowledged + 1)
      if let problem { throw Finding("\(workload), killed at \(at): \(problem)") }
      // A commit that nobody heard of may be there; from now on it must be.
      let store = try Store.open(at: folder.database, migrations: Model.migrations)
      acknowledged = try Model.number(in: store)
      try store.close()
      let copy = folder.path + "/copy.sqlite"
      if FileManager.default.fileExists(atPath: copy) {
        let problem = try FileCheck.problem(
          at: copy, of: model, acknowledged: nil, begun: acknowledged + 1)
        if let problem { throw Finding("the backup, killed at \(at): \(problem)") }
      }
    }
  }

  private func checkLedger(_ folder: Folder, acknowledged: Int64) throws {
    let store = try Store.open(at: folder.database)
    defer { try? store.close() }
    let (tables, ledger) = try store.read { transaction in
      let names = try transaction.query(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name GLOB 't_*'")
      let hasLedger = try transaction.query(
        "SELECT name FROM sqlite_schema WHERE name LIKE '%migration%' AND type = 'table'")
      guard case .text(let table)? = hasLedger.first?.values[0] else {
        return (names[0].values[0], StoredValue.integer(0))
      }
      let rows = try transaction.query(
        "SELECT count(*) FROM \"\(table)\" WHERE name GLOB '*table*'")
      return (names[0].values[0], rows[0].values[0])
    }
    if tables != ledger { throw Finding("\(ledger) migrations in the ledger, \(tables) tables") }
  }
}
