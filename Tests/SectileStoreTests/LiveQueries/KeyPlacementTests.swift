import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Where the condition on a key is put, so that a row is read without all others.
@Suite struct KeyPlacementTests {
  private static let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, code TEXT);
    CREATE TABLE sale (
      id INTEGER PRIMARY KEY, customer INTEGER, code TEXT, word TEXT COLLATE NOCASE, any, price INTEGER);
    CREATE TABLE refund (id INTEGER PRIMARY KEY, customer INTEGER, price INTEGER);
    CREATE TABLE nobody (id INTEGER PRIMARY KEY);
    CREATE TABLE loose (name PRIMARY KEY);
    INSERT INTO loose VALUES (1), (2), ('1');
    CREATE INDEX sale_customer ON sale (customer);
    CREATE INDEX sale_code ON sale (code);
    CREATE INDEX sale_word ON sale (word);
    CREATE INDEX sale_any ON sale (any);
    CREATE INDEX refund_customer ON refund (customer);
    CREATE VIEW turnover AS
      SELECT customer, count(*) AS n, sum(price) AS price FROM sale GROUP BY customer;
    INSERT INTO customer VALUES (1, 'a', '1'), (2, 'A', '02'), (3, 'b', '3'), (4, NULL, NULL);
    INSERT INTO sale (customer, code, word, any, price) VALUES
      (1, '1', 'a', 1, 5), (1, '01', 'A', 1.0, 6), (2, '2', 'b', '1', 7), (2, '02', 'B', 2, 8),
      (NULL, NULL, NULL, NULL, 9), (3, '3', 'c', 3, 10), (3, '3', 'c', 3, 10), (3, 'A', 'd', 4, 11);
    INSERT INTO refund (customer, price) VALUES (1, 5), (3, 10), (NULL, 1);
    """

  /// A query, its key, and whether rows are read without going through all sales.
  struct Case: CustomTestStringConvertible {
    let sql: String
    let key: [String]
    let isSearched: Bool

    init(_ sql: String, by key: String..., isSearched: Bool = true) {
      (self.sql, self.key, self.isSearched) = (sql, key, isSearched)
    }

    var testDescription: String { sql }
  }

  static let cases = [
    // Into what is grouped apart, across a join.
    Case("SELECT id, n FROM customer LEFT JOIN turnover ON customer = id", by: "id"),
    Case("SELECT id, n FROM customer JOIN turnover ON turnover.customer = customer.id", by: "id"),
    Case("SELECT id, n FROM customer, turnover WHERE customer = id AND n > ?", by: "id"),
    Case(
      """
      SELECT x.id, s.n, r.n AS refunds FROM customer x
        LEFT JOIN (SELECT customer, count(*) + ? AS n FROM sale GROUP BY customer) s ON x.id = s.customer
        LEFT JOIN (SELECT DISTINCT customer, price AS n FROM refund) r ON r.customer = x.id
      """, by: "id"),
    Case(
      "SELECT * FROM (SELECT id, n FROM customer LEFT JOIN turnover ON customer = id) WHERE n IS NOT 7",
      by: "id"),
    Case(
      """
      SELECT x.id, t.n FROM customer x JOIN refund r ON r.customer = x.id
      JOIN turnover t ON t.customer = r.customer
      """, by: "id"),
    // Into the arms.
    Case(
      "SELECT customer, price FROM sale UNION SELECT customer, price FROM refund", by: "customer"),
    Case(
      "SELECT customer, price FROM sale EXCEPT SELECT customer, price FROM refund", by: "customer"),
    Case(
      """
      SELECT 'sale' AS kind, id, price FROM sale UNION SELECT 'refund', id, price FROM refund
      EXCEPT SELECT 'sale', id, price FROM sale WHERE price > ?
      """, by: "kind", "id"),
    Case(
      """
      SELECT id, u.price FROM customer LEFT JOIN (
        SELECT customer, price FROM sale INTERSECT SELECT customer, price FROM refund
      ) u ON u.customer = id
      """, by: "id"),
    // A group of spellings is read as it is.
    Case("SELECT word, count(*) AS n FROM sale GROUP BY word", by: "word", isSearched: false),
    Case("SELECT any, count(*) AS n FROM sale GROUP BY any", by: "any", isSearched: false),
    Case("SELECT DISTINCT word, customer FROM sale", by: "customer", "word", isSearched: false),
    Case("SELECT word FROM sale UNION SELECT name FROM customer", by: "word", isSearched: false),
    // Texts are compared as numbers: '01' is 1.
    Case(
      """
      SELECT id, n FROM customer LEFT JOIN (SELECT code, count(*) AS n FROM sale GROUP BY code) s
      ON s.code = id
      """, by: "id", isSearched: false),
    // 'A' is 'a'.
    Case(
      """
      SELECT x.code, x.name, s.n FROM customer x
      JOIN (SELECT code, count(*) AS n FROM sale GROUP BY code) s ON x.name = s.code
      """, by: "code", "name", isSearched: false),
    // Of the arms one compares as numbers, the other as texts.
    Case(
      """
      SELECT x.id, g.n FROM customer x LEFT JOIN (
        SELECT k, count(*) AS n FROM (SELECT id AS k FROM nobody UNION ALL SELECT code FROM sale) GROUP BY k
      ) g ON g.k = x.id
      """, by: "id", isSearched: false),
    // A spelling is chosen further inside, or values are joined in some order.
    Case(
      """
      SELECT y.name, g.n FROM loose y LEFT JOIN (
        SELECT any, n FROM (SELECT any, sum(price) AS n FROM sale GROUP BY any)
      ) g ON g.any = y.name
      """, by: "name", isSearched: false),
    Case(
      """
      SELECT x.id, g.words, g.least FROM customer x LEFT JOIN (
        SELECT customer, group_concat(word) AS words, min(word) AS least FROM sale GROUP BY customer
      ) g ON g.customer = x.id
      """, by: "id", isSearched: false),
    // A name that it has only where it is read from.
    Case(
      """
      SELECT x.id, x.name COLLATE NOCASE, n FROM customer x LEFT JOIN turnover ON customer = x.id
      """, by: "id"),
    Case(
      """
      SELECT x.id, least, most, n FROM customer x LEFT JOIN (
        SELECT customer, min(price) AS least, max(code) AS most, count(DISTINCT word) AS n FROM sale
        GROUP BY customer
      ) g ON g.customer = x.id
      """, by: "id"),
    // What a limit or a window leaves depends on all rows.
    Case(
      """
      SELECT x.id, s.price FROM customer x
      LEFT JOIN (SELECT customer, price FROM sale ORDER BY price DESC, id LIMIT 2) s ON s.customer = x.id
      """, by: "id", isSearched: false),
    // What is filled up with NULL is nobody's.
    Case(
      """
      SELECT s.customer, x.id FROM customer x
      LEFT JOIN (SELECT customer, count(*) AS n FROM sale GROUP BY customer) s ON s.customer = x.id + 1
      """, by: "customer", isSearched: false),
  ]

  /// The rows that have a key, by their texts.
  private func row(_ values: [StoredValue]) -> String { "\(values)" }

  @Test(arguments: cases) func aRowIsThatOfTheWholeQuery(test: Case) throws {
    let store = try Store.inMemory()
    try store.write { transaction in
      try transaction.execute(Self.schema)
      let values = test.sql.filter { $0 == "?" }.map { _ in StoredValue.integer(1) }
      let sql = SQLFragment(test.sql, values)
      let db = transaction.db
      let reading = try SelectReading(sql, in: db)
      let key = try #require(reading.positions(of: test.key))
      let rows = try db.schemaRows(sql.sql, sql.values)
      let placed = KeyPlacement.query(of: reading, wanting: key, always: true, in: db)
      if test.isSearched { _ = try #require(placed) }
      let statement = PlanStatement(
        SQLFragment("SELECT * FROM ") + (placed ?? sql).inParentheses, numberingKey: key.count)
      #expect(!rows.isEmpty)
      for wanted in Set(rows.map { row in key.map { row[$0] } }) {
        let found = try db.schemaRows(statement.sql, wanted + statement.values)
        let isWanted = { (row: [StoredValue]) in key.map { row[$0] } == wanted }
        #expect(
          found.filter(isWanted).map(row).sorted() == rows.filter(isWanted).map(row).sorted(),
          "\(wanted) in \(statement.sql)")
      }
      let steps = try QueryPlanStep.steps(
        of: SQLFragment(statement.sql, key.map { _ in .null } + statement.values), in: db)
      let scans = steps.flatMap(\.all).map(\.detail).filter {
        $0.hasPrefix("SCAN sale") || $0.hasPrefix("SCAN refund")
      }
      if test.isSearched {
        #expect(scans == [], "\(statement.sql)")
      }
    }
  }
}
