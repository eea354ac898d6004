import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// A load on a file hands out the items of one state of it, whatever others write meanwhile.
@Suite(.timeLimit(.minutes(60))) struct HeldViewTests {
  typealias Event = DataSourceEvent<UntypedRow.ID, UntypedRow>

  static let kinds: [StorageKind] = [.file, .adoptedPool]

  static var plan: FetchPlan {
    var plan = SmallWorld.plan
    plan.batchSize = 5
    return plan
  }

  /// Runs a test with a store of forty rows, and a connection of somebody else's.
  private func run(
    _ kind: StorageKind, configuration: StoreConfiguration = SmallWorld.configuration,
    _ body: (Store, DatabaseQueue) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let store = try kind.open(in: folder, configuration: configuration)
    try store.write { try $0.execute(LifecycleTests.schema(rows: 40)) }
    var foreign = Configuration()
    foreign.busyMode = .timeout(10)
    try body(store, DatabaseQueue(path: folder.file("store.sqlite"), configuration: foreign))
    try store.close()
  }

  /// The values of a snapshot's rows, each once.
  private func values(
    of snapshot: any DataSourceSnapshot<UntypedRow.ID, UntypedRow>
  ) throws -> Set<StoredValue?> {
    try Set(snapshot.materialized().sections.flatMap { $0.rows.map { $0.item.row["v"] } })
  }

  @Test(arguments: kinds, ["UPDATE item SET v = 'foreign'", "DELETE FROM item"])
  func neighbourThatWritesInACallbackTakesNoItemAway(_ kind: StorageKind, sql: String) throws {
    try run(kind) { store, other in
      let results = try store.results(of: Self.plan)
      let found = Mutex<[Result<Set<StoredValue?>, any Error>]>([])
      let token = results.observe(on: .immediate) { [weak results] event in
        guard case .didPartiallyLoad(let changes) = event, let results else { return }
        // In the first batch the rest is not read yet, and would not be there afterwards.
        if results.numberOfItems == 40 { try? other.write { try $0.execute(sql: sql) } }
        let values = Result { () throws -> Set<StoredValue?> in
          let inserted = Set(try changes.inserts.map { try $0.item.row["v"] })
          let paths = (0..<results.numberOfItems).map { results.snapshot.path(atRank: $0) }
          let live = Set(try paths.map { try results.item(at: $0).row["v"] })
          return try inserted.union(live).union(self.values(of: results.snapshot))
        }
        found.withLock { $0.append(values) }
      }
      try results.load()
      token.cancel()
      #expect(try found.withLock { try $0.map { try $0.get() } } == [["x"], ["x"]])
      try store.checkForExternalChanges()
      #expect(try values(of: results.snapshot) == (sql.hasPrefix("D") ? [] : ["foreign"]))
    }
  }

  @Test(arguments: kinds)
  func firstBatchIsReadableToo(_ kind: StorageKind) throws {
    try run(kind) { store, other in
      let results = try store.results(of: Self.plan)
      let found = Mutex<[Set<StoredValue?>]>([])
      let token = results.observe(on: .immediate) { [weak results] event in
        guard case .didPartiallyLoad = event, let results else { return }
        try? other.write { try $0.execute(sql: "UPDATE item SET v = v || 'y'") }
        let values = try? self.values(of: results.snapshot)
        found.withLock { $0.append(values ?? []) }
      }
      try results.load()
      token.cancel()
      // Where rows changed between the first batch and the rest, the rest brings the updates.
      #expect(found.withLock { $0 } == [["x"], ["xy"]])
    }
  }

  @Test(arguments: kinds)
  func busyNeighbourIsSeenWhole(_ kind: StorageKind) throws {
    try run(kind) { store, other in
      let isDone = Atomic(false)
      let thread = Thread {
        var round = 0
        while !isDone.load(ordering: .relaxed) {
          round += 1
          try? other.write { try $0.execute(sql: "UPDATE item SET v = ?", arguments: [round]) }
        }
        isDone.store(false, ordering: .releasing)
      }
      thread.start()
      for _ in 0..<30 {
        let results = try store.results(of: Self.plan)
        let found = Mutex<[Result<Int, any Error>]>([])
        let token = results.observe(on: .immediate) { [weak results] event in
          guard case .didPartiallyLoad = event, let results else { return }
          // What the neighbour wrote meanwhile is told after the load, and no part of it.
          if found.withLock({ $0.count }) == 2 { return }
          Thread.sleep(forTimeInterval: 0.001)
          let count = Result { try self.values(of: results.snapshot).count }
          found.withLock { $0.append(count) }
        }
        try results.load()
        token.cancel()
        #expect(try found.withLock { try $0.map { try $0.get() } } == [1, 1])
      }
      isDone.store(true, ordering: .releasing)
      while isDone.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.001) }
    }
  }

  /// Digests are taken of what the load saw, although others have committed when it ends.
  @Test func neighbourThatWritesDuringALoadLeavesDigestsExact() throws {
    let foreign = Mutex<DatabaseQueue?>(nil)
    // Called while the load reads.
    let collation = TextCollation("meddling") { left, right in
      let neighbour = foreign.withLock { $0.take() }
      try? neighbour?.write { try $0.execute(sql: "INSERT INTO noise VALUES (1)") }
      return left == right ? 0 : left < right ? -1 : 1
    }
    var configuration = SmallWorld.configuration
    configuration.collations = [collation]
    try run(.file, configuration: configuration) { store, other in
      try store.write { try $0.execute("CREATE TABLE noise (n)") }
      var plan = Self.plan
      plan.sort = [FetchPlan.SortTerm(expression: SQLFragment("v || id"), collation: collation)]
      foreign.withLock { $0 = other }
      let live = try LiveResults<UntypedRow>(plan, in: store)
      #expect(foreign.withLock { $0 == nil })
      try store.checkForExternalChanges()
      live.recorder.reset()
      try other.write { try $0.execute(sql: "UPDATE item SET k = 'foreign' WHERE id = 7") }
      try store.checkForExternalChanges()
      #expect(live.lines.count == 1, "\(live.lines)")
      #expect(live.lines.first?.hasSuffix("#7") == true)
    }
  }

  @Test(arguments: kinds)
  func viewEndsWithTheLoad(_ kind: StorageKind) throws {
    var configuration = SmallWorld.configuration
    configuration.busyTimeout = .milliseconds(50)
    try run(kind, configuration: configuration) { store, other in
      let results = try store.results(of: Self.plan)
      let token = results.observe(on: .immediate) { event in
        guard case .didFinishLoading = event else { return }
        try? other.write { try $0.execute(sql: "UPDATE item SET v = 'foreign'") }
        // The log is needed as long as somebody reads what it was before.
        #expect(throws: StoreError.self) { try store.checkpoint(.truncate) }
      }
      try results.load()
      token.cancel()
      #expect(try store.checkpoint(.truncate).isComplete)
    }
  }

  @Test(arguments: kinds)
  func viewEndsWithACancelledLoad(_ kind: StorageKind) throws {
    try run(kind) { store, _ in
      let results = try store.results(of: Self.plan)
      let token = results.observe(on: .immediate) { [weak results] event in
        if case .didPartiallyLoad = event { results?.cancel() }
      }
      try results.load()
      token.cancel()
      #expect(try store.checkpoint(.truncate).isComplete)
    }
  }

  @Test func oneReaderIsEnough() throws {
    var configuration = SmallWorld.configuration
    configuration.readerCount = 1
    try run(.file, configuration: configuration) { store, other in
      let results = try store.results(of: Self.plan)
      let counts = Mutex<[Int]>([])
      let token = results.observe(on: .immediate) { [weak results] event in
        guard case .didPartiallyLoad = event, let results else { return }
        // Loads and reads inside of each other.
        let inner = try? store.results(of: Self.plan)
        try? inner?.load()
        let read = try? store.read { try $0.query("SELECT * FROM item").count }
        let own = try? results.snapshot.materialized().count
        counts.withLock { $0 += [read ?? -1, own ?? -1] }
      }
      try results.load()
      token.cancel()
      #expect(counts.withLock { $0 } == [40, 5, 40, 40])
    }
  }

  @Test func storeClosesInsideALoad() throws {
    let folder = try TemporaryFolder()
    let store = try StorageKind.file.open(in: folder, configuration: SmallWorld.configuration)
    try store.write { try $0.execute(LifecycleTests.schema(rows: 40)) }
    let results = try store.results(of: Self.plan)
    let token = results.observe(on: .immediate) { event in
      if case .didPartiallyLoad = event { try? store.close() }
    }
    try expectStoreError(.storeClosed) { try results.load() }
    token.cancel()
    // Whoever closes a file last removes its log.
    #expect(!FileManager.default.fileExists(atPath: folder.file("store.sqlite-wal")))
  }
}
