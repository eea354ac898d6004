internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Works on and on; after a warm-up the memory must stay as it is.
struct SoakCase: ReliabilityCase {
  let name = "soak"
  let summary = "memory stays flat while results, snapshots and commits come and go"

  func run(seed: UInt64, tally: inout Tally) throws {
    let folder = try Folder()
    var configuration = StoreConfiguration()
    configuration.synchronous = .off
    let store = try Store.open(
      at: folder.database, configuration: configuration, migrations: Model.migrations)
    var model = Model(seed: seed)
    let steady = try store.results(of: .byBatch)
    try steady.load()
    var warm = 0
    for round in 0..<6 {
      for turn in 0..<120 {
        try model.write(to: store)
        model.advance()
        guard turn % 10 == 0 else { continue }
        let brief = try store.results(of: .byBatch)
        try brief.load()
        _ = try brief.snapshot.materialized()
      }
      if round == 2 { warm = try Self.residentBytes() }
      tally.cycles += 1
    }
    let end = try Self.residentBytes()
    if end > warm + warm / 10 + (16 << 20) {
      throw Finding("memory grew from \(warm >> 20) MiB after the warm-up to \(end >> 20) MiB")
    }
    try store.close()
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (Int(text.split(separator: " ")[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
