import SectileStore
import Testing

/// Which columns of a SELECT tell its rows apart for certain.
@Suite struct LikelyKeyTests {
  private static let schema = [
    "CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT)",
    "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist INTEGER NOT NULL)",
    "CREATE TABLE tag (code TEXT PRIMARY KEY, word TEXT)",
    "CREATE TABLE place (code TEXT NOT NULL PRIMARY KEY, word TEXT)",
    "CREATE TABLE link (album INT, artist INT, PRIMARY KEY (album, artist)) WITHOUT ROWID",
    "CREATE VIEW listed AS SELECT id AS number, name FROM artist",
    "CREATE VIEW per_country (land, n) AS SELECT country, count(*) FROM artist GROUP BY country",
  ]

  private static func key(of sql: String, mayBeNull: Bool = true) throws -> [String]? {
    let store = try Store.inMemory()
    try store.write { transaction in
      for statement in schema { try transaction.execute(statement) }
    }
    return try store.read { try $0.likelyKey(of: SQLFragment(sql), mayBeNull: mayBeNull) }
  }

  @Test(arguments: [
    ("SELECT id, name FROM artist", ["id"]),
    ("SELECT name, id AS number FROM artist WHERE name > 'b' ORDER BY name LIMIT 3", ["number"]),
    ("SELECT DISTINCT id FROM artist", ["id"]),
    ("SELECT rowid, word FROM tag", ["rowid"]),
    ("SELECT code, word FROM place", ["code"]),
    ("SELECT * FROM link", ["album", "artist"]),
    ("SELECT country, count(*) AS n FROM artist GROUP BY country", ["country"]),
    ("SELECT upper(country) AS c, count(*) AS n FROM artist GROUP BY upper(country)", ["c"]),
    ("SELECT upper(country) AS c, count(*) AS n FROM artist GROUP BY 1 HAVING n > 1", ["c"]),
    ("SELECT album.id, title, name FROM album JOIN artist ON artist.id = album.artist", ["id"]),
    ("SELECT album.id, name FROM album LEFT JOIN artist ON album.artist = artist.id", ["id"]),
    ("SELECT album.id, name FROM album, artist WHERE artist.rowid = album.artist", ["id"]),
    ("SELECT number, name FROM listed", ["number"]),
    ("SELECT * FROM per_country WHERE n > 1", ["land"]),
    ("WITH a AS (SELECT id FROM artist) SELECT a.id AS x FROM a", ["x"]),
    (
      """
      SELECT name, artist.id, g.n FROM artist
      LEFT JOIN (SELECT artist, count(*) AS n FROM album GROUP BY artist) g ON g.artist = artist.id
      """, ["id"]
    ),
    (
      """
      SELECT a.id, g.n FROM artist a JOIN (
        SELECT artist, title, count(*) AS n FROM album GROUP BY artist, title
      ) g ON a.id = g.artist AND g.title = a.name
      """, ["id"]
    ),
  ])
  func whatTellsRowsApartIsFound(sql: String, key: [String]) throws {
    #expect(try Self.key(of: sql) == key)
  }

  @Test(arguments: [
    "SELECT name FROM artist", "SELECT code, word FROM tag", "SELECT album FROM link",
    "SELECT count(*) AS n FROM artist", "SELECT count(*) AS n FROM artist GROUP BY country",
    "SELECT artist.id, title FROM artist JOIN album ON album.artist = artist.id",
    "SELECT album.id, name FROM album JOIN artist ON artist.id > album.artist",
    "SELECT album.id, name FROM album JOIN artist ON artist.id = artist.name",
    "SELECT album.id, word FROM album JOIN place ON place.code = album.title",
    "SELECT album.id, name FROM album RIGHT JOIN artist ON artist.id = album.artist",
    "SELECT n FROM per_country", "SELECT id FROM artist UNION ALL SELECT id FROM album",
    """
    SELECT a.id, g.n FROM artist a JOIN (
      SELECT artist, title, count(*) AS n FROM album GROUP BY artist, title
    ) g ON a.id = g.artist
    """,
    // '1' and '01' are both 1.
    "SELECT a.id, g.n FROM artist a JOIN per_country g ON g.land = a.id",
    """
    SELECT a.id, g.n FROM artist a
    JOIN (SELECT upper(title) AS t, count(*) AS n FROM album GROUP BY upper(title)) g ON g.t = a.name
    """,
    "SELECT a.id, g.artist FROM artist a JOIN (SELECT artist FROM album) g ON g.artist = a.id",
    "SELECT artist, title FROM album GROUP BY artist", "SELECT nothing FROM artist", "",
  ])
  func whatIsNotCertainIsNone(sql: String) throws {
    #expect(try Self.key(of: sql) == nil)
  }

  @Test func aKeyThatMayBeNullIsNoneWhereNoneMayBe() throws {
    let perCountry = "SELECT * FROM per_country"
    let joined =
      "SELECT name, count(*) AS n FROM album LEFT JOIN artist ON artist.id = artist GROUP BY name"
    for sql in [perCountry, joined] {
      #expect(try Self.key(of: sql) != nil)
      #expect(try Self.key(of: sql, mayBeNull: false) == nil)
    }
    for (sql, key) in [
      ("SELECT * FROM listed", ["number"]), ("SELECT * FROM link", ["album", "artist"]),
      ("SELECT name, count(*) AS n FROM artist GROUP BY name", ["name"]),
      ("SELECT rowid, word FROM tag", ["rowid"]),
    ] {
      #expect(try Self.key(of: sql, mayBeNull: false) == key)
    }
  }
}
