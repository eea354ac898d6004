import Sectile
import Testing

@Suite struct SeveralTablesExamples: ExampleSuite {
  let transcript = Transcript()

  /// Three purchases of two customers.
  func makeStore() throws -> Store {
    let store = try Store.inMemory()
    try store.write { tx in
      try tx.execute(
        """
        CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
        CREATE TABLE purchase (
          id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer,
          placed_on TEXT NOT NULL);
        CREATE TABLE line (
          id INTEGER PRIMARY KEY, purchase_id INTEGER NOT NULL REFERENCES purchase,
          product TEXT NOT NULL, cents INTEGER NOT NULL);
        CREATE INDEX purchase_on_customer_id ON purchase (customer_id);
        CREATE INDEX line_on_purchase_id ON line (purchase_id);
        INSERT INTO customer VALUES (1, 'Ada', 'uk'), (2, 'Bob', 'us');
        INSERT INTO purchase VALUES
          (1, 1, '2026-01-31'), (2, 2, '2026-02-01'), (3, 1, '2026-02-02');
        INSERT INTO line VALUES (1, 1, 'tea', 300), (2, 1, 'cup', 900), (3, 2, 'tea', 350);
        """)
    }
    return store
  }

  private static let purchases = Query(
    """
    SELECT purchase.id, purchase.placed_on, customer.name AS customer, customer.country,
      count(line.id) AS lines, coalesce(sum(line.cents), 0) AS cents
    FROM purchase JOIN customer ON customer.id = purchase.customer_id
      LEFT JOIN line ON line.purchase_id = purchase.id
    GROUP BY purchase.id
    """, key: ["id"]
  ).sectioned(by: "country").sort(by: "placed_on", .descending)

  private func expectToBeInArticle(_ lines: [String]) throws {
    let article = try Article.text("Sources/Sectile/Sectile.docc/Articles/SeveralTables.md")
    #expect(article.contains("```\n\(lines.joined(separator: "\n"))\n```"))
  }

  @Test func rowsOfThreeTablesAreFollowed() throws {
    let store = try makeStore()
    // example: tables-first
    let purchases = Query(
      """
      SELECT purchase.id, purchase.placed_on, customer.name AS customer, customer.country,
        count(line.id) AS lines, coalesce(sum(line.cents), 0) AS cents
      FROM purchase JOIN customer ON customer.id = purchase.customer_id
        LEFT JOIN line ON line.purchase_id = purchase.id
      GROUP BY purchase.id
      """, key: ["id"]
    ).sectioned(by: "country").sort(by: "placed_on", .descending)
    let results = try store.results(of: purchases)
    try results.load()
    let observation = results.observe { event in
      if case .didPartiallyLoad(let changes) = event { print(changes) }
    }
    try store.write { try $0.execute("INSERT INTO line VALUES (4, 3, 'jam', 250)") }
    // R~ [0,0]→[0,0] #3
    try store.write { try $0.execute("UPDATE customer SET name = 'Ada L.' WHERE id = 1") }
    // R~ [0,0]→[0,0] #3
    // R~ [0,1]→[0,1] #1
    // example: end
    observation.cancel()
    #expect(purchases == Self.purchases)
    #expect(results.statistics.rereadRowCount == 3)
    #expect(try results.strategy.kind.isIncremental)
    #expect(results.statistics.rebuildCount == 0)
    #expect(
      transcript.lines == ["R~ [0,0]→[0,0] #3", "R~ [0,0]→[0,0] #3", "R~ [0,1]→[0,1] #1"])
  }

  @Test func rowsAreItemsOfAType() throws {
    let store = try makeStore()
    let purchases = Self.purchases
    // example: tables-typed
    struct Purchase: Decodable, Identifiable, Sendable {
      var id: Int64
      var customer: String
      var lines: Int
      var cents: Int
    }
    let results = try store.results(of: purchases, as: Purchase.self)
    try results.load()
    let newest = try results[0, 0]
    print("\(newest.customer): \(newest.lines) lines, \(newest.cents) cents")
    // Ada: 0 lines, 0 cents
    // example: end
    #expect(transcript.lines == ["Ada: 0 lines, 0 cents"])
  }

  @Test func valuesAreBound() throws {
    let store = try makeStore()
    // example: tables-parameters
    let recent = Query(
      """
      SELECT purchase.id, purchase.placed_on, customer.name AS customer
      FROM purchase JOIN customer ON customer.id = purchase.customer_id
      WHERE purchase.placed_on >= :since
      """, key: ["id"], named: ["since": "2026-02-01"]
    ).sort(by: "placed_on")
    let results = try store.results(of: recent)
    try results.load()
    print(results.numberOfItems)  // 2
    try results.update(to: recent.filter(SQLFragment("customer LIKE ?", ["A%"])))
    print(results.numberOfItems)  // 1
    // example: end
    #expect(transcript.lines == ["2", "1"])
  }

  @Test func aViewIsAQuery() throws {
    let store = try makeStore()
    // example: tables-view
    try store.write { tx in
      try tx.execute(
        """
        CREATE VIEW spender AS
        SELECT customer.id, customer.name, sum(line.cents) AS cents
        FROM customer JOIN purchase ON purchase.customer_id = customer.id
          JOIN line ON line.purchase_id = purchase.id
        GROUP BY customer.id
        """)
    }
    let spenders = Query(view: "spender", key: ["id"]).sort(by: "cents", .descending)
    let results = try store.results(of: spenders)
    try results.load()
    let observation = results.observe { event in
      if case .didPartiallyLoad(let changes) = event { print(changes) }
    }
    try store.write { try $0.execute("UPDATE line SET cents = 950 WHERE id = 2") }
    // R~ [0,0]→[0,0] #1
    // example: end
    observation.cancel()
    #expect(try results.strategy.kind.isIncremental)
    #expect(results.statistics.rebuildCount == 0)
    #expect(transcript.lines == ["R~ [0,0]→[0,0] #1"])
  }

  @Test func aGroupIsARow() throws {
    let store = try makeStore()
    // example: tables-groups
    let countries = Query(
      """
      SELECT customer.country, count(DISTINCT purchase.id) AS purchases, sum(line.cents) AS cents
      FROM customer JOIN purchase ON purchase.customer_id = customer.id
        JOIN line ON line.purchase_id = purchase.id
      GROUP BY customer.country HAVING sum(line.cents) >= :least
      """, key: ["country"], named: ["least": 1000]
    ).sort(by: "cents", .descending)
    let results = try store.results(of: countries)
    try results.load()
    let observation = results.observe { event in
      if case .didPartiallyLoad(let changes) = event { print(changes) }
    }
    try store.write { try $0.execute("INSERT INTO line VALUES (4, 2, 'pot', 1000)") }
    // R+ [0,0] #'us'
    // example: end
    observation.cancel()
    #expect(try results.strategy.kind.isIncremental)
    #expect(results.statistics.rebuildCount == 0)
    #expect(transcript.lines == ["R+ [0,0] #'us'"])
  }

  // MARK: - How rows are followed

  @Test func anExplanationSaysHowRowsAreFollowed() throws {
    let store = try makeStore()
    let purchases = Self.purchases
    // example: tables-explain
    let explanation = try store.explain(purchases)
    print(explanation.maintenance)
    for table in explanation.followedTables { print(table) }
    // example: end
    try expectToBeInArticle(transcript.lines)
    #expect(explanation.maintenance.kind.isIncremental)
  }

  @Test func anExplanationNamesMissingIndexes() throws {
    let store = try makeStore()
    let purchases = Self.purchases
    #expect(try store.explain(purchases).suggestedIndexes == [])
    // example: tables-indexes
    try store.write { try $0.execute("DROP INDEX purchase_on_customer_id") }
    let explanation = try store.explain(purchases)
    for question in explanation.touchedRowCost?.questions ?? [] { print(question) }
    for index in explanation.suggestedIndexes {
      print(index.sql)
      print(index.reason)
    }
    // example: end
    try expectToBeInArticle(transcript.lines)
  }

  @Test func anExplanationSaysWhyAllRowsAreCompared() throws {
    let store = try Store.inMemory()
    try store.write {
      try $0.execute("CREATE TABLE category (id INTEGER PRIMARY KEY, parent INTEGER)")
    }
    // example: tables-refused
    let tree = Query(
      """
      WITH RECURSIVE below(id) AS (
        SELECT 1 UNION SELECT category.id FROM category JOIN below ON category.parent = below.id)
      SELECT id FROM below
      """, key: ["id"])
    print(try store.explain(tree).maintenance)
    // example: end
    try expectToBeInArticle(transcript.lines)
  }

  /// The shapes that the article says are compared as a whole.
  @Test(
    arguments: [
      "SELECT customer.id FROM customer FULL JOIN purchase ON purchase.customer_id = customer.id",
      "SELECT id FROM customer UNION SELECT id FROM purchase ORDER BY 1 LIMIT 2",
      "VALUES (1)", "SELECT 1 AS id", "SELECT id, random() AS chance FROM customer",
      "SELECT id, row_number() OVER w AS place FROM customer WINDOW w AS (PARTITION BY id)",
      "SELECT customer.id FROM customer, json_each('[1]') AS one",
      "SELECT id FROM customer INDEXED BY customer_on_name WHERE name > ''",
      "SELECT id, code FROM coded", "SELECT country AS id, name FROM customer GROUP BY country",
      """
      SELECT purchase.id FROM purchase
      LEFT JOIN customer ON customer.id = purchase.customer_id AND customer.name LIKE 'A%'
      """,
    ])
  func someShapesAreComparedAsAWhole(_ sql: String) throws {
    let store = try makeStore()
    try store.write {
      try $0.execute(
        """
        CREATE INDEX customer_on_name ON customer (name);
        CREATE TABLE coded (id INTEGER PRIMARY KEY, code TEXT COLLATE RTRIM);
        """)
    }
    let key = sql == "VALUES (1)" ? "column1" : "id"
    let explanation = try store.explain(Query(sql, key: [key]))
    #expect(explanation.maintenance.kind == .refetching, "\(explanation.maintenance)")
  }

  /// The shapes that the article says are followed row by row.
  @Test(
    arguments: [
      "SELECT id FROM customer UNION SELECT id FROM purchase",
      "SELECT id FROM customer EXCEPT SELECT customer_id FROM purchase",
      "SELECT DISTINCT customer_id AS id FROM purchase NATURAL JOIN line",
      "SELECT id FROM customer WHERE id NOT IN (SELECT customer_id FROM purchase)",
      """
      SELECT customer.id, other.name FROM customer
      LEFT JOIN customer AS other ON other.country = customer.country
      """,
      """
      SELECT id, (SELECT count(*) FROM purchase WHERE customer_id = customer.id) AS n FROM customer
      """,
      """
      WITH rich AS (SELECT purchase_id FROM line WHERE cents > 500)
      SELECT purchase_id AS id FROM rich
      """,
      "SELECT purchase_id AS id, sum(cents) FILTER (WHERE cents > 5) AS c FROM line GROUP BY 1",
      "SELECT purchase_id AS id, sum(cents) OVER (PARTITION BY purchase_id) AS c FROM line",
      "SELECT purchase.id FROM customer RIGHT JOIN purchase ON purchase.customer_id = customer.id",
    ])
  func mostShapesAreFollowedRowByRow(_ sql: String) throws {
    let explanation = try makeStore().explain(Query(sql, key: ["id"]))
    #expect(explanation.maintenance.kind.isIncremental, "\(explanation.maintenance)")
  }
}
