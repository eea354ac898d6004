import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// A load that is not the first reads beside the writer: others commit meanwhile, and the load
/// catches up with what they wrote.
@Suite(.timeLimit(.minutes(60))) struct LoadBesideWriterTests {
  private static let schema =
    LifecycleTests.schema(rows: 60)
    + "CREATE TABLE parent (id INTEGER PRIMARY KEY, p);"
    + "INSERT INTO parent SELECT id, id % 7 FROM item;"

  /// Sorted by the first digit of the key, under the meddler's rule.
  private func plan(_ meddler: Meddler) -> FetchPlan {
    var plan = SmallWorld.plan
    plan.batchSize = 5
    plan.sort = [
      FetchPlan.SortTerm(
        expression: SQLFragment(#"substr("item"."id", -1)"#), collation: meddler.collation)
    ]
    return plan
  }

  private func open(in folder: TemporaryFolder, _ meddler: Meddler) throws -> Store {
    var configuration = SmallWorld.configuration
    configuration.collations = [meddler.collation]
    let store = try StorageKind.file.open(in: folder, configuration: configuration)
    try store.write { try $0.execute(Self.schema) }
    return store
  }

  private enum Load: String, CaseIterable { case request, again }

  /// Loads results, has something happen while they load otherwise or again, and checks everything.
  private func run(
    _ load: Load, changing change: (inout FetchPlan) -> Void = { _ in },
    requesting request: (inout FetchPlan) -> Void = { _ in },
    meanwhile body: @escaping @Sendable (Store, DatabaseQueue) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let meddler = Meddler()
    let store = try open(in: folder, meddler)
    let other = try DatabaseQueue(path: folder.file("store.sqlite"))
    var plan = plan(meddler)
    change(&plan)
    let live = try LiveResults<UntypedRow>(plan, in: store)
    if load == .request { plan.sort.append(plan.term("k", isDescending: true)) }
    request(&plan)
    let next = plan
    live.expectFresh { try store.results(of: next) }
    meddler.arm { try body(store, other) }
    switch load {
    case .request: try live.results.update(to: plan)
    case .again: try live.results.load()
    }
    #expect(meddler.hasEnded.withLock { $0 }, "the writer was not free")
    try store.checkForExternalChanges()
    try live.check()
    // And on from there.
    try store.write { try $0.execute("UPDATE item SET k = k + 1, v = 'after' WHERE id % 5 = 1") }
    try live.check()
    try store.write { try $0.execute("UPDATE parent SET p = (p * 5 + 3) % 7") }
    try live.check()
    try store.close()
  }

  static let writes = [
    "UPDATE item SET v = 'meanwhile' WHERE id = 7",
    "UPDATE item SET k = -k, s = 'B' WHERE id IN (2, 9, 58)",
    "DELETE FROM item WHERE id = 3; INSERT INTO item (id, s, k) VALUES (3, 'C', 9), (99, 'D', 4)",
    "UPDATE item SET v = 'all', k = k * 3 % 11",
    "DELETE FROM item",
    "UPDATE parent SET p = 1",
    "SELECT 1",
  ]

  @Test(arguments: writes)
  func requestChangeCatchesUp(_ sql: String) throws {
    try run(.request) { store, _ in try store.write { try $0.execute(sql) } }
  }

  @Test(arguments: writes)
  func loadCatchesUp(_ sql: String) throws {
    try run(.again) { store, _ in try store.write { try $0.execute(sql) } }
  }

  @Test(arguments: writes)
  func loadCatchesUpWithManyCommits(_ sql: String) throws {
    try run(.request) { store, _ in
      for round in 0..<30 {
        try store.write { try $0.execute("UPDATE item SET v = ? WHERE id = ?", round, round + 1) }
      }
      try store.write { try $0.execute(sql) }
    }
  }

  @Test(arguments: writes)
  func othersMayCommit(_ sql: String) throws {
    try run(.request) { _, other in try other.write { try $0.execute(sql: sql) } }
  }

  @Test(arguments: writes)
  func othersMayCommitBesideTheStore(_ sql: String) throws {
    try run(.again) { store, other in
      try store.write { try $0.execute("UPDATE item SET v = 'own', k = 1 WHERE id IN (7, 8)") }
      try other.write { try $0.execute(sql: sql) }
      try store.write { try $0.execute("UPDATE item SET k = 0 WHERE id IN (8, 9)") }
    }
  }

  @Test func windowsCatchUp() throws {
    for sql in Self.writes {
      try run(.request, changing: { $0.limit = 10 }) { store, _ in
        try store.write { try $0.execute(sql) }
      }
    }
  }

  /// Sorts by a column of another table.
  private static func sortByParent(_ plan: inout FetchPlan) {
    plan.joins = [
      FetchPlan.Join(
        table: "parent", alias: "parent", source: "item", sourceColumns: ["id"],
        targetColumns: ["id"])
    ]
    plan.sort.insert(FetchPlan.SortTerm(expression: SQLFragment(#""parent"."p""#)), at: 0)
  }

  @Test func ordersOfOtherTablesCatchUp() throws {
    for sql in Self.writes {
      try run(.request, changing: Self.sortByParent) { store, _ in
        try store.write { try $0.execute(sql) }
      }
    }
  }

  /// The tables that are followed are those of the new request, though the schema was another one
  /// while it was read.
  @Test(arguments: Self.schemaChanges)
  func aRequestOfMoreTablesFollowsThem(_ sql: String) throws {
    try run(.request, requesting: Self.sortByParent) { store, _ in
      try store.write { try $0.execute(sql) }
    }
  }

  static let schemaChanges = [
    "CREATE INDEX item_on_k ON item (k)",
    "ALTER TABLE item ADD COLUMN extra DEFAULT 'e'",
    "CREATE TABLE copy AS SELECT * FROM item; DROP TABLE copy; UPDATE item SET v = 'c' WHERE id = 4",
  ]

  @Test(arguments: Self.schemaChanges)
  func schemaMayChange(_ sql: String) throws {
    try run(.request) { store, _ in try store.write { try $0.execute(sql) } }
  }

  @Test func cancelEndsTheLoad() throws {
    let results = Mutex<SectionedResults<UntypedRow>?>(nil)
    let folder = try TemporaryFolder()
    let meddler = Meddler()
    let store = try open(in: folder, meddler)
    let live = try LiveResults<UntypedRow>(plan(meddler), in: store)
    results.withLock { $0 = live.results }
    live.recorder.reset()
    meddler.arm {
      results.withLock { $0 }?.cancel()
      try store.write { try $0.execute("DELETE FROM item WHERE id < 20") }
    }
    try live.results.load()
    live.recorder.sourceWasCancelled()
    #expect(live.lines == [])
    #expect(try live.results.snapshot.materialized().count == 60)
    try live.results.load()
    #expect(live.lines.count == 19)
    try live.check()
    try store.close()
  }

  @Test func failedLoadMissesNoCommit() throws {
    let folder = try TemporaryFolder()
    let meddler = Meddler()
    let store = try open(in: folder, meddler)
    let plan = plan(meddler)
    let live = try LiveResults<UntypedRow>(plan, in: store)
    meddler.arm {
      try store.write { try $0.execute("UPDATE item SET v = 'meanwhile' WHERE id = 7") }
      store.interrupt()
    }
    try expectStoreError(.interrupted) { try live.results.load() }
    #expect(live.recorder.errors.count == 1)
    try store.checkForExternalChanges()
    try live.check()
    try store.close()
  }
}
