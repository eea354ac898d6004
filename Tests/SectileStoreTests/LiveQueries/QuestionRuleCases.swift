import Testing

@testable import SectileStore

/// The smallest commit after which a query's questions miss a row without one of the rules.
struct QuestionRuleCase: Sendable, CustomTestStringConvertible {
  let rule: QuestionRule
  /// The tables and their columns, as `id integer primary key, k`.
  let tables: KeyValuePairs<String, String>
  let rows: String
  let commit: String
  let query: String
  let key: [String]

  var testDescription: String { rule.rawValue }

  static let all: [QuestionRuleCase] = [
    // Both partners go: each is asked for beside the other as it is now.
    QuestionRuleCase(
      rule: .former, tables: ["a": "id integer primary key", "b": "id integer primary key, a"],
      rows: "INSERT INTO a VALUES (1); INSERT INTO b VALUES (5, 1)",
      commit: "DELETE FROM a; DELETE FROM b",
      query: "SELECT a.id AS i, b.id AS j FROM a JOIN b ON b.a = a.id", key: ["i", "j"]),
    QuestionRuleCase(
      rule: .nullable,
      tables: ["a": "id integer primary key", "b": "a, x", "c": "a, x"],
      rows: "INSERT INTO a VALUES (1)",
      commit: "INSERT INTO b VALUES (1, 1); INSERT INTO c VALUES (1, 1)",
      query: """
        SELECT a.id AS id FROM a LEFT JOIN b ON b.a = a.id LEFT JOIN c ON c.a = a.id
        WHERE b.x IS NULL AND c.x IS NULL
        """, key: ["id"]),
    // The partner in the same table is not touched.
    QuestionRuleCase(
      rule: .occurrence, tables: ["t": "id integer primary key, p"],
      rows: "INSERT INTO t VALUES (1, NULL)", commit: "INSERT INTO t VALUES (2, 1)",
      query: "SELECT x.id AS i, y.id AS j FROM t AS x JOIN t AS y ON y.p = x.id",
      key: ["i", "j"]),
    // The touched row is one of two, the condition is about both.
    QuestionRuleCase(
      rule: .having, tables: ["t": "id integer primary key, k"],
      rows: "INSERT INTO t VALUES (1, 7)", commit: "INSERT INTO t VALUES (2, 7)",
      query: """
        SELECT o.k AS k FROM (SELECT k, count(*) AS n FROM t GROUP BY k) AS o WHERE o.n > 1
        """, key: ["k"]),
    // The rows of both came in one commit, and hide the row from each other.
    QuestionRuleCase(
      rule: .negative, tables: ["a": "id integer primary key", "l": "a", "m": "a"],
      rows: "INSERT INTO a VALUES (1)",
      commit: "INSERT INTO l VALUES (1); INSERT INTO m VALUES (1)",
      query: """
        SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM l WHERE l.a = a.id)
        AND NOT EXISTS (SELECT 1 FROM m WHERE m.a = a.id)
        """, key: ["id"]),
    QuestionRuleCase(
      rule: .setOperation, tables: ["a": "k", "b": "k"],
      rows: "INSERT INTO a VALUES (1), (2)", commit: "INSERT INTO b VALUES (1)",
      query: "SELECT k FROM a EXCEPT SELECT k FROM b", key: ["k"]),
    // One NULL turns NOT IN off for all.
    QuestionRuleCase(
      rule: .notIn, tables: ["a": "id integer primary key, k", "l": "y"],
      rows: "INSERT INTO a VALUES (1, 7), (2, NULL)", commit: "INSERT INTO l VALUES (NULL)",
      query: "SELECT id FROM a WHERE k NOT IN (SELECT y FROM l)", key: ["id"]),
    // The sum of the other row of the partition is another.
    QuestionRuleCase(
      rule: .partition, tables: ["t": "id integer primary key, g, x"],
      rows: "INSERT INTO t VALUES (1, 1, 5)", commit: "INSERT INTO t VALUES (2, 1, 3)",
      query: "SELECT id, sum(x) OVER (PARTITION BY g) AS s FROM t", key: ["id"]),
    // The row with NULL goes.
    QuestionRuleCase(
      rule: .nullKey, tables: ["a": "id integer primary key", "b": "id integer primary key, a"],
      rows: "INSERT INTO a VALUES (1)", commit: "INSERT INTO b VALUES (5, 1)",
      query: "SELECT a.id AS i, b.id AS j FROM a LEFT JOIN b ON b.a = a.id", key: ["i", "j"]),
    // The row that was first is not touched.
    QuestionRuleCase(
      rule: .limit, tables: ["t": "id integer primary key, x"],
      rows: "INSERT INTO t VALUES (1, 5)", commit: "INSERT INTO t VALUES (2, 3)",
      query: "SELECT id FROM (SELECT id FROM t ORDER BY x LIMIT 1)", key: ["id"]),
    // The union compares as its first arm does, the question has the second only.
    QuestionRuleCase(
      rule: .arms,
      tables: [
        "a": "id integer primary key, x text collate nocase",
        "b": "id integer primary key, y text", "c": "w text",
      ],
      rows: "INSERT INTO c VALUES ('a')", commit: "INSERT INTO b VALUES (10, 'A')",
      query: """
        SELECT DISTINCT q.id AS id
        FROM (SELECT id, x AS v FROM a UNION ALL SELECT id, y FROM b) AS q, c WHERE q.v = c.w
        """, key: ["id"]),
    // The group is called 'A' instead of 'a'.
    QuestionRuleCase(
      rule: .spelling, tables: ["t": "id integer primary key, n text collate nocase"],
      rows: "INSERT INTO t VALUES (2, 'a')", commit: "INSERT INTO t VALUES (1, 'A')",
      query: """
        SELECT n || '' AS k, count(*) AS c FROM (SELECT n FROM t GROUP BY n) GROUP BY 1
        """, key: ["k"]),
  ]
}
