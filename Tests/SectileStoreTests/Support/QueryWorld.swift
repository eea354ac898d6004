import SectileCore
import SectileStore
import Testing

/// Artists and their tracks, and queries that join them.
enum QueryWorld {
  static let schema = """
    CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, country TEXT);
    CREATE TABLE track (id INTEGER PRIMARY KEY, artist INTEGER, title TEXT, length INTEGER);
    INSERT INTO artist VALUES (1, 'Nina', 'us'), (2, 'abba', 'se'), (3, 'Air', NULL), (4, 'Zaz', 'fr');
    INSERT INTO track VALUES
      (1, 1, 'a', 100), (2, 1, 'b', 200), (3, 2, 'c', 50), (4, 2, 'd', 300), (5, 4, 'e', 10);
    """

  /// Artists with the number of their tracks that are longer than a minute.
  static let artists = Query(
    """
    SELECT artist.id, artist.name, artist.country, count(track.id) AS tracks,
      max(track.length) AS longest
    FROM artist LEFT JOIN track ON track.artist = artist.id AND track.length > :length
    GROUP BY artist.id
    """, key: ["id"], named: ["length": 60])

  private static let valuesInAllPlaces =
    artists
    .sectioned(by: SQLFragment("CASE WHEN longest > ? THEN 'long' ELSE 'short' END", [150]))
    .filter(SQLFragment("name <> ? OR tracks < ?", ["nobody", 99]))
    .sort(by: SQLFragment("tracks * ?", [-1]))
    .limit(3)

  private static let aggregates = artists.sectioned(by: SQLFragment("tracks > ?", [0]))
    .aggregating(
      FetchPlan.Aggregate(.rowCount), FetchPlan.Aggregate(.sum("tracks")),
      FetchPlan.Aggregate(.maximum("longest")), FetchPlan.Aggregate(.distinctCount("country")),
      FetchPlan.Aggregate(.conditionCount(SQLFragment("tracks > ?", [1]))))

  private static let compositeKey = Query(
    """
    SELECT coalesce(artist.country, '') AS country, track.title, count(*) AS n
    FROM track JOIN artist ON artist.id = track.artist WHERE track.length >= ?
    GROUP BY 1, 2
    """, key: ["country", "title"], [10]
  ).sectioned(by: "country")

  private static let compound = Query(
    """
    SELECT 'artist' AS kind, id, country AS label FROM artist
    UNION ALL SELECT 'track', id, title FROM track
    """, key: ["kind", "id"]
  ).sectioned(by: "kind", .descending).sort(by: "label", nulls: .last)

  private static let windowFunction = Query(
    """
    SELECT id, title, artist,
      row_number() OVER (PARTITION BY artist ORDER BY length DESC, id) AS place
    FROM track
    """, key: ["id"]
  ).filter(SQLFragment("place <= ?", [1]))

  private static let commonTable = Query(
    """
    WITH wanted(country) AS (VALUES (?2), (?1))
    SELECT id, name FROM artist WHERE country IN (SELECT country FROM wanted)
    """, key: ["id"], ["us", "se"])

  private static let silentArtists = Query(
    """
    SELECT id, name FROM artist
    WHERE NOT EXISTS (SELECT 1 FROM track WHERE track.artist = artist.id)
    """, key: ["id"])

  /// Queries of all kinds.
  static let queries: [Query] = [
    artists,
    artists.sectioned(by: "country", nulls: .last).sort(by: "tracks", .descending),
    artists.sort(by: "name", collation: .binary).limit(2).offset(1),
    artists.sectioned(by: "country", sections: ["se", "us", "fr"]).sort(by: "longest"),
    artists.sectioned(by: "country") { $0.titled(with: SQLFragment("upper(country)")) },
    valuesInAllPlaces, aggregates, compositeKey, compound, windowFunction, commonTable,
    silentArtists,
  ]

  /// Transactions one after the other.
  static let transactions = [
    "UPDATE artist SET name = 'Nina Simone' WHERE id = 1",
    "INSERT INTO track VALUES (6, 3, 'f', 400)",
    "DELETE FROM track WHERE artist = 2",
    "UPDATE track SET artist = 4 WHERE artist = 1",
    """
    INSERT INTO artist VALUES (5, 'Bjork', 'is');
    INSERT INTO track VALUES (7, 5, 'g', 70), (8, 5, 'h', 80)
    """,
    "UPDATE artist SET country = 'us' WHERE id IN (2, 3); UPDATE track SET length = length + 1",
    "UPDATE track SET title = title",
    "DELETE FROM artist WHERE id = 1",
    "UPDATE artist SET id = 9 WHERE id = 4; UPDATE track SET artist = 9 WHERE artist = 4",
  ]

  /// Runs a test with the tables.
  static func run(_ kind: StorageKind, _ body: (Store) throws -> Void) throws {
    try SmallWorld.run(kind, schema: schema, body)
  }
}

extension LiveResults where Item == UntypedRow {
  convenience init(_ query: Query, in store: Store) throws {
    try self.init(try store.results(of: query)) { try store.results(of: query) }
  }

  /// Expects the replayed changes to be what SQL alone yields.
  func expectRows(
    of query: Query, in store: Store, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let fresh = try freshContents(of: query, in: store)
    #expect(recorder.contents == fresh, sourceLocation: sourceLocation)
  }

  /// Whether the replayed changes are what SQL alone yields.
  func shows(_ query: Query, in store: Store) throws -> Bool {
    try recorder.contents == freshContents(of: query, in: store)
  }

  private func freshContents(
    of query: Query, in store: Store
  ) throws -> SectionedContents<UntypedRow.ID, UntypedRow> {
    let plan = try store.read { try query.makePlan(in: $0) }
    return try FreshFetch(plan).contents(of: store, version: results.version)
  }
}
