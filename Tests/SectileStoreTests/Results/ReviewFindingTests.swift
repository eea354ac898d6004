import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// What a review found by reading, each with the test that shows it.
@Suite struct ReviewFindingTests {
  @Test func twoNewRowsWithOneKeyAreATypedError() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        "CREATE TABLE item (id INTEGER, s TEXT); INSERT INTO item VALUES (1,'A'),(1,'B')")
    }
    let recorder = ChangeRecorder<PlanItem.ID, PlanItem>()
    let results = try store.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s"]))
    results.delegate = recorder
    try results.load()
    #expect((recorder.errors.first as? StoreError)?.code == .duplicateKey)
  }

  @Test func fixedSectionsAreFoldedLikeTheirRowsAndNamedOnce() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE);
        INSERT INTO item VALUES (1, 'MISC'), (2, 'Libs'), (3, 'other');
        """)
    }
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s"])
    plan.section = PlanSection(
      identity: plan.term("s"), fixedSections: ["Misc", "libs", "LIBS", "empty"])
    let results = try store.results(of: plan)
    try results.load()
    #expect(results.sections.map(\.identity) == ["misc", "libs", "empty"])
    #expect((0..<3).map { results.numberOfItems(in: $0) } == [1, 1, 0])
    try store.write { try $0.execute("UPDATE item SET s = 'EMPTY' WHERE id = 3") }
    #expect((0..<3).map { results.numberOfItems(in: $0) } == [1, 1, 1])
  }

  @Test func aPlanWithOtherColumnsIsRefused() throws {
    let store = try Store.inMemory()
    try store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT)") }
    let plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["s"])
    let results = try store.results(of: plan)
    try results.load()
    try results.update(to: plan)
    var negative = plan
    negative.limit = -1
    for other in [FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id"]), negative] {
      let error = #expect(throws: StoreError.self) { try results.update(to: other) }
      #expect(error?.code == .invalidRequest)
    }
  }

  @Test func manyNeighboursMoveTogether() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, k INTEGER);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
        INSERT INTO item SELECT i, i FROM n;
        """)
    }
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "k"])
    plan.sort = [plan.term("k")]
    let recorder = ChangeRecorder<PlanItem.ID, PlanItem>()
    let results = try store.results(of: plan)
    results.delegate = recorder
    try results.load()
    try store.write { try $0.execute("UPDATE item SET k = k + 1000 WHERE id BETWEEN 101 AND 200") }
    try recorder.check(against: results)
    #expect(recorder.changesets.last?.moves.count == 100)
    #expect(results.statistics.rebuildCount == 0)
  }
}
