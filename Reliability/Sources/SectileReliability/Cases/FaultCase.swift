internal import CFaultVFS
internal import Foundation
internal import Sectile
internal import SectileTestSupport

/// Lets the n-th file operation of a kind fail, once or from then on, and goes on when that ends.
///
/// Opening, migrating, writing, bulk, checkpoints, a backup and live results are under way. Errors
/// must be typed; what was acknowledged must be there, and live results must equal a fetch.
struct FaultCase: ReliabilityCase {
  let name = "io-fault"
  let summary = "EIO, ENOSPC, locks and failed opens at the n-th operation, once or lasting"

  private struct Kind {
    let name: String
    let kinds: Int
    let code: Int
  }

  private static let kinds = [
    Kind(name: "open", kinds: FAULT_OPEN, code: 14),
    Kind(name: "read EIO", kinds: FAULT_READ, code: 266),
    Kind(name: "write EIO", kinds: FAULT_WRITE, code: 778),
    Kind(name: "write ENOSPC", kinds: FAULT_WRITE, code: 13),
    Kind(name: "half a write, ENOSPC", kinds: FAULT_WRITE, code: FAULT_SHORT),
    Kind(name: "truncate EIO", kinds: FAULT_TRUNCATE, code: 1546),
    Kind(name: "sync EIO", kinds: FAULT_SYNC, code: 1034),
    Kind(name: "delete EIO", kinds: FAULT_DELETE, code: 2570),
    Kind(name: "lock busy", kinds: FAULT_LOCK, code: 5),
    Kind(name: "lock EIO", kinds: FAULT_LOCK, code: 3850),
    Kind(name: "shm map EIO", kinds: FAULT_SHM_MAP, code: 5386),
    Kind(name: "shm lock busy", kinds: FAULT_SHM_LOCK, code: 5),
    Kind(name: "shm lock EIO", kinds: FAULT_SHM_LOCK, code: 5130),
  ]

  let weight = 4.0

  func run(seed: UInt64, tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    let dry = try Folder()
    fault_watch(dry.path)
    defer { fault_watch(nil) }
    _ = try Run(folder: dry, seed: seed).work()
    let counts = Self.kinds.map { fault_count(Int32($0.kinds)) }
    tally.cycles += 1
    for (kind, count) in zip(Self.kinds, counts) where count > 0 {
      let number = Int.random(in: 1...count, using: &random)
      // SQLite waits ten seconds for locks of shared memory that nobody gives.
      let isWaiting = kind.kinds == FAULT_SHM_LOCK && kind.code == 5
      let isLasting = random.chance(isWaiting ? 0.02 : 0.4)
      let folder = try Folder()
      fault_watch(folder.path)
      fault_plan(Int32(kind.kinds), number, Int32(kind.code), isLasting ? 1 : 0)
      do {
        try Run(folder: folder, seed: seed).check()
      } catch {
        throw Finding(
          "\(kind.name) at operation \(number) of \(count), \(isLasting ? "lasting" : "once"): "
            + "\(error)")
      }
      tally.cycles += 1
      tally.faults += fault_fired()
    }
  }

  /// One workload on one file.
  private final class Run {
    let folder: Folder
    var model: Model
    var begun: Int64 = 0
    let recorder = ChangeRecorder<Int64, Entry>()
    var store: Store?
    var results: SectionedResults<Entry>?
    var failures = 0

    init(folder: Folder, seed: UInt64) {
      self.folder = folder
      model = Model(seed: seed)
    }

    /// Runs everything; after an error that is a store's own, the fault ends and the work goes on.
    func work() throws -> Run {
      try attempt { try self.open() }
      try attempt { try self.follow() }
      for turn in 0..<14 {
        try write()
        if turn % 5 == 4 { try attempt { _ = try self.store?.checkpoint(.truncate) } }
        if turn == 8 {
          try attempt {
            _ = try self.store?.backup(to: self.folder.path + "/copy.sqlite", replacing: true)
          }
        }
      }
      return self
    }

    func check() throws {
      _ = try work()
      fault_plan(0, 0, 0, 0)
      guard let store, let results else { throw Finding("the store does not open any more") }
      try store.checkForExternalChanges()
      try results.load()
      let fetched = try store.read { try $0.fetchAll(.byBatch) }
      let shown = try results.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
      if shown != fetched { throw Finding("live results differ from a fetch") }
      if let first = recorder.verify(against: results).first { throw Finding(first) }
      self.results = nil
      try store.close()
      self.store = nil
      let problem = try FileCheck.problem(
        at: folder.database, of: model, acknowledged: model.number, begun: model.number)
      if let problem { throw Finding(problem) }
    }

    private func open() throws {
      guard store == nil else { return }
      var configuration = StoreConfiguration()
      configuration.externalChangePolling = nil
      configuration.automaticCheckpointPageCount = 25
      configuration.busyTimeout = .milliseconds(20)
      configuration.readerCount = 2
      configuration.cacheByteCount = 64 * 1024
      store = try Store.open(
        at: folder.database, configuration: configuration, migrations: Model.migrations)
    }

    private func follow() throws {
      guard results == nil, let store else { return }
      let new = try store.results(of: .byBatch)
      new.delegate = recorder
      results = new
      try new.load()
    }

    private func write() throws {
      begun = model.number + 1
      do {
        guard let store else { throw Finding("the store is not open") }
        try model.write(to: store)
        model.advance()
      } catch {
        try allow(error)
        // Whether it is there is known when the file can be read again.
        guard let store else { return }
        let number = try Model.number(in: store)
        if number < model.number { throw Finding("\(model.number - number) commits are gone") }
        if number > begun { throw Finding("there are \(number) commits of \(begun)") }
        while model.number < number { model.advance() }
        if model.number < begun { try write() }
      }
    }

    private func attempt(_ body: () throws -> Void) throws {
      do {
        try body()
      } catch {
        try allow(error)
        try body()
      }
    }

    /// Ends the fault after an error of the right type.
    private func allow(_ error: any Error) throws {
      guard error is StoreError else { throw Finding("an error of another type: \(error)") }
      failures += 1
      if failures > 3 { throw Finding("errors do not end with the fault: \(error)") }
      fault_plan(0, 0, 0, 0)
    }
  }
}
