import SectileCore
import Testing

@testable import SectileStore

/// Tables of which SQLite's hook shows other values than the rows hold.
@Suite(.timeLimit(.minutes(60))) struct HookTrustTests {
  typealias Live = LiveResults<UntypedRow>

  private static let readings = """
    CREATE TABLE reading (sensor INTEGER NOT NULL, value REAL, at INTEGER NOT NULL,
      PRIMARY KEY (sensor, at)) WITHOUT ROWID;
    INSERT INTO reading VALUES (1, 1.0, 1732000000000000001), (1, 2.5, 1732000000000000003),
      (2, 3.0, 1732000000000000005);
    """

  private static var plan: FetchPlan {
    FetchPlan(
      table: "reading", keyColumns: ["sensor", "at"], itemColumns: ["sensor", "value", "at"])
  }

  @Test(arguments: StorageKind.allCases)
  func realColumnBeforeAKeyColumnIsFollowed(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.readings) { store in
      let live = try Live(Self.plan, in: store)
      try live.changes {
        try store.write { try $0.execute("DELETE FROM reading WHERE at = 1732000000000000003") }
      }.expectCount(1)
      try live.changes {
        try store.write { try $0.execute("UPDATE reading SET value = 7 WHERE sensor = 1") }
      }.expectCount(1)
      try live.changes {
        try store.write { try $0.execute("UPDATE reading SET value = value") }
      }.expectCount(0)
      try live.changes {
        try store.write { try $0.execute("UPDATE reading SET at = at + 1 WHERE sensor = 1") }
      }.expectCount(2)
      try live.changes {
        try store.write { try $0.execute("INSERT INTO reading VALUES (3, 1, 1732000000000000009)") }
      }.expectCount(1)
      let lines = try live.changes { try store.write { try $0.execute("DELETE FROM reading") } }
      lines.filter { $0.hasPrefix("R-") }.expectCount(3)
    }
  }

  @Test func columnsThatTheHookShowsAreTrusted() {
    #expect(
      HookTrust.verdict(
        onTableWith: "CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL, b TEXT, c BLOB NOT NULL)",
        named: "t")?
        .untrustedColumns == [])
    #expect(
      HookTrust.verdict(
        onTableWith: "CREATE TABLE t (id TEXT PRIMARY KEY, a INTEGER, b) WITHOUT ROWID", named: "t")?
        .untrustedColumns == [])
    #expect(
      HookTrust.verdict(
        onTableWith: "CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL CHECK (a > 9), b TEXT) STRICT",
        named: "t")?
        .untrustedColumns == [])
  }

  @Test func columnsThatTheHookShowsOtherwiseAreNot() throws {
    let found = try #require(
      HookTrust.verdict(
        onTableWith:
          "CREATE TABLE t (a INTEGER, r REAL, k INTEGER, PRIMARY KEY (a, k)) WITHOUT ROWID",
        named: "t")?
        .untrustedColumns)
    #expect(found.isSuperset(of: [2]))
  }

  @Test func realsThatTheHookShowsAsIntegersAreTold() throws {
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, v AS (id + 1) VIRTUAL, b TEXT, r REAL)"
    let found = try #require(HookTrust.verdict(onTableWith: sql, named: "t"))
    #expect(found.untrustedColumns == [])
    // Later versions show them as they are.
    #expect(found.reclassedColumns.isSubset(of: [2]))
    let plain = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, r REAL)"
    #expect(HookTrust.verdict(onTableWith: plain, named: "t")?.reclassedColumns == [])
  }

  @Test func aTableThatCannotBeCopiedHasNoVerdict() {
    #expect(
      HookTrust.verdict(onTableWith: "CREATE TABLE", named: "t")?
        .untrustedColumns == nil)
  }

  /// Only rows without ids are stored in another order than their columns.
  @Test(arguments: [("", true), (" WITHOUT ROWID", false)])
  func computedColumnsMoveNothingWhereRowsHaveIDs(_ options: String, _ isShown: Bool) throws {
    let schema = """
      CREATE TABLE item (a INTEGER, twice AS (a * 2), id TEXT PRIMARY KEY, b TEXT)\(options);
      INSERT INTO item (a, id, b) VALUES (1, 'x', 'p'), (2, 'y', 'q'), (3, 'z', 'r');
      """
    try SmallWorld.run(.memory, schema: schema) { store in
      let layout = try store.read { try TableLayout(table: "item", in: $0.db) }
      #expect(layout.showsOldValues(of: ["a", "id", "b"]) == isShown)
      #expect(layout.rowIDColumn == nil)
      var plan = FetchPlan(table: "item", keyColumns: ["id"], itemColumns: ["a", "id", "b"])
      plan.sort = [plan.term("b", isDescending: true)]
      let live = try Live(plan, in: store)
      for (sql, count) in [
        ("UPDATE item SET a = 9 WHERE id = 'y'", 1), ("UPDATE item SET b = b", 0),
        ("DELETE FROM item WHERE id = 'x'", 1), ("UPDATE item SET id = 'w' WHERE id = 'z'", 2),
      ] {
        try live.changes { try store.write { try $0.execute(sql) } }.expectCount(count)
      }
    }
  }
}
