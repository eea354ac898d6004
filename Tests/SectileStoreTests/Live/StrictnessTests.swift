import Foundation
import GRDB
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Testing

@testable import SectileStore

/// Tables and values that are out of the ordinary: followed exactly, or refused by a typed error.
@Suite(.timeLimit(.minutes(60))) struct StrictnessTests {
  typealias Live = LiveResults<UntypedRow>

  private func code(_ live: Live) -> StoreError.Code? {
    (live.recorder.errors.last as? StoreError)?.code
  }

  @Test(arguments: StorageKind.allCases)
  func viewsAreFollowed(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE a (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE, k);
      CREATE TABLE b (id INTEGER PRIMARY KEY, name TEXT);
      CREATE VIEW item AS SELECT a.id, a.s, a.k, b.name FROM a LEFT JOIN b USING (id);
      INSERT INTO a VALUES (1, 'x', 1), (2, 'X', 2), (3, 'y', 3), (4, 'x', 4);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k", "name"])
      let live = try Live(plan, in: store)
      #expect(live.recorder.errors.isEmpty, "\(live.recorder.errors)")
      #expect(live.results.numberOfItems == 4)
      for sql in [
        "INSERT INTO b VALUES (1, 'one'), (9, 'nine')", "UPDATE a SET k = 0 WHERE id = 4",
        "UPDATE a SET s = 'Y' WHERE id = 1", "DELETE FROM a",
      ] {
        live.recorder.reset()
        try store.write { try $0.execute(sql) }
        #expect(live.recorder.violations == [])
        #expect(live.recorder.verify(against: live.results) == [])
        let fresh = try store.results(of: plan)
        try fresh.load()
        #expect(
          try fresh.snapshot.materialized().sections.map(\.rows.count)
            == live.recorder.contents.sections.map(\.rows.count))
      }
    }
  }

  /// SQL that is a column, and a column of a view, order by the collation the column declares.
  @Test(arguments: StorageKind.allCases)
  func collationsAreThoseThatSQLiteUses(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT COLLATE NOCASE, k TEXT COLLATE NOCASE);
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE);
      CREATE INDEX item_on_k ON item (k);
      INSERT INTO item VALUES (1, 'a', 'b'), (2, 'A', 'C'), (3, 'B', 'a'), (4, 'b', 'D'), (5, 'a', 'd');
      INSERT INTO team VALUES (1, 'x'), (2, 'X'), (3, 'y'), (4, 'Z'), (5, 'z');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      var plain = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s", "k"])
      plain.sort = [FetchPlan.SortTerm(expression: SQLFragment("k"))]
      var grouped = plain
      grouped.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(expression: SQLFragment("s")))
      var joined = plain
      joined.joins = [
        FetchPlan.Join(
          table: "team", alias: "t", source: "item", sourceColumns: ["id"], targetColumns: ["id"])
      ]
      joined.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(expression: SQLFragment("t.name"), isDescending: true))
      let all = try [plain, grouped, joined].map { try Live($0, in: store) }
      #expect(all.map { $0.results.numberOfSections } == [1, 2, 3])
      for (round, key) in ["B", "c", "A", "e", "D", "a", "C"].enumerated() {
        for live in all { live.recorder.reset() }
        try store.write {
          try $0.execute(
            "UPDATE item SET k = ?, s = ? WHERE id = ?", key, key == "A" ? "b" : "A", round % 5 + 1)
        }
        for live in all { try live.check() }
      }
      #expect(all[0].results.statistics.resyncCount == 0)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func duplicateKeyIsAFailureAndRecovers(_ kind: StorageKind) throws {
    let schema =
      "CREATE TABLE item (id INTEGER, s TEXT, k); INSERT INTO item VALUES (1, 'A', 1), (2, 'A', 2);"
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try Live(
        SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"]), in: store)
      live.recorder.reset()
      try store.write { try $0.execute("INSERT INTO item VALUES (1, 'B', 9)") }
      #expect(code(live) == .duplicateKey)
      #expect(live.results.numberOfItems == 2)
      try store.write { try $0.execute("INSERT INTO item VALUES (3, 'A', 3)") }
      #expect(live.recorder.errors.count == 1)
      try live.expect(["R+ [0,2] #3"]) {
        try store.write { try $0.execute("DELETE FROM item WHERE s = 'B'") }
      }
      // The same again is another failure.
      try store.write { try $0.execute("INSERT INTO item VALUES (1, 'B', 9)") }
      #expect(live.recorder.errors.count == 1)
    }
  }

  @Test(arguments: StorageKind.allCases, ["NULL", "CAST(x'FF41' AS TEXT)"])
  func keyThatIsNoKeyIsAFailureAndRecovers(_ kind: StorageKind, key: String) throws {
    let schema = "CREATE TABLE item (id TEXT, s TEXT, k); INSERT INTO item VALUES ('a', 'A', 1);"
    try SmallWorld.run(kind, schema: schema) { store in
      let live = try Live(
        SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"]), in: store)
      live.recorder.reset()
      try store.write { try $0.execute("INSERT INTO item VALUES (\(key), 'B', 9)") }
      #expect(code(live) == .decodingFailed)
      #expect(live.results.numberOfItems == 1)
      try live.expect(["S+ 1 (B)", "R+ [1,0] #'b'"]) {
        try store.write { try $0.execute("UPDATE item SET id = 'b' WHERE k = 9") }
      }
    }
  }

  /// Keys that a collation, or arithmetic, holds for equal.
  @Test(arguments: StorageKind.allCases)
  func keysAreToldApartByBytes(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE item (id TEXT COLLATE NOCASE PRIMARY KEY, s TEXT, k);
      CREATE TABLE pair (id COLLATE NOCASE, s TEXT, k);
      INSERT INTO item VALUES ('a', 'A', 1), ('b', 'A', 2);
      INSERT INTO pair VALUES ('a', 'A', 1), ('A', 'A', 2), (1, 'A', 3), ('z', 'A', 4);
      """
    try SmallWorld.run(kind, schema: schema) { store in
      let columns = ["id", "s", "k"]
      let item = try Live(SmallWorld.plan(table: "item", key: ["id"], columns: columns), in: store)
      try item.expect(["R- [0,0] #'a'", "R+ [0,0] #'A'"]) {
        try store.write { try $0.execute("UPDATE item SET id = 'A' WHERE id = 'a'") }
      }
      let pair = try Live(SmallWorld.plan(table: "pair", key: ["id"], columns: columns), in: store)
      try pair.expect(["R> [0,1]→[0,3] #'A'*"]) {
        try store.write {
          try $0.execute("UPDATE pair SET k = 9 WHERE id = 'A' COLLATE BINARY")
        }
      }
      try pair.expect(["R~ [0,2]→[0,2] #'z'"]) {
        try store.write { try $0.execute("UPDATE pair SET k = 5 WHERE id = 'z'") }
      }
      _ = try pair.changes {
        try store.write { try $0.execute("UPDATE pair SET id = 1.0 WHERE id = 1") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func wrongTypeIsAFailureAndRecovers(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Music.script) { store in
      let live = try LiveResults<Track>(
        FetchRequest<Track>().filter { $0.plays > 0 }.sort(by: \.name), in: store)
      live.recorder.reset()
      // It does not enter the results: nobody reads it.
      try store.write {
        try $0.execute("INSERT INTO track VALUES (70, x'00', 1, 1, -1, 0, NULL, NULL, NULL)")
      }
      #expect(live.recorder.errors.isEmpty)
      try store.write { try $0.execute("UPDATE track SET plays = 5 WHERE id = 70") }
      #expect((live.recorder.errors.last as? StoreError)?.code == .decodingFailed)
      try store.write { try $0.execute("UPDATE track SET plays = 6 WHERE id = 3") }
      #expect(live.recorder.errors.count == 1)
      try live.expect(["R+ [0,3] #70", "R~ [0,1]→[0,1] #3"]) {
        try store.write { try $0.execute("UPDATE track SET name = 'text' WHERE id = 70") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func hostileNamesAreQuoted(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE "order ""by"" ; --" ("select" INTEGER PRIMARY KEY, "a.b" TEXT, "'k" , "é[]`" TEXT);
      INSERT INTO "order ""by"" ; --" VALUES (1, 'A', 1, 'x'), (2, 'A', 2, 'x');
      """
    try SmallWorld.run(kind, schema: schema) { store in
      var plan = FetchPlan(
        table: "order \"by\" ; --", keyColumns: ["select"],
        itemColumns: ["select", "a.b", "'k", "é[]`"])
      plan.section = FetchPlan.Section(identity: plan.term("a.b"))
      plan.sort = [plan.term("'k")]
      let live = try Live(plan, in: store)
      try live.expect(["R> [0,0]→[0,1] #1*"]) {
        try store.write {
          try $0.execute("UPDATE \"order \"\"by\"\" ; --\" SET \"'k\" = 9 WHERE \"select\" = 1")
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func namesInAnotherCaseAreTheSameTable(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      let live = try Live(
        SmallWorld.plan(table: "ITEM", key: ["ID"], columns: ["Id", "S", "K", "v", "ID"]), in: store
      )
      try live.expect(["R> [0,0]→[0,2] #1*"]) {
        try store.write { try $0.execute("UPDATE Item SET k = 9 WHERE id = 1") }
      }
    }
  }

  @Test(arguments: StorageKind.allCases, [true, false])
  func collationsWhoseRuleIsNotKnownAreFollowed(_ kind: StorageKind, isKnown: Bool) throws {
    var configuration = SmallWorld.configuration
    configuration.collations = [RandomWorld.backwards]
    try SmallWorld.run(
      kind,
      schema: "CREATE TABLE item (id INTEGER PRIMARY KEY, s TEXT, k TEXT COLLATE backwards);"
        + "INSERT INTO item VALUES (1, 'A', 'ab'), (2, 'A', 'ba'), (3, 'B', 'c');",
      configuration: configuration
    ) { store in
      var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"])
      if isKnown { plan.sort = [plan.term("k", collation: RandomWorld.backwards)] }
      let live = try Live(plan, in: store)
      try live.expect(["R> [0,0]→[0,1] #2*"]) {
        try store.write { try $0.execute("UPDATE item SET k = 'az' WHERE id = 2") }
      }
      let rebuilds = live.results.statistics.rebuildCount
      #expect(isKnown || rebuilds == 0 || rebuilds > 0)
      // Text that is not UTF-8 under a rule written in Swift.
      _ = try live.changes {
        try store.write {
          try $0.execute(
            "UPDATE item SET k = 'b' WHERE id = 1; UPDATE item SET k = '' WHERE id = 3")
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func textThatIsNotUTF8SortsByBytesAndFailsAsItem(_ kind: StorageKind) throws {
    try SmallWorld.run(kind) { store in
      var plan = SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s"])
      plan.sort = [plan.term("v", collation: .nocase), plan.term("u")]
      let live = try Live(plan, in: store)
      try live.expect(["R> [0,0]→[0,2] #1"]) {
        try store.write { try $0.execute("UPDATE item SET v = CAST(x'FF41' AS TEXT) WHERE id = 1") }
      }
      live.recorder.reset()
      try store.write { try $0.execute("UPDATE item SET s = CAST(x'41FF' AS TEXT) WHERE id = 2") }
      #expect(code(live) == .decodingFailed)
      #expect(live.results.numberOfItems == 4)
      _ = try live.changes {
        try store.write { try $0.execute("UPDATE item SET s = 'B' WHERE id = 2") }
      }
    }
  }

  /// SQLite compares the bytes of UTF-16 there.
  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func databaseInUTF16IsSortedAsSQLiteDoes(encoding: String) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
      try db.execute(
        sql: "CREATE TABLE item (id TEXT PRIMARY KEY, s TEXT, k TEXT);"
          + "INSERT INTO item VALUES ('a', 'A', 'b'), ('b', 'A', '\u{101}'), ('c', 'Ā', '\u{1F600}'), ('d', 'A', '\u{FF5E}')"
      )
    }
    let store = try Store(adopting: queue, configuration: SmallWorld.configuration)
    let live = try Live(
      SmallWorld.plan(table: "item", key: ["id"], columns: ["id", "s", "k"]), in: store)
    for (key, id) in [
      ("\u{1F601}", "a"), ("c", "b"), ("\u{FF5F}", "c"), ("\u{100}", "d"), ("zz", "a"),
    ] {
      _ = try live.changes {
        try store.write { try $0.execute("UPDATE item SET k = ?, s = 'A' WHERE id = ?", key, id) }
      }
    }
    try store.close()
  }

  /// From a few rows to all of them: the two ways of working out a change meet in between.
  @Test(arguments: [StorageKind.memory, .file], [1, 48, 49, 100, 300])
  func everySizeOfTransactionIsExact(_ kind: StorageKind, touched: Int) throws {
    try SmallWorld.run(kind, schema: LifecycleTests.schema(rows: 0)) { store in
      try store.write {
        try $0.execute(
          "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
            + "INSERT INTO item (id, s, k) SELECT i, 'S' || (i % 9), i * 7 % 100 FROM n")
      }
      let live = try Live(SmallWorld.plan, in: store)
      for sql in [
        "UPDATE item SET k = (k * 31 + id) % 100, s = 'S' || ((id + k) % 11) WHERE id <= \(touched)",
        "DELETE FROM item WHERE id <= \(touched) AND id % 2 = 0",
        "INSERT OR IGNORE INTO item (id, s, k) SELECT id + 1, 'T' || k % 3, k FROM item WHERE id <= \(touched)",
      ] {
        let before = try live.results.snapshot.materialized()
        let lines = try live.changes { try store.write { try $0.execute(sql) } }
        let after = try live.results.snapshot.materialized()
        #expect(lines == Changeset(from: before, to: after, isEqual: ==).lines)
      }
    }
  }

  @Test func thousandResultsOnOneStore() throws {
    try SmallWorld.run(.memory) { store in
      var plan = SmallWorld.plan
      let all = try (0..<1000).map { number in
        plan.filter = SQLFragment("id <> ?", [.integer(Int64(number % 5))])
        let results = try store.results(of: plan)
        try results.load()
        return results
      }
      try store.write { try $0.execute("UPDATE item SET k = 9 WHERE id = 1") }
      #expect(all.filter { $0.version == 2 }.count == 800)
      #expect(all.allSatisfy { $0.path(of: UntypedRow.ID(keyValues: [1]))?.item ?? 1 >= 1 })
    }
  }

  @Test func manyStoresInOneProcess() throws {
    let folder = try TemporaryFolder()
    let stores = try (0..<40).map { number in
      number % 2 == 0
        ? try Store.inMemory(configuration: SmallWorld.configuration)
        : try Store.open(
          at: folder.file("\(number).sqlite"), configuration: SmallWorld.configuration)
    }
    let live = try stores.map { store in
      try store.write { try $0.execute(SmallWorld.schema) }
      return try Live(SmallWorld.plan, in: store)
    }
    for (number, store) in stores.enumerated() where number % 3 == 0 {
      try store.write { try $0.execute("DELETE FROM item WHERE id = 2") }
    }
    for (number, one) in live.enumerated() {
      #expect(one.results.numberOfItems == (number % 3 == 0 ? 3 : 4))
      try one.check()
    }
    for store in stores { try store.close() }
  }

  @Test func twoNewRowsWithOneKeyAreATypedError() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        "CREATE TABLE item (id INTEGER, s TEXT); INSERT INTO item VALUES (1,'A'),(1,'B')")
    }
    let recorder = ChangeRecorder<UntypedRow.ID, UntypedRow>()
    let results = try store.results(
      of: FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["id", "s"]))
    results.delegate = recorder
    #expect(storeError { try results.load() }?.code == .duplicateKey)
    #expect((recorder.errors.first as? StoreError)?.code == .duplicateKey)
  }
}
