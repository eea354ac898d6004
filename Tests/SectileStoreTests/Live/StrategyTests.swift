import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// How results keep up, and what they count while they do.
@Suite(.timeLimit(.minutes(60))) struct StrategyTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT);
    CREATE INDEX item_on_s_k ON item (s, k);
    CREATE VIEW shown AS SELECT * FROM item;
    INSERT INTO item (id, s, k, v)
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      SELECT i, 'S' || (i % 3), i, 'x' FROM n;
    """

  private func plan(_ table: String = "item", limit: Int? = nil) -> FetchPlan {
    var plan = SmallWorld.plan(table: table, key: ["id"], columns: ["id", "s", "k", "v"])
    plan.limit = limit
    return plan
  }

  @Test(arguments: StorageKind.allCases)
  func resultsSayHowTheyKeepUp(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let indexed = try store.results(of: plan())
      #expect(try indexed.strategy.kind == .indexLookup)
      #expect(try indexed.strategy.reason.contains("item_on_s_k"))
      #expect(try store.results(of: plan(limit: 5)).strategy.kind == .indexLookup)
      var later = plan(limit: 5)
      later.offset = 2
      #expect(try store.results(of: later).strategy.kind == .indexLookup)
      #expect(try store.results(of: plan("shown")).strategy.kind == .binarySearch)
      try store.write { try $0.execute("DROP INDEX item_on_s_k") }
      #expect(try indexed.strategy.kind == .binarySearch)
      #expect(try indexed.strategy == store.explain(plan()).maintenance)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func resultsCountWhatTheyRead(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try LiveResults<UntypedRow>(plan(), in: store)
      #expect(live.results.statistics == ResultsStatistics())
      try store.write { try $0.execute("UPDATE item SET k = 1000 WHERE id = 3") }
      try store.write { try $0.execute("UPDATE item SET v = 'y' WHERE id IN (4, 5)") }
      var expected = ResultsStatistics()
      expected.commitCount = 2
      expected.rereadRowCount = 3
      #expect(live.results.statistics == expected)
      // All rows stay where they are.
      try store.write { try $0.execute("UPDATE item SET v = 'z'") }
      expected.commitCount = 3
      expected.rereadRowCount = 303
      #expect(live.results.statistics == expected)
      // All rows move.
      try store.write { try $0.execute("UPDATE item SET k = -k") }
      expected.commitCount = 4
      // With the internal checks, small commits are never worth a rebuild.
      if !InternalChecks.isOn { expected.rebuildCount = 1 } else { expected.rereadRowCount = 603 }
      #expect(live.results.statistics == expected)
      try live.check()
    }
  }

  /// Two results of one plan go through one change, and later results do not get in their way.
  @Test(arguments: StorageKind.allCases)
  func equalResultsShareTheirChanges(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let first = try LiveResults<UntypedRow>(plan(), in: store)
      try store.write { try $0.execute("DELETE FROM item WHERE id IN (7, 8, 9)") }
      let second = try LiveResults<UntypedRow>(plan(), in: store)
      for change in [
        "UPDATE item SET k = 0 WHERE id = 30", "INSERT INTO item VALUES (7, 'S0', 150, 'n')",
        "DELETE FROM item WHERE s = 'S1'", "UPDATE item SET s = 'S9' WHERE id = 30",
        "UPDATE item SET v = 'w', k = -k",
        // All rows are touched, and stay, or but a few of them do, or but a few are left.
        "UPDATE item SET v = 'stays'", "UPDATE item SET v = 'few', k = k + 50 * (id > 290)",
        "UPDATE item SET v = 'new', s = CASE WHEN id < 20 THEN 'S0' ELSE s END",
        "DELETE FROM item WHERE id > 5",
      ] {
        let known = (first.lines.count, second.lines.count)
        try store.write { try $0.execute(change) }
        #expect(first.lines.count > known.0)
        #expect(first.lines.dropFirst(known.0) == second.lines.dropFirst(known.1))
        try first.check()
        try second.check()
      }
    }
  }

  /// Where rows are read in an order that no index has, they are sorted once.
  @Test(arguments: [0, 5, 9, 300])
  func aSortedFirstLoadArrivesInTwoParts(_ count: Int) throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      try store.write {
        try $0.execute("DROP INDEX item_on_s_k")
        try $0.execute("DELETE FROM item WHERE id > ?", count)
      }
      var plan = plan()
      plan.batchSize = 5
      let live = try LiveResults<UntypedRow>(plan, in: store)
      let sizes = live.recorder.changesets.map(\.inserts.count)
      #expect(sizes == [min(count, 5), count - 5].filter { $0 > 0 })
      try live.check()
    }
  }

  /// What happened while results were cancelled is told exactly when they are loaded again.
  @Test(arguments: StorageKind.allCases)
  func aLaterLoadTellsTheDifferenceExactly(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try LiveResults<UntypedRow>(plan(), in: store)
      live.results.cancel()
      for id in 1...20 {
        try store.write { try $0.execute("UPDATE item SET v = v || '!' WHERE id = ?", id) }
        try store.write { try $0.execute("UPDATE item SET v = 'x' WHERE id = ?", id) }
      }
      try store.write { try $0.execute("UPDATE item SET v = 'y' WHERE id = 3") }
      try store.write { try $0.execute("DELETE FROM item WHERE id = 6") }
      try live.expect(["R- [0,1] #6", "R~ [0,0]→[0,0] #3"]) { try live.results.load() }
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
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    let results = try store.results(of: plan)
    results.delegate = recorder
    try results.load()
    try store.write { try $0.execute("UPDATE item SET k = k + 1000 WHERE id BETWEEN 101 AND 200") }
    try recorder.check(against: results)
    #expect(recorder.changesets.last?.moves.count == 100)
    #expect(results.statistics.rebuildCount == 0)
  }
}
