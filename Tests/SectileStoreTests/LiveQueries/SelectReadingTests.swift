import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Texts that a parser reads otherwise than SQLite does, if it is not careful: in each, a commit
/// changes a row that the other reading would miss.
@Suite struct SelectReadingTests {
  struct Case: CustomTestStringConvertible {
    let schema: String
    let sql: String
    var key = ["id"]
    let commit: String

    var testDescription: String { sql }
  }

  static let cases = [
    // The order of a compound decides which row a scalar query is.
    Case(
      schema: "CREATE TABLE a(x); CREATE TABLE b(x); CREATE TABLE t(id INTEGER PRIMARY KEY, v);"
        + "INSERT INTO a VALUES (1); INSERT INTO b VALUES (9)",
      sql:
        "SELECT id, v FROM t WHERE v = (SELECT x FROM a UNION ALL SELECT x FROM b ORDER BY 1 DESC)",
      commit: "INSERT INTO t VALUES (1, 9)"),
    // An order finds what the SELECT calls its columns, also before COLLATE.
    Case(
      schema:
        "CREATE TABLE d(id INTEGER PRIMARY KEY, a, b); CREATE TABLE t(id INTEGER PRIMARY KEY, d);"
        + "INSERT INTO d VALUES (1, 'a', 'z'), (2, 'b', 'y')",
      sql: """
        SELECT t.id FROM t JOIN
          (SELECT id AS i, b AS a FROM d ORDER BY a COLLATE NOCASE LIMIT 1) x ON x.i = t.d
        """,
      commit: "INSERT INTO t(id, d) VALUES (1, 2)"),
    Case(
      schema:
        "CREATE TABLE d(id INTEGER PRIMARY KEY, v); CREATE TABLE t(id INTEGER PRIMARY KEY, d);"
        + "INSERT INTO d VALUES (1, 1), (2, 2), (3, 3)",
      sql: """
        SELECT t.id FROM t JOIN
          (SELECT id AS i, 1 AS one FROM d ORDER BY one, v DESC LIMIT 1) x ON x.i = t.d
        """,
      commit: "INSERT INTO t(id, d) VALUES (1, 3)"),
    // A name of a number is no place of a column.
    Case(
      schema:
        "CREATE TABLE t(id INTEGER PRIMARY KEY, g); INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)",
      sql: "SELECT 1 AS one, max(g) AS g, count(*) AS n FROM t GROUP BY one", key: ["one"],
      commit: "INSERT INTO t VALUES (4, 2)"),
    // An aggregate of an outer query.
    Case(
      schema: "CREATE TABLE b(x); INSERT INTO b VALUES (1);"
        + "CREATE TABLE u(id INTEGER PRIMARY KEY, x); INSERT INTO u VALUES (1, 1), (2, 1)",
      sql: "SELECT u.id, (SELECT count(*) FILTER (WHERE u.x > 0) FROM b) AS n FROM u",
      commit: "UPDATE u SET x = 0 WHERE id = 2"),
    // A row whose id alone changes.
    Case(
      schema: "CREATE TABLE t(v); INSERT INTO t VALUES ('a')",
      sql: "SELECT rowid AS id, v FROM t", commit: "UPDATE t SET rowid = 9 WHERE rowid = 1"),
    // A collation goes up through parentheses and functions.
    Case(
      schema: "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (5, 'A')",
      sql: "SELECT DISTINCT (a COLLATE NOCASE) AS k FROM t", key: ["k"],
      commit: "INSERT INTO t VALUES (1, 'a')"),
    Case(
      schema: "CREATE TABLE t(id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (5, 'A')",
      sql: "SELECT DISTINCT trim(a COLLATE NOCASE) AS k FROM t", key: ["k"],
      commit: "INSERT INTO t VALUES (1, 'a')"),
    // Names that SQLite finds inside, and that an outer query has as well.
    Case(
      schema: "CREATE TABLE u(id INTEGER PRIMARY KEY, x); CREATE TABLE a(k);"
        + "CREATE TABLE b(id INTEGER PRIMARY KEY); CREATE TABLE c(b, x);"
        + "INSERT INTO u VALUES (1, 5); INSERT INTO a VALUES (7); INSERT INTO b VALUES (1)",
      sql: """
        SELECT u.id FROM u
        WHERE EXISTS (SELECT 1 FROM a JOIN b ON x = a.k JOIN c ON c.b = b.id)
        """,
      commit: "INSERT INTO c VALUES (1, 7)"),
    Case(
      schema: "CREATE TABLE u(id INTEGER PRIMARY KEY, q); CREATE TABLE a(v); CREATE TABLE b(k);"
        + "INSERT INTO u VALUES (1, 5); INSERT INTO a VALUES (7)",
      sql: "SELECT u.id FROM u WHERE EXISTS (SELECT a.v AS q FROM a JOIN b ON b.k = q)",
      commit: "INSERT INTO b VALUES (7)"),
    Case(
      schema: "CREATE TABLE u(id INTEGER PRIMARY KEY, a, v); CREATE TABLE t(a);"
        + "INSERT INTO u VALUES (1, 'y', 'z')",
      sql: """
        SELECT u.id FROM u
        WHERE EXISTS (SELECT 1 FROM (SELECT a COLLATE NOCASE FROM t) WHERE a = u.v)
        """,
      commit: "INSERT INTO t VALUES ('Z')"),
    Case(
      schema: "CREATE TABLE u(k INTEGER PRIMARY KEY, id, v);"
        + "CREATE TABLE t(id INTEGER PRIMARY KEY, g); CREATE VIEW w AS SELECT rowid, g FROM t;"
        + "INSERT INTO u VALUES (1, 5, 7)",
      sql: "SELECT u.k FROM u WHERE EXISTS (SELECT 1 FROM w WHERE id = u.v)", key: ["k"],
      commit: "INSERT INTO t VALUES (7, 'g')"),
    // What is grouped by fixes no row of the side that an outer join fills up.
    Case(
      schema:
        "CREATE TABLE a(id INTEGER PRIMARY KEY, x); CREATE TABLE b(id INTEGER PRIMARY KEY, aid);"
        + "INSERT INTO a VALUES (1, 10), (2, 20), (3, 30); INSERT INTO b VALUES (1, 1)",
      sql: """
        SELECT b.aid, a.x, count(*) AS n FROM a LEFT JOIN b ON b.aid = a.id GROUP BY b.aid
        """, key: ["aid"],
      commit: "UPDATE a SET x = 25 WHERE id = 3"),
    // Queries in FROM that name a query around them, and names beyond ASCII.
    Case(
      schema:
        "CREATE TABLE a(id INTEGER PRIMARY KEY); CREATE TABLE c(b, x); INSERT INTO a VALUES (1)",
      sql: """
        SELECT a.id FROM a
        WHERE EXISTS (SELECT 1 FROM (SELECT c.x FROM c WHERE c.b = a.id) y WHERE y.x > 1)
        """,
      commit: "INSERT INTO c VALUES (1, 2)"),
    Case(
      schema: "CREATE TABLE \"Übung\"(id INTEGER PRIMARY KEY, \"Ä\", \"ä\");"
        + "CREATE TABLE t(id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)",
      sql: "SELECT t.id, \"Übung\".\"ä\" FROM t LEFT JOIN \"Übung\" ON \"Übung\".\"Ä\" = t.id",
      commit: "INSERT INTO \"Übung\" VALUES (1, 1, 5)"),
    // SQLite 3.40.1 finds the NULL in c by the row of b that is missing, but not where ON says it.
    Case(
      schema: usingBehindLeftJoin,
      sql:
        "SELECT aid, count(cid) AS n FROM a LEFT JOIN b USING (aid) LEFT JOIN c USING (bid) GROUP BY aid",
      key: ["aid"], commit: "INSERT INTO a VALUES (2)"),
  ]

  private static let usingBehindLeftJoin = """
    CREATE TABLE a(aid INTEGER PRIMARY KEY); CREATE TABLE b(bid INTEGER PRIMARY KEY, aid, x, y NOT NULL);
    CREATE TABLE c(cid INTEGER PRIMARY KEY, bid, x, y); CREATE INDEX c_bid ON c(bid);
    INSERT INTO a VALUES (1); INSERT INTO c(cid) VALUES (1);
    """

  @Test(arguments: [
    ("b LEFT JOIN c USING (bid)", nil),
    ("a LEFT JOIN b USING (aid) LEFT JOIN c USING (bid)", "bid"),
    ("a LEFT JOIN b USING (aid) JOIN c USING (y)", "y"),
    ("a LEFT JOIN b USING (aid) NATURAL JOIN c", "bid"),
    ("a LEFT JOIN (SELECT aid, x FROM b) USING (aid) LEFT JOIN c USING (x)", "x"),
    ("a LEFT JOIN b USING (aid) LEFT JOIN c USING (x)", nil),
    ("a LEFT JOIN b USING (aid) LEFT JOIN c ON c.bid = b.bid", nil),
  ])
  func usingBehindALeftJoinIsRefused(from: String, column: String?) throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: Self.usingBehindLeftJoin)
      let sql = SQLFragment("SELECT 1 AS one FROM \(from)")
      guard let column else {
        _ = try SelectReading(sql, in: db)
        return
      }
      #expect(throws: SelectRefusal(column, .dependsOnPlan)) { try SelectReading(sql, in: db) }
    }
  }

  @Test(arguments: cases) func aCommitIsExactWhateverTheTextLooksLike(_ test: Case) throws {
    let store = try Store.inMemory()
    try store.write { try $0.execute(test.schema) }
    let query = Query(test.sql, key: test.key)
    let live = try LiveResults(query, in: store)
    try store.write { try $0.execute(test.commit) }
    try live.expectRows(of: query, in: store)
    #expect(live.recorder.errors.isEmpty)
  }

  /// `LIKE` under a LEFT JOIN loses rows in SQLite 3.40.1, whoever says it and wherever.
  @Test(arguments: [
    "d LEFT JOIN t ON t.x LIKE 'a%'", "d LEFT JOIN t ON like('a%', t.x)",
    "d LEFT JOIN (SELECT * FROM t WHERE x LIKE 'a%') AS q ON 1",
    "d LEFT JOIN (SELECT * FROM (SELECT * FROM t WHERE x GLOB 'a*')) AS q ON 1",
  ])
  func patternsBehindAnOuterJoinAreRefused(from: String) throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(
        sql: "CREATE TABLE d(id INTEGER PRIMARY KEY); CREATE TABLE t(id INTEGER PRIMARY KEY, x)")
      #expect(throws: SelectRefusal("LIKE", .dependsOnPlan)) {
        try SelectReading(SQLFragment("SELECT d.id FROM \(from)"), in: db)
      }
    }
  }

  /// The columns of all arms are compared with one another.
  @Test func armsThatDifferAreSeenWhereverTheyStand() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      try db.execute(sql: "CREATE TABLE t(i INTEGER, s TEXT)")
      let arms = "SELECT i FROM t UNION ALL SELECT s FROM t UNION ALL SELECT i FROM t"
      let reading = try SelectReading(SQLFragment(arms), in: db)
      let derivation = QuestionDerivation(
        reading, key: ["i"], touched: ["t"], withFormerRows: []
      ) { table, _ in table }
      #expect(derivation.unlikeColumns(of: reading.query) == [0])
    }
  }
}
