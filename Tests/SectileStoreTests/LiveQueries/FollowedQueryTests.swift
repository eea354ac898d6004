import GRDB
import SectileCore
import SectileTestHelpers
import Testing

@testable import SectileStore

/// Which rows of a query a commit reads again: what a look at contents does not show.
@Suite struct FollowedQueryTests {
  /// A query, what is committed, and how many of its rows are read again.
  struct Case: CustomTestStringConvertible {
    let sql: String
    let key: [String]
    let commit: String
    let rereadCount: Int

    var testDescription: String { "\(commit) in \(sql)" }
  }

  static let schema = """
    CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, country TEXT);
    CREATE TABLE track (
      artist INTEGER, number INTEGER, title TEXT, length INTEGER, PRIMARY KEY (artist, number)
    ) WITHOUT ROWID;
    CREATE TABLE tag (word TEXT, artist INTEGER);
    CREATE INDEX artist_country ON artist (country);
    CREATE INDEX tag_artist ON tag (artist);
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
    INSERT INTO artist SELECT i, 'name ' || i, 'country ' || (i % 10) FROM n;
    INSERT INTO track SELECT id, 1, 'a', id * 10 FROM artist UNION ALL
      SELECT id, 2, 'b', id * 20 FROM artist WHERE id > 50;
    INSERT INTO tag SELECT 'even', id FROM artist WHERE id % 2 = 0;
    CREATE VIEW song AS SELECT track.*, artist.name FROM track JOIN artist ON artist.id = track.artist;
    """

  static let totals = """
    SELECT artist.id, artist.name, count(track.number) AS tracks, sum(track.length) AS length
    FROM artist LEFT JOIN track ON track.artist = artist.id GROUP BY artist.id
    """

  static let cases = [
    Case(
      sql: totals, key: ["id"],
      commit: "UPDATE track SET length = 1 WHERE artist = 7", rereadCount: 1),
    Case(
      sql: totals, key: ["id"], commit: "INSERT INTO artist VALUES (200, 'new', 'x')",
      rereadCount: 1),
    // What the query does not read asks nothing, and neither does what stays as it is.
    Case(
      sql: totals, key: ["id"], commit: "UPDATE track SET title = 'z'", rereadCount: 0),
    Case(
      sql: totals, key: ["id"], commit: "UPDATE track SET length = length + 0", rereadCount: 0),
    Case(
      sql: "SELECT country, count(*) AS artists FROM artist GROUP BY country",
      key: ["country"], commit: "UPDATE artist SET country = 'country 2' WHERE id = 1",
      rereadCount: 2),
    Case(
      sql: """
        SELECT id, name FROM artist
        WHERE NOT EXISTS (SELECT 1 FROM tag WHERE tag.artist = artist.id AND word = 'odd')
        """, key: ["id"], commit: "INSERT INTO tag VALUES ('odd', 3), ('even', 5)",
      rereadCount: 1),
    Case(
      sql: "SELECT DISTINCT country FROM artist JOIN tag ON tag.artist = artist.id",
      key: ["country"], commit: "DELETE FROM tag WHERE artist IN (2, 12, 4)", rereadCount: 2),
    Case(
      sql: "SELECT * FROM song", key: ["artist", "number"],
      commit: "UPDATE artist SET name = 'new' WHERE id IN (50, 60)", rereadCount: 3),
    // Rows without a key of their own are known by their ids.
    Case(
      sql: "SELECT tag.rowid AS id, word, name FROM tag JOIN artist ON artist.id = tag.artist",
      key: ["id"], commit: "UPDATE tag SET word = 'two' WHERE artist = 2", rereadCount: 1),
    Case(
      sql: """
        WITH long AS (SELECT artist, sum(length) AS length FROM track GROUP BY artist)
        SELECT id, name, long.length FROM artist LEFT JOIN long ON long.artist = artist.id
        """, key: ["id"], commit: "DELETE FROM track WHERE artist = 9", rereadCount: 1),
    Case(
      sql: """
        SELECT 'artist' AS kind, id, 0 AS number FROM artist
        UNION ALL SELECT 'track', artist, number FROM track
        """, key: ["kind", "id", "number"],
      commit: "DELETE FROM artist WHERE id = 3; DELETE FROM track WHERE artist = 3",
      rereadCount: 2),
  ]

  private func store() throws -> Store {
    let store = try Store.inMemory()
    try store.write { try $0.execute(Self.schema) }
    return store
  }

  @Test(arguments: cases) func rowsAreReadAgainOneByOne(_ test: Case) throws {
    let store = try store()
    let query = Query(test.sql, key: test.key)
    let live = try LiveResults(query, in: store)
    #expect(try store.explain(query).maintenance.kind == .binarySearch)
    try store.write { try $0.execute(test.commit) }
    try live.expectRows(of: query, in: store)
    let statistics = live.results.statistics
    #expect(statistics.rebuildCount == 0)
    #expect(statistics.rereadRowCount == test.rereadCount)
  }

  /// Two groups may be one by their collation: the row is found whatever its spelling is.
  @Test func groupsCompareByTheirCollation() throws {
    let store = try store()
    let query = Query("SELECT name, count(*) AS n FROM artist GROUP BY name", key: ["name"])
    let live = try LiveResults(query, in: store)
    for commit in [
      "INSERT INTO artist VALUES (0, 'NAME 7', 'x')", "DELETE FROM artist WHERE id = 7",
      "UPDATE artist SET name = 'Name 7' WHERE id = 0",
      "INSERT INTO artist VALUES (7, 'name 7', 'x')",
    ] {
      try store.write { try $0.execute(commit) }
      try live.expectRows(of: query, in: store)
    }
    #expect(live.results.statistics.rebuildCount == 0)
  }

  /// NOCASE takes what follows a NUL by its length only.
  @Test func textsWithANULCompareByTheirCollation() throws {
    let store = try store()
    let query = Query("SELECT name, count(*) AS n FROM artist GROUP BY name", key: ["name"])
    try store.write {
      try $0.execute("INSERT INTO artist VALUES (300, 'a' || char(0) || 'x', 'x')")
    }
    let live = try LiveResults(query, in: store)
    try store.write {
      try $0.execute("INSERT INTO artist VALUES (299, 'A' || char(0) || 'y', 'x')")
    }
    try live.expectRows(of: query, in: store)
    #expect(live.results.statistics.rebuildCount == 0)
  }

  /// A question of tables that nothing joins ends, and all rows are compared.
  @Test func aQuestionThatTakesTooLongIsGivenUp() throws {
    let store = try store()
    // Conditions with a query over a touched table are left out of its questions.
    let query = Query(
      """
      SELECT a.id FROM artist a, artist b, artist c, artist d
      WHERE a.id = (SELECT max(artist) FROM track WHERE number = b.id)
        AND (SELECT count(*) FROM track) = c.id AND d.id = c.id
      """, key: ["id"])
    let live = try LiveResults(query, in: store)
    try store.write { try $0.execute("DELETE FROM track WHERE artist > 50 AND number = 1") }
    try live.expectRows(of: query, in: store)
    #expect(live.results.statistics.rebuildCount == 1)
    // The connection is nobody's afterwards.
    try store.write {
      try $0.execute(
        """
        INSERT INTO tag WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 200000)
        SELECT 'many', i FROM n
        """)
    }
  }

  /// A question looks at rows that the query never looks at: what fails there fails no commit.
  @Test func aQuestionThatFailsFailsNoCommit() throws {
    let store = try store()
    let query = Query(
      """
      SELECT id, json_extract(name, '$.a') AS a FROM artist
      WHERE country = 'json' OR id IN (SELECT artist FROM tag WHERE word = json_extract(name, '$.b'))
      """, key: ["id"])
    let plain = Query(
      "SELECT id FROM artist WHERE id IN (SELECT artist FROM tag WHERE json_valid(word))",
      key: ["id"])
    try store.write { try $0.execute("UPDATE artist SET name = '{\"a\": 1}'") }
    let live = try LiveResults(query, in: store)
    let other = try LiveResults(plain, in: store)
    try store.write {
      try $0.execute("UPDATE artist SET name = '{\"a\": 2}', country = 'json' WHERE id = 8")
      try $0.execute("INSERT INTO tag VALUES ('2', 8)")
    }
    try live.expectRows(of: query, in: store)
    try other.expectRows(of: plain, in: store)
    #expect(live.recorder.errors.isEmpty)
  }

  /// Conditions and orders from outside that read other rows are not followed row by row.
  @Test func whatReadsOtherRowsIsComparedAsAWhole() throws {
    let store = try store()
    let query = Query("SELECT id, name FROM artist", key: ["id"])
      .filter(SQLFragment("id IN (SELECT artist FROM tag)"))
    let explanation = try store.explain(query)
    #expect(explanation.maintenance.kind == .refetching)
    let live = try LiveResults(query, in: store)
    try store.write { try $0.execute("DELETE FROM tag WHERE artist < 20") }
    try live.expectRows(of: query, in: store)
    #expect(live.results.statistics.rebuildCount == 1)
  }

  /// Preparing a question leaves the connection's setting, and its statements, as they were.
  @Test func automaticIndexesAreBackAfterwards() throws {
    let queue = try DatabaseQueue()
    try queue.inDatabase { db in
      for isOn in [true, false] {
        try db.execute(sql: "PRAGMA automatic_index = \(isOn)")
        var isOff: Bool?
        db.withoutAutomaticIndexes {
          isOff = try? Bool.fetchOne(db, sql: "PRAGMA automatic_index").map { !$0 }
        }
        #expect(isOff == true)
        #expect(try Bool.fetchOne(db, sql: "PRAGMA automatic_index") == isOn)
      }
    }
  }
}
