internal import CFaultVFS
internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Lets the power go away at many points of one workload.
struct PowerCutCase: ReliabilityCase {
  /// What is to be seen.
  enum Variant {
    /// `synchronous=FULL`, the default: nothing acknowledged is lost.
    case full
    /// `synchronous=NORMAL`: commits must be lost.
    case normal
    /// A disk that forgets a sync: commits must be lost.
    case lie
  }

  let variant: Variant
  private let cuts = 40

  var name: String {
    switch variant {
    case .full: "power-cut"
    case .normal: "control-normal"
    case .lie: "control-lie"
    }
  }

  var summary: String {
    switch variant {
    case .full: "power cuts with torn and dropped writes; nothing acknowledged is lost"
    case .normal: "the same with synchronous=NORMAL"
    case .lie: "the same on a disk that forgets syncs"
    }
  }

  var isControl: Bool { variant != .full }
  var weight: Double { variant == .full ? 3 : 0.4 }

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let folder = try Folder()
    fault_watch(folder.path)
    defer { fault_watch(nil) }
    fault_journal(1)
    // All syncs of odd seeds, and one of even ones.
    if variant == .lie { fault_lie(seed % 2 == 1 ? -1 : Int.random(in: 5...30, using: &random)) }
    try work(in: folder, seed: seed, random: &random)
    fault_journal(0)
    tally.cycles += 1
    let count = fault_journal_count()
    for _ in 0..<cuts {
      let image = try Folder()
      let point = Int.random(in: 1...count, using: &random)
      let acknowledged = try PowerCut.materialize(
        before: point, in: image.path, random: &random)
      tally.cuts += 1
      do {
        let problem = try FileCheck.problem(
          at: image.database, of: Model(seed: seed), acknowledged: acknowledged,
          begun: acknowledged + 1)
        if let problem { throw Finding(problem) }
      } catch {
        throw Finding("cut before operation \(point) of \(count): \(error)")
      }
    }
  }

  private func work(in folder: Folder, seed: UInt64, random: inout SeededRandom) throws {
    var configuration = StoreConfiguration()
    configuration.externalChangePolling = nil
    configuration.automaticCheckpointPageCount = Int.random(in: 5...60, using: &random)
    if variant == .normal { configuration.synchronous = .normal }
    var model = Model(seed: seed)
    for _ in 0..<2 {
      let store = try Store.open(
        at: folder.database, configuration: configuration, migrations: Model.migrations)
      for _ in 0..<Int.random(in: 5...25, using: &random) {
        try model.write(to: store)
        model.advance()
        fault_mark(Int(model.number))
        if random.chance(0.1) {
          let modes: [Store.CheckpointMode] = [.passive, .full, .restart, .truncate]
          try store.checkpoint(modes.randomElement(using: &random) ?? .full)
        }
      }
      try store.close()
    }
  }
}
