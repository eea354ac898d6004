import GRDB
import GRDBSQLite
import SectileCore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// Large groups of a query, whose rows follow from sums.
@Suite(.timeLimit(.minutes(60))) struct KeptGroupsTests {
  private static let schema = """
    CREATE TABLE shop (id INTEGER PRIMARY KEY, town TEXT, name TEXT COLLATE NOCASE);
    CREATE TABLE sale (
      id INTEGER PRIMARY KEY, shop INTEGER, day TEXT, price INTEGER, weight REAL, note TEXT COLLATE NOCASE
    );
    CREATE TABLE broken (shop REFERENCES shop DEFERRABLE INITIALLY DEFERRED);
    CREATE INDEX sale_shop ON sale (shop);
    CREATE INDEX sale_day ON sale (day);
    CREATE INDEX shop_town ON shop (town);
    INSERT INTO shop VALUES (1, 'Bern', 'a'), (2, 'Bern', 'b'), (3, 'Basel', 'c'), (4, NULL, 'd');
    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2400)
    INSERT INTO sale SELECT
      i, nullif(i % 4 + 1, 4), '2026-' || (10 + i % 3), nullif(i % 50, 7), i / 8.0, 'x' || i % 3 FROM n;
    CREATE VIEW turnover AS
      SELECT shop.town AS town, count(*) AS sales, sum(sale.price) AS price
      FROM shop JOIN sale ON sale.shop = shop.id GROUP BY shop.town;
    """

  /// A query, and the tables whose rows add to its groups; nil where these are read again.
  struct Case: CustomTestStringConvertible {
    let sql: String
    let key: [String]
    let tables: [String]?

    init(_ sql: String, by key: String..., from tables: [String]? = nil) {
      (self.sql, self.key, self.tables) = (sql, key, tables)
    }

    var testDescription: String { sql }
  }

  static let cases = [
    Case("SELECT shop, count(*) AS n FROM sale GROUP BY shop", by: "shop", from: ["sale"]),
    Case(
      """
      SELECT shop, count(price) AS n, sum(price) AS s, avg(price) AS a, total(price) AS t,
        round(avg(price) * 2 + count(*), 3) AS mixed FROM sale GROUP BY shop
      """, by: "shop", from: ["sale"]),
    Case(
      "SELECT substr(day, 1, 6) AS month, sum(price) FILTER (WHERE shop = 2) AS s FROM sale GROUP BY month",
      by: "month", from: ["sale"]),
    Case(
      "SELECT shop, day, sum(price + ?) AS s FROM sale WHERE price > ? GROUP BY day, shop",
      by: "shop", "day", from: ["sale"]),
    Case(
      "SELECT shop, sum(price) AS s FROM sale GROUP BY shop HAVING sum(price) % 2 = 0 AND count(*) > 3",
      by: "shop", from: ["sale"]),
    // A row of a shop adds all its sales; a shop that has none adds a row of its own.
    Case("SELECT town, sales, price FROM turnover", by: "town", from: ["sale", "shop"]),
    Case(
      """
      SELECT town, count(sale.id) AS n, sum(price) AS s FROM shop LEFT JOIN sale ON sale.shop = shop.id
      GROUP BY town
      """, by: "town", from: ["shop"]),
    // What the rows of a group agree in is another shop's after a change of shops.
    Case(
      """
      SELECT shop.id AS id, shop.town, count(*) AS n FROM sale JOIN shop ON shop.id = sale.shop
      GROUP BY shop.id
      """, by: "id", from: ["sale"]),
    Case(
      """
      SELECT shop, count(*) AS n FROM sale
      WHERE EXISTS (SELECT 1 FROM shop WHERE shop.id = sale.shop AND town = 'Bern') GROUP BY shop
      """, by: "shop", from: ["sale"]),
    // What the rows agree in would follow from a column of a sale that is not grouped by.
    Case(
      """
      SELECT sale.id AS id, shop.town, count(*) AS n FROM sale JOIN shop ON shop.id = sale.shop
      JOIN sale AS part ON part.shop = sale.shop GROUP BY sale.id
      """, by: "id"),
    Case(
      """
      SELECT sale.shop AS shop, town, count(*) AS n FROM sale
      LEFT JOIN shop ON shop.id = sale.shop AND sale.price > 3 GROUP BY sale.shop
      """, by: "shop"),
    // A value that is bound is no JSON.
    Case(
      """
      SELECT note -> '$.a' AS a, count(*) AS n FROM sale GROUP BY note -> '$.a'
      """, by: "a"),
    // A table that stands twice adds its rows with one another.
    Case(
      "SELECT a.shop AS shop, count(*) AS n FROM sale a JOIN sale b ON b.id = a.id + 1 GROUP BY a.shop",
      by: "shop", from: []),
    Case("SELECT shop, max(price) AS m FROM sale GROUP BY shop", by: "shop"),
    Case("SELECT shop, count(DISTINCT price) AS n FROM sale GROUP BY shop", by: "shop"),
    Case("SELECT shop, group_concat(day) AS d FROM sale GROUP BY shop", by: "shop"),
    // Of equal spellings one is chosen.
    Case("SELECT note, count(*) AS n FROM sale GROUP BY note", by: "note"),
    Case("SELECT shop, count(*) AS n FROM sale GROUP BY shop LIMIT 2", by: "shop"),
    Case("SELECT DISTINCT shop FROM sale", by: "shop"),
    Case(
      "SELECT day, (SELECT count(*) FROM shop) AS shops, count(*) AS n FROM sale GROUP BY day",
      by: "day"),
  ]

  @Test(arguments: cases) func queriesThatFollowFromSumsAreFound(_ test: Case) throws {
    let store = try store()
    let found = try store.read { transaction in
      let values = test.sql.filter { $0 == "?" }.map { _ in StoredValue.integer(1) }
      let reading = try SelectReading(SQLFragment(test.sql, values), in: transaction.db)
      let key = try #require(reading.positions(of: test.key))
      return SummedSelect(reading, key: key, in: transaction.db).map { select in
        ["sale", "shop"].filter { select.occurrence(of: $0) != nil }
      }
    }
    #expect(found == test.tables)
  }

  private func store(_ kind: StorageKind = .memory, in folder: TemporaryFolder? = nil) throws
    -> Store
  {
    let store =
      try folder.map { try kind.open(in: $0, configuration: SmallWorld.configuration) }
      ?? Store.inMemory()
    try store.write { try $0.execute(Self.schema) }
    return store
  }

  private static let queries =
    cases.filter { $0.tables != nil && !$0.sql.contains("?") }.map { Query($0.sql, key: $0.key) }
    + [
      Query(cases[1].sql, key: ["shop"]).sort(by: "a", .descending),
      Query(cases[3].sql, key: ["shop", "day"], [.integer(3), .integer(4)]),
      // Groups that come and go, whose keys are no columns.
      Query(
        "SELECT substr(day, 1, 7) AS day, count(*) AS n FROM sale GROUP BY substr(day, 1, 7) "
          + "HAVING count(*) % 3 > 0 AND sum(price) IS NOT NULL", key: ["day"]),
      Query(cases[2].sql, key: ["month"]).filter(SQLFragment("s % 2 = 0")),
      Query(cases[0].sql, key: ["shop"]).filter(SQLFragment("n > 500")),
    ]

  /// Random commits: also such as are rolled back when they were followed already, and values whose
  /// sums are not kept, REAL and texts.
  @Test(arguments: SeededRandom.batches(debug: 8, release: 80, of: 2))
  func everyCommitIsExact(_ seeds: Range<UInt64>) async throws {
    for seed in seeds {
      await Task.yield()
      guard let failure = try failure(seed) else { continue }
      Issue.record("seed \(seed), \(failure)")
      return
    }
  }

  private func failure(_ seed: UInt64) throws -> String? {
    var random = SeededRandom(seed: seed)
    let store = try store()
    let live = try Self.queries.map { try LiveResults($0, in: store) }
    for step in 0..<25 {
      let commits = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.commit(&random) }
      let isRolledBack = random.chance(0.15)
      do {
        try store.write { transaction in
          for commit in commits { try transaction.execute(commit) }
          // COMMIT refuses it, behind all that reads the transaction.
          if isRolledBack { try transaction.execute("INSERT INTO broken VALUES (99)") }
        }
      } catch {
        guard isRolledBack else { throw error }
      }
      for (query, results) in zip(Self.queries, live) {
        guard try results.shows(query, in: store) else {
          return "step \(step), \(commits): \(query)"
        }
      }
    }
    return nil
  }

  private static func commit(_ random: inout SeededRandom) -> String {
    let id = Int.random(in: 1...2400, using: &random)
    let shop = Int.random(in: 1...4, using: &random)
    let price = Int.random(in: -9...60, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: return "UPDATE sale SET price = \(price) WHERE id = \(id)"
    case 3: return "UPDATE sale SET shop = \(shop) WHERE id BETWEEN \(id) AND \(id + 3)"
    case 4: return "DELETE FROM sale WHERE id BETWEEN \(id) AND \(id + 2)"
    case 5:
      return "INSERT INTO sale VALUES (NULL, \(shop), '2026-1\(shop)', \(price), 0.5, 'y')"
    case 6: return "UPDATE sale SET price = NULL, day = '2026-12' WHERE id = \(id)"
    case 7: return "UPDATE shop SET town = 'Chur' WHERE id = \(shop)"
    case 8: return "UPDATE shop SET town = NULL, id = id WHERE id = \(shop)"
    case 9: return "REPLACE INTO sale VALUES (\(id), \(shop), '2026-10', 1.5, 0, 'z')"
    case 10: return "UPDATE sale SET price = 'many' WHERE id = \(id)"
    default: return "DELETE FROM sale WHERE typeof(price) IN ('real', 'text')"
    }
  }

  /// A row whose key cannot be told is counted, although nothing of it was noted.
  @Test func aKeyThatIsNotUTF8IsCounted() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute(
        """
        CREATE TABLE sale (code TEXT PRIMARY KEY, shop INTEGER, price INTEGER) WITHOUT ROWID;
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 900)
        INSERT INTO sale SELECT 'c' || i, i % 2, i FROM n
        """)
    }
    let query = Query("SELECT shop, sum(price) AS s FROM sale GROUP BY shop", key: ["shop"])
    let live = try LiveResults(query, in: store)
    for commit in [
      "UPDATE sale SET price = 5 WHERE code = 'c1'",
      "INSERT INTO sale VALUES (CAST(x'ff' AS TEXT), 1, 100)",
      "UPDATE sale SET price = 6 WHERE code = 'c1'",
      "UPDATE sale SET price = 7 WHERE code = CAST(x'ff' AS TEXT)",
      "UPDATE sale SET price = 8 WHERE code = 'c3'",
      "DELETE FROM sale WHERE code = CAST(x'ff' AS TEXT)",
      "UPDATE sale SET price = 9 WHERE code = 'c1'",
    ] {
      try store.write { try $0.execute(commit) }
      try live.expectRows(of: query, in: store)
    }
  }

  /// A group is read once; then a commit takes the steps of the rows that it touches.
  @Test(.withoutInternalChecks, arguments: [1, 2])
  func aCommitCostsWhatItTouches(number: Int) throws {
    let folder = try TemporaryFolder()
    let store = try store(.adoptedQueue, in: folder)
    let query = Query(Self.cases[number].sql, key: Self.cases[number].key)
    let live = try LiveResults(query, in: store)
    let counter = StepCounter()
    try store.write { try $0.execute("UPDATE sale SET price = price + 1 WHERE id = 13") }
    for id in 2..<7 {
      let count = try counter.steps(of: store) {
        try store.write {
          try $0.execute("UPDATE sale SET price = price + 1 WHERE id = \(12 * id + 1)")
        }
      }
      // The group has 600 rows or 800.
      #expect(count < 1_000)
      try live.expectRows(of: query, in: store)
    }
    #expect(live.results.statistics.rebuildCount == 0)
    // The other way: a table that stands behind a LEFT JOIN.
    let joined = Query(Self.cases[6].sql, key: ["town"])
    let other = try LiveResults(joined, in: store)
    let count = try counter.steps(of: store) {
      try store.write { try $0.execute("UPDATE sale SET price = 3 WHERE id = 6") }
    }
    #expect(count > 4_000)
    try other.expectRows(of: joined, in: store)
  }
}

/// Counts the steps of SQLite's machine, roughly, on the connection of an adopted store.
private final class StepCounter {
  private let count = Mutex(0)

  func steps(of store: Store, _ body: () throws -> Void) throws -> Int {
    count.withLock { $0 = 0 }
    let context = Unmanaged.passUnretained(self).toOpaque()
    store.databaseWriter.unsafeReentrantWrite { db in
      sqlite3_progress_handler(
        db.sqliteConnection, 10,
        { context in
          guard let context else { return 0 }
          Unmanaged<StepCounter>.fromOpaque(context).takeUnretainedValue().count.withLock {
            $0 += 10
          }
          return 0
        }, context)
    }
    defer {
      store.databaseWriter.unsafeReentrantWrite {
        sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil)
      }
    }
    try body()
    return count.withLock { $0 }
  }
}
