import GRDB
import SectileCore
import Testing

@testable import SectileStore

/// Each rule by which questions are derived, on the smallest commit that needs it.
@Suite(.timeLimit(.minutes(60))) struct QuestionRuleTests {
  /// The keys that a commit changed, and those of them that no question answers.
  private struct Outcome {
    let changed: Set<CheckedQuery.Key>
    let missed: Set<CheckedQuery.Key>
    let answer: QuestionCheck.Answer
  }

  private func outcome(
    of tested: QuestionRuleCase, leavingOut rules: Set<QuestionRule>
  ) throws -> Outcome {
    try DatabaseQueue().inDatabase { db throws -> Outcome in
      var tables: [CheckedTable] = []
      for (name, columns) in tested.tables {
        try db.execute(sql: "CREATE TABLE \(name) (\(columns))")
        let declarations = columns.split(separator: ", ")
        tables.append(
          CheckedTable(
            name: name,
            columns: declarations.map { declaration in String(declaration.prefix { $0 != " " }) },
            declaration: columns.replacing(" primary key", with: "")))
      }
      try db.execute(sql: tested.rows)
      var check = try QuestionCheck(tables, in: db)
      check.leavingOut = rules
      let names = try RawStatement.prepare(tested.query, on: db).columnNames
      let query = try CheckedQuery(
        SQLFragment(tested.query), names: names, key: tested.key,
        collations: names.map { _ in "BINARY" }, in: db)
      let (contents, before) = (try check.contents(), try query.rows(in: db))
      try db.execute(sql: tested.commit)
      let touched = try check.touch(since: contents)
      let changed = CheckedQuery.changedKeys(from: before, to: try query.rows(in: db))
      let answer = try check.answer(of: query, about: touched)
      return Outcome(
        changed: changed, missed: changed.filter { !answer.names($0) }, answer: answer)
    }
  }

  @Test(arguments: QuestionRuleCase.all)
  func everyChangedRowIsAnswered(_ tested: QuestionRuleCase) throws {
    let outcome = try outcome(of: tested, leavingOut: [])
    #expect(!outcome.changed.isEmpty)
    #expect(outcome.missed == [], "\(outcome.answer)")
    #expect(outcome.answer.failure == nil)
  }

  @Test(arguments: QuestionRuleCase.all)
  func withoutTheRuleARowIsMissed(_ tested: QuestionRuleCase) throws {
    let outcome = try outcome(of: tested, leavingOut: [tested.rule])
    #expect(outcome.missed != [], "\(outcome.answer)")
    #expect(outcome.answer.failure == nil)
  }

  /// The one rule that is about too many keys, not about too few.
  @Test func aLeftJoinThatIsAskedForAnswersItsOwnRowsOnly() throws {
    let tested = QuestionRuleCase(
      rule: .inner, tables: ["a": "id integer primary key", "b": "id integer primary key, a"],
      rows: "INSERT INTO a VALUES (1), (2), (3)", commit: "INSERT INTO b VALUES (5, 1)",
      query: "SELECT a.id AS id, count(b.id) AS n FROM a LEFT JOIN b ON b.a = a.id GROUP BY a.id",
      key: ["id"])
    let with = try outcome(of: tested, leavingOut: [])
    let without = try outcome(of: tested, leavingOut: [.inner])
    #expect(with.missed == [] && without.missed == [])
    #expect(with.answer.keyCount == 1 && !with.answer.isEverything)
    #expect(without.answer.keyCount == 3 || without.answer.isEverything)
  }

  /// A shadow that compares otherwise than its table misses the row: 'AB' is 'ab' in the table.
  @Test func touchedRowsCompareAsTheirTableDoes() throws {
    let tested = QuestionRuleCase(
      rule: .former,
      tables: [
        "t": "id integer primary key, n text collate nocase", "u": "id integer primary key, n text",
      ],
      rows: "INSERT INTO u VALUES (1, 'ab')", commit: "INSERT INTO t VALUES (1, 'AB')",
      query: "SELECT u.id AS id FROM t JOIN u ON t.n = u.n", key: ["id"])
    let outcome = try outcome(of: tested, leavingOut: [])
    #expect(outcome.changed == [["integer 1"]])
    #expect(outcome.missed == [])
  }

  /// A rule without a case would be tried by chance only.
  @Test func everyRuleHasACase() {
    let tested = Set(QuestionRuleCase.all.map(\.rule)).union([.inner])
    #expect(tested == Set(QuestionRule.allCases))
  }
}
