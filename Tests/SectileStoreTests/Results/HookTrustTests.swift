import SectileCore
import Testing

@testable import SectileStore

/// Tables of which SQLite's hook shows other values than the rows hold.
@Suite(.timeLimit(.minutes(10))) struct HookTrustTests {
  typealias Live = LiveResults<PlanItem>

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
      HookTrust.untrustedColumns(
        ofTableWith: "CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL, b TEXT, c BLOB NOT NULL)",
        named: "t") == [])
    #expect(
      HookTrust.untrustedColumns(
        ofTableWith: "CREATE TABLE t (id TEXT PRIMARY KEY, a INTEGER, b) WITHOUT ROWID",
        named: "t") == [])
    #expect(
      HookTrust.untrustedColumns(
        ofTableWith: "CREATE TABLE t (id INTEGER PRIMARY KEY, a REAL CHECK (a > 9), b TEXT) STRICT",
        named: "t") == [])
  }

  @Test func columnsThatTheHookShowsOtherwiseAreNot() throws {
    let found = try #require(
      HookTrust.untrustedColumns(
        ofTableWith:
          "CREATE TABLE t (a INTEGER, r REAL, k INTEGER, PRIMARY KEY (a, k)) WITHOUT ROWID",
        named: "t"))
    #expect(found.isSuperset(of: [2]))
  }

  @Test func aTableThatCannotBeCopiedHasNoVerdict() {
    #expect(HookTrust.untrustedColumns(ofTableWith: "CREATE TABLE", named: "t") == nil)
  }
}
