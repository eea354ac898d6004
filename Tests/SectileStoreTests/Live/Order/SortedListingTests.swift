import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Results whose order no index has, against SQLite's own ORDER BY.
@Suite(.timeLimit(.minutes(60))) struct SortedListingTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k, v TEXT, f TEXT COLLATE NOCASE);
    INSERT INTO item (id, s, k, v, f)
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      SELECT i, CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 'é' WHEN 2 THEN 'Z ' ELSE 's' || i % 5 END,
        CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i * 1.5 WHEN 2 THEN 'k' || i % 9
          WHEN 3 THEN CAST(i % 11 AS BLOB) ELSE -i END,
        'x', CASE i % 2 WHEN 0 THEN 'Mixed ' ELSE 'MIXED ' END || i % 3
      FROM n;
    """

  private static var plan: FetchPlan {
    SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "v", "f"])
  }

  /// Plans that are sorted here, and the columns that are declared NOCASE.
  private static let plans: [String: FetchPlan] = {
    var plans = ["plain": plan]
    var descending = plan
    descending.section?.identity.isDescending = true
    descending.sort[0].isDescending = true
    descending.sort[0].nullOrder = .last
    plans["descending"] = descending
    var folded = plan
    folded.section = FetchPlan.Section(identity: folded.term("f"))
    plans["folded"] = folded
    var titled = plan
    titled.section?.title = SQLFragment("upper(\"item\".\"s\") || '!'")
    let place = titled.term("f")
    titled.section?.order = [place]
    titled.section?.identity = place
    plans["titled"] = titled
    var flat = plan
    flat.section = nil
    plans["flat"] = flat
    var fixed = plan
    fixed.section?.fixedSections = [.text("s3"), .text("none"), .text("s1"), .text("last")]
    plans["fixed"] = fixed
    return plans
  }()

  @Test(arguments: plans.keys.sorted(), StorageKind.allCases)
  func rowsStandAsSQLiteSortsThem(_ name: String, _ kind: StorageKind) throws {
    let plan = try #require(Self.plans[name])
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try LiveResults<UntypedRow>(plan, in: store)
      for change in [
        "UPDATE item SET v = 'y' WHERE id = 7", "UPDATE item SET k = id % 13",
        "DELETE FROM item WHERE id % 3 = 0", "UPDATE item SET s = 's9' WHERE id > 100",
      ] {
        try store.write { try $0.execute(change) }
        try live.check()
        let fresh = try FreshFetch(plan, foldedColumns: ["f"]).contents(of: store, version: 0)
        let snapshot = live.results.snapshot
        let expected = fresh.sections.map { [$0.header.title, $0.header.indexTitle] }
        #expect(snapshot.sections.map { [$0.title, $0.indexTitle] } == expected)
        #expect(snapshot.sections.map(\.identity) == fresh.sections.map(\.header.identity))
        for (ordinal, section) in fresh.sections.enumerated() {
          let ids = (0..<snapshot.numberOfItems(in: ordinal)).map {
            snapshot.id(at: ItemPath(section: ordinal, item: $0))
          }
          #expect(ids == section.rows.map(\.id))
        }
      }
    }
  }

  @Test func whatCanBeSortedHereIs() throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      func isSorted(_ plan: FetchPlan) throws -> Bool {
        try store.read { try PlanQueries(plan, in: $0.db).sorting != nil }
      }
      for plan in Self.plans.values { #expect(try isSorted(plan)) }
      var window = Self.plan
      window.limit = 5
      #expect(try !isSorted(window))
      try store.write { try $0.execute("CREATE INDEX item_on_s ON item (s)") }
      // An index has the sections, so SQLite sorts a section at a time.
      #expect(try !isSorted(Self.plan))
      try store.write { try $0.execute("CREATE INDEX item_on_s_k ON item (s, k)") }
      #expect(try !isSorted(Self.plan))
    }
  }

  /// Where there is no key for a row, SQLite sorts after all.
  @Test(arguments: StorageKind.allCases)
  func zeroInTextUnderNOCASEIsSortedBySQLite(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      try store.write {
        try $0.execute("UPDATE item SET f = ? WHERE id % 4 = 0", "mixed\01")
        try $0.execute("UPDATE item SET f = ? WHERE id % 4 = 1", "Mixed\02")
      }
      var plan = Self.plan
      plan.section = nil
      plan.sort = [plan.term("f")]
      let live = try LiveResults<UntypedRow>(plan, in: store)
      let fresh = try FreshFetch(plan, foldedColumns: ["f"]).contents(of: store, version: 0)
      let snapshot = live.results.snapshot
      #expect(
        (0..<snapshot.numberOfItems).map { snapshot.id(at: ItemPath(section: 0, item: $0)) }
          == fresh.sections[0].rows.map(\.id))
    }
  }

  @Test func sectionThatIsNoTextIsAFailure() throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      try store.write { try $0.execute("UPDATE item SET s = CAST(x'FF41' AS TEXT) WHERE id = 9") }
      let error = try loadingError(Self.plan, in: store)
      #expect(error.code == .decodingFailed)
      #expect(error.message.hasPrefix("Column s: expected text, found 2 bytes that are not UTF-8"))
    }
  }

  @Test func rowsThatDisagreeAboutTheirSectionsPlaceAreAFailure() throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      var plan = Self.plan
      let place = plan.term("k")
      plan.section?.order = [place]
      let error = try loadingError(plan, in: store)
      #expect(error.code == .sectionOrderAmbiguous)
      #expect(error.message.contains("The rows of item in one section disagree"))
    }
  }

  private func loadingError(_ plan: FetchPlan, in store: Store) throws -> StoreError {
    let results: SectionedResults<UntypedRow> = try store.results(of: plan)
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    results.delegate = recorder
    try? results.load()
    return try #require(recorder.errors.first as? StoreError)
  }
}
