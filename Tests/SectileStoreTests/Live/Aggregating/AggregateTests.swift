import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Aggregates of sections and of all rows: which changes are told, and as what.
@Suite(.timeLimit(.minutes(60))) struct AggregateTests {
  private static func plan(
    _ functions: FetchPlan.Aggregate.Function..., in plan: FetchPlan = SmallWorld.plan
  ) -> FetchPlan {
    var plan = plan
    plan.aggregates = functions.map { FetchPlan.Aggregate($0) }
    return plan
  }

  private func follow(
    _ plan: FetchPlan, _ body: (Store, LiveResults<UntypedRow>) throws -> Void
  ) throws {
    for kind in StorageKind.allCases {
      try SmallWorld.run(kind) { store in
        try body(store, try LiveResults<UntypedRow>(plan, in: store))
      }
    }
  }

  @Test func aChangeOfAValueIsPartOfTheChangesetOfItsRows() throws {
    try follow(Self.plan(.rowCount, .sum("k"))) { store, live in
      try live.expect([
        "C~ count 4→5, sum(k) 7→14", "S~ 0→0 (A) count 3→4, sum(k) 6→13", "R+ [0,3] #5",
      ]) { try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (5, 'A', 7)") } }
      let changeset = try #require(live.recorder.changesets.last)
      #expect(changeset.contentsUpdate?.before["sum(k)"] == 7)
      #expect(changeset.sectionUpdates[0].before.aggregates["count"] == 3)
      #expect(changeset.sectionUpdates[0].header.aggregates["count"] == 4)
      #expect(live.results.aggregates["sum(k)"] == 14)
    }
  }

  @Test func aValueThatStaysIsNotTold() throws {
    try follow(Self.plan(.maximum("k"))) { store, live in
      try live.expect(["R~ [0,0]→[0,0] #1"]) {
        try store.write { try $0.execute("UPDATE item SET k = 2, v = 'y' WHERE id = 1") }
      }
      try live.expect(["R- [0,1] #2"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
      }
      // What the sum is made of changed, and it did not.
      #expect(live.results.aggregates["max(k)"] == 3)
    }
  }

  @Test func aSumIsOfTheStorageClassOfItsNumbers() throws {
    try follow(Self.plan(.sum("k"))) { store, live in
      try live.expect([
        "C~ sum(k) 7→7.0", "S~ 0→0 (A) sum(k) 6→6.0", "R~ [0,0]→[0,0] #1",
      ]) { try store.write { try $0.execute("UPDATE item SET k = 1.0 WHERE id = 1") } }
      try live.expect([
        "C~ sum(k) 7.0→6", "S~ 0→0 (A) sum(k) 6.0→5", "R~ [0,0]→[0,0] #1",
      ]) { try store.write { try $0.execute("UPDATE item SET k = NULL WHERE id = 1") } }
    }
  }

  @Test func aGroupThatIsEmptiedComesBack() throws {
    try follow(Self.plan(.sum("k"), .minimum("k"))) { store, live in
      try live.expect(["C~ sum(k) 7→6", "S- 1 (B)", "R- [1,0] #4"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE s = 'B'") }
      }
      try live.expect(["C~ sum(k) 6→11", "S+ 1 (B)", "R+ [1,0] #4"]) {
        try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (4, 'B', 5)") }
      }
      #expect(live.results.sections[1].aggregates["sum(k)"] == 5)
      try store.write { try $0.execute("DELETE FROM item") }
      try live.check()
      #expect(live.results.aggregates["sum(k)"] == .null)
      try live.expect([
        "C~ sum(k) NULL→1, min(k) NULL→1", "S+ 0 (B)", "R+ [0,0] #4",
      ]) { try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (4, 'B', 1)") } }
    }
  }

  @Test func aFixedSectionHasUpdatesOnly() throws {
    var fixed = SmallWorld.plan
    fixed.section?.fixedSections = ["A", "B", "C"]
    try follow(Self.plan(.rowCount, .average("k"), in: fixed)) { store, live in
      #expect(live.results.sections[2].aggregates["count"] == 0)
      try live.expect([
        "C~ count 4→3, avg(k) 1.75→2.0", "S~ 1→1 (B) count 1→0, avg(k) 1.0→NULL", "R- [1,0] #4",
      ]) { try store.write { try $0.execute("DELETE FROM item WHERE id = 4") } }
      try live.expect([
        "C~ count 3→4, avg(k) 2.0→3.5", "S~ 2→2 (C) count 0→1, avg(k) NULL→8.0", "R+ [2,0] #9",
      ]) { try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (9, 'C', 8)") } }
    }
  }

  /// What would have to be counted anew is left alone where the change cannot matter to it.
  @Test func aChangeOfOtherColumnsIsNotCountedAnew() throws {
    let plan = Self.plan(
      .distinctCount("k"), .conditionCount(SQLFragment("k > 1")), .maximum("k"), .sum("k"))
    let queue = try DatabaseQueue()
    let recounts = Mutex(0)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: SmallWorld.schema)
      db.trace(options: .statement) { event in
        guard case .statement(let statement) = event else { return }
        let sql = statement.sql
        let isRecount =
          sql.contains("count(DISTINCT") || (sql.contains("> 1") && !sql.contains(#""id" IS"#))
        if isRecount { recounts.withLock { $0 += 1 } }
      }
    }
    let store = try Store(adopting: queue, configuration: SmallWorld.configuration)
    let live = try LiveResults<UntypedRow>(plan, in: store)
    for (sql, isCounted) in [
      ("UPDATE item SET v = 'y' WHERE id = 3", false), ("UPDATE item SET v = 'z'", false),
      ("UPDATE item SET k = 7 WHERE id = 1", true),
      ("UPDATE item SET s = 'B', v = 'w' WHERE id = 3", true),
    ] {
      recounts.withLock { $0 = 0 }
      try store.write { try $0.execute(sql) }
      // With the internal checks, every commit is worked out a second time.
      if !InternalChecks.isOn { #expect(recounts.withLock { $0 > 0 } == isCounted, "\(sql)") }
      try live.check()
    }
    #expect(live.results.aggregates["max(k)"] == 7)
  }

  @Test func aListWithoutSectionsHasOne() throws {
    var list = SmallWorld.plan
    list.section = nil
    try follow(Self.plan(.distinctCount("k"), in: list)) { store, live in
      try live.expect([
        "C~ count(distinct k) 3→2", "S~ 0→0 (NULL) count(distinct k) 3→2", "R- [0,3] #3",
      ]) { try store.write { try $0.execute("DELETE FROM item WHERE id = 3") } }
    }
  }

  @Test func aWindowAggregatesWhatItShowsOrAllThatIsWanted() throws {
    var window = Self.plan(.rowCount, .sum("k"))
    window.limit = 2
    try follow(window) { store, live in
      #expect(live.results.aggregates["sum(k)"] == 3)
      try live.expect(["C~ sum(k) 3→5", "S~ 0→0 (A) sum(k) 3→5", "R- [0,0] #1", "R+ [0,1] #3"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE id = 1") }
      }
    }
    window.aggregateScope = .wanted
    try follow(window) { store, live in
      #expect(live.results.aggregates["sum(k)"] == 7)
      #expect(live.results.sections[0].aggregates["sum(k)"] == 6)
      try live.expect(["C~ count 4→5, sum(k) 7→17"]) {
        try store.write { try $0.execute("INSERT INTO item (id, s, k) VALUES (8, 'C', 10)") }
      }
    }
  }

  @Test func aSumOfMoreThan64BitsIsAFailureUntilItFits() throws {
    try SmallWorld.run(.memory) { store in
      let live = try LiveResults<UntypedRow>(Self.plan(.sum("k"), .average("k")), in: store)
      live.recorder.allowFailures()
      try store.write {
        try $0.execute("UPDATE item SET k = 9223372036854775807 WHERE id IN (1, 2)")
      }
      let error = try #require(live.recorder.errors.last as? StoreError)
      #expect(error.code == .aggregateTooLarge)
      #expect(live.results.aggregates["sum(k)"] == 7)
      // Within the sum there is room for it, and what does not fit is the result alone.
      try store.write { transaction in
        try transaction.execute("UPDATE item SET k = -9223372036854775807 WHERE id = 3")
        try transaction.execute("UPDATE item SET k = -1 WHERE id = 4")
      }
      #expect(live.results.aggregates["sum(k)"] == .integer(.max - 1))
      try live.check()
    }
  }

  @Test func tiesAreDecidedByStorageClassAndBytes() throws {
    try follow(Self.plan(.minimum("k"), .maximum("k"))) { store, live in
      try store.write { transaction in
        try transaction.execute("UPDATE item SET k = 1.0 WHERE id = 4")
        try transaction.execute("INSERT INTO item (id, s, k) VALUES (5, 'B', 1)")
      }
      try live.check()
      let section = live.results.sections[1].aggregates
      #expect(section == ["min(k)": 1, "max(k)": 1])
      try live.expect([
        "S~ 1→1 (B) min(k) 1→1.0, max(k) 1→1.0", "R- [1,1] #5",
      ]) { try store.write { try $0.execute("DELETE FROM item WHERE id = 5") } }
    }
  }

  @Test func anotherRequestBringsOtherAggregates() throws {
    try SmallWorld.run(.memory) { store in
      let results = try store.results(of: SmallWorld.plan)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      try results.load()
      recorder.reset()
      try results.update(to: Self.plan(.rowCount))
      #expect(
        recorder.changesets.flatMap(\.lines) == [
          "C~ count –→4", "S~ 0→0 (A) count –→3", "S~ 1→1 (B) count –→1",
        ])
      try recorder.check(against: results)
      recorder.reset()
      try results.update(to: SmallWorld.plan)
      #expect(recorder.changesets.flatMap(\.lines).first == "C~ count 4→–")
      try recorder.check(against: results)
    }
  }

  @Test func aNewIndexAnalyzeAndAResyncChangeNothing() throws {
    try follow(Self.plan(.sum("k"), .average("k"))) { store, live in
      try store.write { try $0.execute("UPDATE item SET k = id * 0.1") }
      try live.expect([]) {
        try store.write { try $0.execute("CREATE INDEX item_by_k ON item (s, k); ANALYZE") }
        try store.write { try $0.execute("UPDATE item SET v = v WHERE id = 1") }
        try live.results.load()
      }
      #expect(live.results.aggregates["sum(k)"] == 1.0)
    }
  }

  @Test func aConditionLooksAtColumnsOfTheItems() throws {
    var plan = Self.plan(.conditionCount(SQLFragment("u > 'u2'")))
    try follow(plan) { store, live in
      try live.expect([
        "C~ count(where u > 'u2') 2→1", "S~ 1→1 (B) count(where u > 'u2') 1→0", "R~ [1,0]→[1,0] #4",
      ]) {
        try store.write { try $0.execute("UPDATE item SET u = 'u0' WHERE id = 4") }
      }
    }
    plan.itemColumns = ["id", "s", "k"]
    let other = plan
    try SmallWorld.run(.memory) { store in
      let results = try store.results(of: other)
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      results.delegate = recorder
      #expect(storeError { try results.load() }?.code == .invalidRequest)
      #expect((recorder.errors.first as? StoreError)?.code == .invalidRequest)
    }
  }

  /// A view's column compares as the one that it comes from.
  @Test(arguments: StorageKind.allCases)
  func aggregatesOfAViewCompareByInheritedCollations(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
      CREATE VIEW v AS SELECT id, name FROM item;
      INSERT INTO item (name) VALUES ('Reds'), ('reds'), ('a'), ('Zz');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      for table in ["item", "v"] {
        var plan = FetchPlan(table: table, keyColumns: ["id"], itemColumns: ["id", "name"])
        plan.aggregates = [
          FetchPlan.Aggregate(.minimum("name")), FetchPlan.Aggregate(.maximum("name")),
          FetchPlan.Aggregate(.distinctCount("name")),
        ]
        let live = try LiveResults(plan, in: store)
        #expect(live.results.aggregates["min(name)"] == "a")
        #expect(live.results.aggregates["max(name)"] == "Zz")
        #expect(live.results.aggregates["count(distinct name)"] == 3)
        _ = try live.changes {
          try store.write { try $0.execute("UPDATE item SET name = 'B' WHERE name = 'a'") }
        }
        #expect(live.results.aggregates["min(name)"] == "B")
        try store.write { try $0.execute("UPDATE item SET name = 'a' WHERE name = 'B'") }
      }
    }
  }

  @Test(arguments: [
    [FetchPlan.Aggregate(.sum("z"))],
    [FetchPlan.Aggregate(.sum("k")), FetchPlan.Aggregate(.sum("k"))],
  ])
  func whatMakesNoSenseIsRefused(aggregates: [FetchPlan.Aggregate]) async throws {
    var plan = SmallWorld.plan
    plan.aggregates = aggregates
    let store = try Store.inMemory()
    try await store.write { try $0.execute(SmallWorld.schema) }
    // Results of rows have the columns that are aggregated.
    try await expectStoreError(aggregates.count == 1 ? .statementFailed : .invalidRequest) {
      try await store.results(of: plan).loadAndWait()
    }
    try await store.close()
  }
}
