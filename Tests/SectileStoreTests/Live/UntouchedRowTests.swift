import GRDB
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

/// Rows that nobody changed are in no changeset, whatever happened around them.
@Suite(.timeLimit(.minutes(60))) struct UntouchedRowTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT);
    CREATE TABLE other (id INTEGER PRIMARY KEY);
    """

  private func plan(sortedBy expression: String = "k") -> FetchPlan {
    var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "v"])
    plan.sort = [FetchPlan.SortTerm(expression: SQLFragment(expression))]
    return plan
  }

  @Test(arguments: StorageKind.allCases, [false, true])
  func otherPlanOfEmptyResults(_ kind: StorageKind, isLoadedBefore: Bool) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      var simple = plan()
      simple.sort = []
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      let results = try store.results(of: simple)
      results.delegate = recorder
      if isLoadedBefore { try results.load() }
      try results.update(to: plan(sortedBy: "abs(k)"))
      try store.write {
        try $0.execute("INSERT INTO item (id, k, v) VALUES (1, 1, 'a'), (2, -2, 'b'), (3, 3, 'c')")
      }
      recorder.reset()
      // Nothing that is shown or sorted by.
      try store.write { try $0.execute("UPDATE item SET s = 'other'") }
      #expect(recorder.changesets.isEmpty)
      try store.write { try $0.execute("UPDATE item SET k = -k WHERE id = 2") }
      #expect(recorder.changesets.isEmpty)
      try store.write { try $0.execute("UPDATE item SET k = 4 WHERE id = 2") }
      #expect(recorder.changesets.flatMap(\.lines) == ["R> [0,1]→[0,2] #2"])
    }
  }

  @Test(
    arguments: StorageKind.allCases,
    ["VACUUM", "ALTER TABLE item ADD COLUMN more", "CREATE INDEX i ON item (k)"])
  func schemaChangeBetweenCancellationAndLoad(_ kind: StorageKind, _ sql: String) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      try store.write {
        try $0.execute("INSERT INTO item (id, k, v) VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')")
      }
      let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
      let results = try store.results(of: plan())
      results.delegate = recorder
      try results.load()
      results.cancel()
      // So many that those that are not followed any more are looked for.
      var others: [SectionedResults<UntypedRow>] = []
      for _ in 0..<40 {
        others.append(
          try store.results(
            of: FetchPlan(table: "other", keyColumns: ["id"], itemColumns: ["id"])))
        try others.last?.load()
      }
      try store.write { try $0.execute("UPDATE item SET v = 'B' WHERE id = 2") }
      if sql == "VACUUM" {
        try store.databaseWriter.vacuum()
      } else {
        try store.write { try $0.execute(sql) }
      }
      recorder.reset()
      try results.load()
      #expect(recorder.changesets.flatMap(\.lines) == ["R~ [0,1]→[0,1] #2"])
      #expect(recorder.verify(against: results) == [])
    }
  }
}
