internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Damages a file and works with it: errors of the right type, and no crash.
struct HostileFileCase: ReliabilityCase {
  let name = "hostile-file"
  let summary = "truncated, garbled and bit-flipped files; typed errors, no crash"

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let origin = try Folder()
    var store = try Store.open(at: origin.database, migrations: Model.migrations)
    var model = Model(seed: seed)
    for _ in 0..<8 {
      try model.write(to: store)
      model.advance()
    }
    try store.close()
    let whole = try Data(contentsOf: URL(fileURLWithPath: origin.database))
    for _ in 0..<10 {
      let folder = try Folder()
      var data = whole
      switch Int.random(in: 0..<5, using: &random) {
      case 0: data = data.prefix(Int.random(in: 0..<data.count, using: &random))
      case 1:
        for index in 0..<100 { data[index] = UInt8.random(in: 0...255, using: &random) }
      case 2:
        let page = Int.random(in: 0..<data.count / 4096, using: &random) * 4096
        for index in page..<page + 4096 { data[index] = UInt8.random(in: 0...255, using: &random) }
      case 3:
        let log = Data((0..<9_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        try log.write(to: URL(fileURLWithPath: folder.database + "-wal"))
      default:
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          let index = Int.random(in: 0..<data.count, using: &random)
          data[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
      }
      try data.write(to: URL(fileURLWithPath: folder.database))
      tally.cycles += 1
      do {
        store = try Store.open(at: folder.database, migrations: Model.migrations)
      } catch {
        continue
      }
      try use(store, model)
    }
  }

  private func use(_ store: Store, _ model: Model) throws {
    let results = try? store.results(of: .byBatch)
    let steps: [() throws -> Void] = [
      { try results?.load() },
      { _ = try results?.snapshot.materialized() },
      { try model.write(to: store) },
      { _ = try store.read { try $0.fetchAll(.byBatch) } },
      { try store.write { try $0.execute("DELETE FROM entry WHERE id < 20") } },
      { _ = try store.checkpoint(.truncate) },
      { try store.close() },
    ]
    for (number, step) in steps.enumerated() {
      do {
        try step()
      } catch {
        guard error is StoreError else {
          throw Finding("step \(number): an error of another type: \(error)")
        }
      }
    }
  }
}
