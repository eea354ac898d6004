import Foundation
import SectileCore
import Testing

@testable import SectileStore

/// What `explain` says that a touched row of a query costs, and which indexes are missing.
@Suite(.timeLimit(.minutes(60))) struct TouchedRowCostTests {
  private static let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
    CREATE TABLE purchase (
      id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer,
      placed_on TEXT NOT NULL);
    CREATE TABLE line (
      id INTEGER PRIMARY KEY, purchase_id INTEGER NOT NULL REFERENCES purchase,
      cents INTEGER NOT NULL);
    CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, manager_id INTEGER);
    CREATE TABLE pair (a INTEGER, b INTEGER, note TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE pair_item (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER);
    CREATE TABLE node (id INTEGER PRIMARY KEY, x INTEGER, y INTEGER, z INTEGER);
    CREATE VIEW spender AS
      SELECT customer.id, customer.name, sum(line.cents) AS cents
      FROM customer JOIN purchase ON purchase.customer_id = customer.id
        JOIN line ON line.purchase_id = purchase.id
      GROUP BY customer.id;
    """
  private static let purchaseIndex =
    #"CREATE INDEX "purchase_on_customer_id" ON "purchase" ("customer_id")"#
  private static let lineIndex = #"CREATE INDEX "line_on_purchase_id" ON "line" ("purchase_id")"#

  private static let purchases = Query(
    """
    SELECT purchase.id, customer.name AS customer, count(line.id) AS lines
    FROM purchase JOIN customer ON customer.id = purchase.customer_id
      LEFT JOIN line ON line.purchase_id = purchase.id
    GROUP BY purchase.id
    """, key: ["id"])

  private func explanation(
    of query: Query, with statements: [String] = [], in kind: StorageKind = .memory
  ) throws -> RequestExplanation {
    try withStore(kind) { store in
      try store.write { transaction in
        try transaction.execute(Self.schema)
        for sql in statements { try transaction.execute(sql) }
      }
      let before = try store.read { try $0.query("SELECT * FROM sqlite_schema") }
      let explanation = try store.explain(query)
      #expect(try store.read { try $0.query("SELECT * FROM sqlite_schema") } == before)
      return explanation
    }
  }

  private func cost(
    of query: Query, with statements: [String] = [], in kind: StorageKind = .memory
  ) throws -> RequestExplanation.TouchedRowCost {
    try #require(try explanation(of: query, with: statements, in: kind).touchedRowCost)
  }

  private func details(_ steps: [QueryPlanStep]) -> [String] {
    steps.flatMap(\.all).map(\.detail)
  }

  /// The steps that go through all rows of something else than the touched rows.
  private func scans(_ steps: [QueryPlanStep]) -> [String] {
    details(steps).filter { $0.hasPrefix("SCAN ") && !$0.contains(" VIRTUAL TABLE ") }
  }

  @Test(arguments: StorageKind.allCases)
  func aJoinWithIndexesSearches(kind: StorageKind) throws {
    let cost = try cost(
      of: Self.purchases, with: [Self.purchaseIndex, Self.lineIndex], in: kind)
    #expect(cost.questions.map(\.table) == ["customer", "line", "purchase"])
    #expect(cost.questionCount == 3)
    #expect(cost.unaskedTables == [])
    for question in cost.questions {
      #expect(question.answer == .key)
      #expect(question.keyColumns == ["id"])
      #expect(question.values == [])
      #expect(question.sql.hasPrefix("SELECT DISTINCT "), "\(question.sql)")
      #expect(question.sql.contains("\"touched_\(question.table)\" AS "), "\(question.sql)")
      #expect(details(question.queryPlan).contains { $0.contains(" VIRTUAL TABLE ") })
      #expect(scans(question.queryPlan) == [])
      #expect(
        "\(question)" == "A touched row of \(question.table) names rows by their key (id).")
    }
    #expect(
      details(cost.questions[0].queryPlan).contains {
        $0.hasPrefix("SEARCH ") && $0.contains("INDEX purchase_on_customer_id (customer_id=?)")
      })
    #expect(
      details(cost.rereadingPlan).contains {
        $0.hasPrefix("SEARCH ") && $0.contains("INDEX line_on_purchase_id (purchase_id=?)")
      })
    #expect(cost.rereadingSQL.contains(" IS ?"), "\(cost.rereadingSQL)")
    #expect(cost.suggestedIndexes == [])
  }

  @Test func theIndexOfAForeignKeyIsMissing() throws {
    let explanation = try explanation(of: Self.purchases, with: [Self.lineIndex])
    let cost = try #require(explanation.touchedRowCost)
    #expect(scans(cost.questions[0].queryPlan).count == 1)
    let suggestion = try #require(cost.suggestedIndexes.first)
    #expect(cost.suggestedIndexes.count == 1)
    #expect(suggestion.name == "purchase_on_customer_id")
    #expect(suggestion.sql == Self.purchaseIndex)
    #expect(
      suggestion.reason
        == "A touched row of customer finds its rows of purchase through the index instead of "
        + "reading all of them.")
    #expect(explanation.suggestedIndex == nil)
    #expect(explanation.suggestedIndexes == cost.suggestedIndexes)
    let text = explanation.description
    #expect(text.contains("\nA touched row of customer names rows by their key (id).\nSELECT "))
    #expect(text.contains("\n\nA row is read again by its key.\n"))
    #expect(text.contains("An index would help: \(Self.purchaseIndex)"))

    let helped = try self.cost(of: Self.purchases, with: [Self.lineIndex, suggestion.sql])
    #expect(helped.suggestedIndexes == [])
    #expect(scans(helped.questions[0].queryPlan) == [])
  }

  @Test func theIndexByWhichARowIsReadAgainIsMissing() throws {
    let cost = try cost(of: Self.purchases, with: [Self.purchaseIndex])
    for question in cost.questions { #expect(scans(question.queryPlan) == []) }
    #expect(cost.suggestedIndexes.map(\.sql) == [Self.lineIndex])
    #expect(
      cost.suggestedIndexes.map(\.reason) == [
        "A row that is read again finds its rows of line through the index instead of reading "
          + "all of them."
      ])
  }

  /// Without both indexes SQLite reads all lines, and the index of the lines alone helps nothing.
  @Test func indexesThatHelpOnlyTogetherAreFound() throws {
    let query = Query(view: "spender", key: ["id"])
    let cost = try cost(of: query)
    #expect(cost.questions.map(\.table) == ["customer", "line", "purchase"])
    #expect(cost.questions.allSatisfy { $0.answer == .key })
    #expect(cost.suggestedIndexes.map(\.sql) == [Self.purchaseIndex, Self.lineIndex])
    #expect(
      cost.suggestedIndexes.map(\.reason) == [
        "A touched row of customer finds its rows of purchase through the index instead of "
          + "reading all of the rows of line.",
        "A touched row of customer finds its rows of line through the index instead of reading "
          + "all of them.",
      ])
    let helped = try self.cost(of: query, with: cost.suggestedIndexes.map(\.sql))
    #expect(helped.suggestedIndexes == [])
    for question in helped.questions { #expect(scans(question.queryPlan) == []) }
    #expect(details(helped.rereadingPlan).contains { $0.contains("INDEX line_on_purchase_id (") })
  }

  @Test func aTableIsAskedAboutEachTimeThatItIsNamed() throws {
    let cost = try cost(
      of: Query(
        """
        SELECT employee.id, employee.name, boss.name AS boss
        FROM employee LEFT JOIN employee AS boss ON boss.id = employee.manager_id
        """, key: ["id"]))
    #expect(cost.questions.map(\.table) == ["employee", "employee"])
    #expect(cost.questions.allSatisfy { $0.answer == .key })
    #expect(cost.questions[0].sql != cost.questions[1].sql)
    #expect(
      cost.suggestedIndexes.map(\.sql)
        == [#"CREATE INDEX "employee_on_manager_id" ON "employee" ("manager_id")"#])
    #expect(
      cost.suggestedIndexes.map(\.reason) == [
        "A touched row of employee finds its other rows of employee through the index instead of "
          + "reading all of them."
      ])
  }

  @Test func columnsThatAreJoinedTogetherAreOneIndex() throws {
    let cost = try cost(
      of: Query(
        """
        SELECT pair_item.id, pair.note
        FROM pair_item JOIN pair ON pair.a = pair_item.a AND pair_item.b = pair.b
        """, key: ["id"]))
    #expect(
      cost.suggestedIndexes.map(\.sql)
        == [#"CREATE INDEX "pair_item_on_a_b" ON "pair_item" ("a", "b")"#])
  }

  @Test func aGroupOfANullableSideIsNamedByAPartOfItsKey() throws {
    let cost = try cost(
      of: Query(
        """
        SELECT purchase.placed_on, customer.country, count(*) AS purchases
        FROM purchase LEFT JOIN customer
          ON customer.id = purchase.customer_id AND length(customer.name) > 3
        GROUP BY purchase.placed_on, customer.country
        """, key: ["placed_on", "country"]))
    #expect(cost.questions.map(\.table) == ["customer", "purchase"])
    #expect(cost.questions.map(\.answer) == [.partOfKey, .key])
    #expect(cost.questions.map(\.keyColumns) == [["placed_on"], ["placed_on", "country"]])
    #expect(
      "\(cost.questions[0])"
        == "A touched row of customer names rows by a part of their key (placed_on), which is "
        + "looked for in all keys.")
    // The group's own column: SQLite passes the condition on the key into GROUP BY.
    #expect(
      cost.suggestedIndexes.map(\.name) == ["purchase_on_customer_id", "purchase_on_placed_on"])
  }

  @Test func aGroupThatComparesByNOCASEIsNamedByWhatIsEqual() throws {
    let cost = try cost(
      of: Query("SELECT name, count(*) AS n FROM employee GROUP BY name", key: ["name"]))
    #expect(cost.questions.map(\.answer) == [.equalKey])
    #expect("\(cost.questions[0])".contains("by what their key (name) is equal to"))
  }

  /// What stands in the text is a text or an integer, and declares no type: only 2.0 is also 2.
  @Test(arguments: [
    (
      "SELECT 'bought' AS kind, id FROM purchase UNION SELECT 'line', id FROM line",
      RequestExplanation.Question.Answer.key
    ),
    ("SELECT 1 AS kind, id FROM purchase UNION ALL SELECT 2, id FROM line", .key),
    (
      "SELECT * FROM (SELECT 'bought' AS kind, id FROM purchase UNION ALL SELECT 'line', id FROM line)",
      .key
    ),
    ("SELECT DISTINCT (0) AS kind, id FROM purchase", .key),
    ("SELECT 1 AS kind, id FROM purchase UNION ALL SELECT 2.0, id FROM line", .equalKey),
    ("SELECT 9223372036854775808 AS kind, id FROM purchase", .equalKey),
    ("SELECT 'a' COLLATE NOCASE AS kind, id FROM purchase", .equalKey),
  ])
  func constantsInAKeyAreTheSameWhereTheyAreEqual(
    sql: String, answer: RequestExplanation.Question.Answer
  ) throws {
    let cost = try cost(of: Query(sql, key: ["kind", "id"]))
    #expect(!cost.questions.isEmpty)
    #expect(cost.questions.allSatisfy { $0.answer == answer }, "\(cost.questions)")
  }

  @Test(arguments: [
    ("SELECT customer_id, count(*) AS n, avg(id) AS a FROM purchase GROUP BY customer_id", true),
    ("SELECT customer_id, max(id) AS last FROM purchase GROUP BY customer_id", false),
    ("SELECT customer_id, placed_on FROM purchase JOIN line ON purchase_id = purchase.id", nil),
  ])
  func whetherSumsOfGroupsAreKeptIsSaid(sql: String, keepsSums: Bool?) throws {
    let cost = try cost(of: Query(sql, key: ["customer_id"]))
    #expect(cost.keepsSums == keepsSums)
    #expect(cost.remarks.count == (keepsSums == nil ? 0 : 1))
  }

  /// There is nothing by which an index could lead from one to the other.
  @Test func aSubqueryThatRefersToNothingNamesAllRows() throws {
    let cost = try cost(
      of: Query(
        "SELECT id, (SELECT max(cents) FROM line) AS most FROM purchase", key: ["id"]))
    let question = try #require(cost.questions.first { $0.table == "line" })
    #expect(scans(question.queryPlan).count == 1)
    #expect(cost.suggestedIndexes == [])
  }

  @Test func aQueryWithALimitDoesNotTellWhichRows() throws {
    let cost = try cost(
      of: Query("SELECT id, name FROM customer ORDER BY name LIMIT 3", key: ["id"]))
    let question = try #require(cost.questions.first)
    #expect(question.answer == .anyRow)
    #expect(question.keyColumns == [])
    #expect(
      "\(question)"
        == "A touched row of customer does not tell which rows may have changed: all are compared.")
  }

  @Test func valuesAreThoseOfTheQuestion() throws {
    let query = Query(
      """
      SELECT purchase.id FROM purchase JOIN customer ON customer.id = purchase.customer_id
      WHERE customer.country = :country
      """, key: ["id"], named: ["country": "uk"])
    let cost = try cost(of: query)
    #expect(cost.questions.map(\.values) == [["uk"], ["uk"]])
    #expect(cost.questions.allSatisfy { !$0.queryPlan.isEmpty })
  }

  /// What stands for touched rows is called otherwise where a table has its name.
  @Test func namesOfTouchedRowsAreFree() throws {
    let query = Query(
      """
      SELECT customer.id, touched_customer.note FROM customer
      JOIN touched_customer ON touched_customer.id = customer.id
      """, key: ["id"])
    let cost = try cost(
      of: query, with: ["CREATE TABLE touched_customer (id INTEGER PRIMARY KEY, note TEXT)"])
    #expect(cost.questions.map(\.table) == ["customer", "touched_customer"])
    #expect(cost.questions[0].sql.contains(#""touched_customer_2" AS "#))
    #expect(cost.questions[0].sql.contains(#""main"."touched_customer" AS "#))
    #expect(cost.questions[1].sql.contains(#""touched_touched_customer" AS "#))
    #expect(cost.questions.allSatisfy { scans($0.queryPlan).isEmpty && !$0.queryPlan.isEmpty })
  }

  /// Whatever SQLite makes of the statistics of few rows.
  @Test func anIndexThatIsThereIsNotSuggestedAgain() throws {
    let cost = try cost(
      of: Self.purchases,
      with: [
        Self.purchaseIndex, Self.lineIndex, "INSERT INTO customer VALUES (1, 'Ada', 'uk')",
        "INSERT INTO purchase VALUES (1, 1, '2026-01-31'), (2, 1, '2026-02-01')",
        "INSERT INTO line VALUES (1, 1, 300)", "ANALYZE",
      ])
    #expect(cost.suggestedIndexes == [])
  }

  @Test func ofManyQuestionsTheFirstAreShown() throws {
    let cost = try cost(
      of: Query(
        """
        SELECT b.id AS b, c.id AS c, d.id AS d FROM node AS a
        JOIN node AS e ON e.id = a.x JOIN node AS f ON f.id = a.y
        LEFT JOIN node AS b ON b.id = a.x LEFT JOIN node AS c ON c.id = a.y
        LEFT JOIN node AS d ON d.id = a.z
        """, key: ["b", "c", "d"]))
    #expect(cost.questions.count == 40)
    #expect(cost.questionCount == 48)
    #expect(cost.remarks == ["8 more questions."])
    #expect(cost.description.contains("\n8 more questions.\n\nA row is read again by its key."))
  }

  @Test func otherRequestsHaveNone() throws {
    try withStore(.memory) { store in
      try store.write { try $0.execute(Self.schema) }
      let table = FetchPlan(table: "customer", keyColumns: ["id"], itemColumns: ["name"])
      #expect(try store.explain(table).touchedRowCost == nil)
      let refused = Query("SELECT id, random() AS chance FROM customer", key: ["id"])
      #expect(try store.explain(refused).touchedRowCost == nil)
    }
  }

  @Test func itSurvivesJSON() throws {
    let explanation = try explanation(of: Self.purchases)
    let data = try JSONEncoder().encode(explanation)
    #expect(try JSONDecoder().decode(RequestExplanation.self, from: data) == explanation)
    #expect(String(decoding: data, as: UTF8.self).contains(#""answer":"key""#))
  }
}
