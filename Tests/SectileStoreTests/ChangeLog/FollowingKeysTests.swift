import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Rows of all kinds of keys are followed one by one, whatever statement of another program touched
/// them.
@Suite(.timeLimit(.minutes(60))) struct FollowingKeysTests {
  private static let schema = """
    CREATE TABLE part (
      site TEXT, code TEXT, kind TEXT, n, PRIMARY KEY (code, site)) WITHOUT ROWID;
    CREATE TABLE word (w TEXT PRIMARY KEY COLLATE NOCASE, kind TEXT, n, u TEXT UNIQUE);
    CREATE TABLE loose (k PRIMARY KEY, kind TEXT, n);
    CREATE TABLE pair (a INTEGER, b REAL, kind TEXT, n, PRIMARY KEY (a, b));
    CREATE TABLE line (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, n, code TEXT, site TEXT,
      FOREIGN KEY (code, site) REFERENCES part (code, site) ON DELETE CASCADE ON UPDATE CASCADE);
    CREATE TRIGGER part_counted AFTER UPDATE OF n ON part WHEN NEW.n > 90 BEGIN
      UPDATE pair SET n = n + 1 WHERE b = 2.0;
    END;
    INSERT INTO part WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 90)
      SELECT char(65 + i % 3), printf('c%02d', i), char(75 + i % 4), i * 7 % 90 FROM n;
    INSERT INTO word SELECT 'Word' || code, kind, n, 'u' || code FROM part;
    INSERT INTO loose SELECT
      CASE n % 4 WHEN 0 THEN n WHEN 1 THEN n + 0.5 WHEN 2 THEN code ELSE CAST(code AS BLOB) END,
      kind, n FROM part;
    INSERT INTO pair SELECT n, n % 3, kind, n FROM part;
    INSERT INTO line (kind, n, code, site) SELECT kind, n, code, site FROM part;
    """

  private static func plan(
    _ table: String, _ keys: [String], section: String? = nil, filter: String? = nil,
    sort: [String] = ["n"]
  ) -> FetchPlan {
    var plan = FetchPlan(table: table, keyColumns: keys, itemColumns: keys + ["kind", "n"])
    plan.section = section.map {
      FetchPlan.Section(
        identity: $0 == "kind" ? plan.term("kind") : FetchPlan.SortTerm(expression: SQLFragment($0))
      )
    }
    plan.filter = filter.map { SQLFragment($0) }
    plan.sort = sort.map {
      FetchPlan.SortTerm(expression: SQLFragment($0), isDescending: $0 == "n")
    }
    return plan
  }

  private static let plans: [(name: String, plan: FetchPlan)] = [
    ("parts by kind", plan("part", ["code", "site"], section: "kind")),
    ("parts, filtered", plan("part", ["site", "code"], section: "n % 3", filter: "n < 60")),
    ("parts of a kind", plan("part", ["code", "site"], filter: "kind = 'L'", sort: ["n % 7"])),
    ("words", plan("word", ["w"], section: "upper(substr(w, -1))", sort: ["length(w)", "n"])),
    ("loose", plan("loose", ["k"], section: "typeof(k)")),
    ("pairs", plan("pair", ["b", "a"], section: "kind", filter: "a <> 4")),
    ("lines", plan("line", ["id"], section: "kind")),
    ("lines of a site", plan("line", ["id"], section: "code < 'c40'", filter: "site = 'A'")),
  ]

  private static let statements = [
    "INSERT INTO part VALUES ('A', 'new', 'K', 5), ('B', 'new', 'Z', 61)",
    "DELETE FROM part WHERE code IN ('c01', 'c02', 'c50')",
    "UPDATE part SET code = 'd' || code WHERE n BETWEEN 10 AND 14",
    "UPDATE part SET site = CASE site WHEN 'A' THEN 'B' ELSE 'A' END WHERE code = 'c10'",
    "REPLACE INTO part SELECT site, code, 'R', n + 1 FROM part WHERE n < 8",
    "UPDATE OR REPLACE part SET code = 'c12', site = 'A' WHERE code = 'c20'",
    """
    INSERT INTO part VALUES ('A', 'c03', 'U', 33), ('Q', 'q', 'Q', 1)
      ON CONFLICT (code, site) DO UPDATE SET n = excluded.n, kind = excluded.kind
    """,
    "INSERT INTO part SELECT * FROM part WHERE true ON CONFLICT DO NOTHING",
    "UPDATE part SET n = n + 91 WHERE code = 'c30'",
    "UPDATE part SET kind = lower(kind) WHERE n % 9 = 0; UPDATE part SET kind = kind",
    "DELETE FROM word WHERE w = 'WORDC07'; INSERT INTO word VALUES ('WORDC07', 'K', 1, 'uc07')",
    "UPDATE word SET w = upper(w) WHERE n < 9",
    "REPLACE INTO word VALUES ('wordc08', 'L', 3, 'other'), ('fresh', 'M', 2, 'uc09')",
    "UPDATE OR REPLACE word SET u = 'uc15' WHERE w = 'wordc16'",
    "UPDATE OR IGNORE word SET w = 'wordc17' WHERE w = 'wordc18'",
    "INSERT INTO word VALUES ('wordc21', 'V', 0, 'x') ON CONFLICT (w) DO UPDATE SET w = excluded.w",
    "UPDATE loose SET k = k * 2 WHERE typeof(k) = 'integer' AND k BETWEEN 60 AND 80",
    "UPDATE loose SET k = CAST(k AS BLOB) WHERE k = 'c13'; DELETE FROM loose WHERE k = 1.5",
    "INSERT OR REPLACE INTO loose VALUES (8, 'K', 1), ('8', 'M', 3), (x'38', 'N', 4)",
    "UPDATE pair SET a = a + 1000, b = b / 2 WHERE b = 1.0",
    "UPDATE OR REPLACE pair SET b = 0.0 WHERE a % 5 = 0",
    "UPDATE line SET id = id + 500 WHERE id < 6; INSERT INTO line (kind, n) VALUES ('K', 0)",
    "UPDATE line SET kind = p.kind || '!' FROM part AS p WHERE p.code = line.code AND p.n < 5",
    "DELETE FROM line WHERE id IN (SELECT id FROM line ORDER BY n LIMIT 4)",
    "SAVEPOINT s; DELETE FROM part; ROLLBACK TO s; RELEASE s; UPDATE part SET n = 0 WHERE n = 1",
    "DELETE FROM pair WHERE a < 30",
  ]

  @Test(arguments: [(false, false), (true, true), (true, false)])
  func everyStatementIsFollowed(_ settings: (keys: Bool, recursive: Bool)) throws {
    let file = try LoggedFile(Self.schema)
    try file.other.execute(
      """
      PRAGMA foreign_keys = \(settings.keys); PRAGMA recursive_triggers = \(settings.recursive);
      PRAGMA trusted_schema = OFF
      """)
    let followed = try Self.plans.map {
      try file.follow($0.plan, $0.name, foldedColumns: $0.plan.table == "word" ? ["w"] : [])
    }
    let resyncs = followed.map(\.results.statistics.resyncCount)
    for statement in Self.statements {
      try file.other.commit(statement)
      try file.store.look()
      for results in followed {
        let problem = try results.problem()
        #expect(problem == nil, "\(statement)")
      }
    }
    #expect(followed.map(\.results.statistics.resyncCount) == resyncs)
    #expect(followed.allSatisfy { $0.results.statistics.loggedCount > 1 })
    try file.close()
  }

  @Test func aTableIsEmptied() throws {
    let file = try LoggedFile(Self.schema)
    let followed = try Self.plans.map { try file.follow($0.plan, $0.name, foldedColumns: ["w"]) }
    for table in ["line", "part", "word", "loose", "pair"] {
      try file.other.commit("DELETE FROM \(table)")
      try file.store.look()
      for results in followed { #expect(try results.problem() == nil, "\(table)") }
    }
    #expect(followed.allSatisfy { $0.results.numberOfItems == 0 })
    #expect(followed.allSatisfy { $0.results.statistics.resyncCount == 0 })
    try file.close()
  }
}
