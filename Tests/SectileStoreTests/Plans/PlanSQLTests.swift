import GRDB
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// The statements of plans: text, layout and rows, also for names chosen to break them.
@Suite(.timeLimit(.minutes(60))) struct PlanSQLTests {
  private func rows(
    _ script: String, _ fragment: SQLFragment, key: [StoredValue] = []
  ) throws -> [[StoredValue]] {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      try db.execute(sql: script)
      return try StoreReadTransaction(db: db, file: nil)
        .query(fragment.sql, values: fragment.values + key).map(\.values)
    }
  }

  private func fragment(_ statement: PlanStatement) -> SQLFragment {
    SQLFragment(statement.sql, statement.values)
  }

  private let script = """
    CREATE TABLE t (a INTEGER, b TEXT, s TEXT COLLATE NOCASE, k, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO t VALUES (1, 'x', 'B', 5), (1, 'y', 'a', NULL), (2, 'x', 'b', 3), (3, 'z', NULL, 1);
    """

  private var plan: FetchPlan {
    var plan = FetchPlan(
      table: "t", keyColumns: ["a", "b"], itemColumns: ["a", "k"],
      where: SQLFragment("a < ?", [9]))
    plan.section = FetchPlan.Section(
      identity: plan.term("s", collation: .nocase),
      order: [FetchPlan.SortTerm(expression: SQLFragment("length(s) + ?", [0]), nullOrder: .last)],
      title: SQLFragment("'the ' || s"))
    plan.sort = [plan.term("k", isDescending: true)]
    return plan
  }

  @Test func rowsAreLaidOutAsSaid() throws {
    let sql = PlanSQL(plan)
    #expect(sql.layout.item == 0..<2)
    // The item has columns of the key and of the order, too: they are selected once.
    #expect(sql.layout.key == [0, 2])
    #expect(sql.layout.identity == 3)
    #expect(sql.layout.sectionOrder == [4])
    #expect(sql.layout.title == 5)
    #expect(sql.layout.sort == [1])
    #expect(sql.layout.ordering == [4, 3, 1, 0, 2])
    let keys = PlanRowLayout(plan, withSort: false, withItems: false)
    #expect(keys.key == [0, 1] && keys.title == 4 && keys.sort.isEmpty && keys.item.isEmpty)
    #expect(
      sql.selectRows.sql
        == #"SELECT "t"."a", "t"."k", "t"."b", \#(folded), length(s) + ?, 'the ' || s FROM "main"."t""#
        + #" WHERE a < ? ORDER BY length(s) + ? NULLS LAST, "t"."s" COLLATE "NOCASE","#
        + #" "t"."k" DESC, "t"."a", "t"."b""#)
    #expect(
      try rows(script, sql.selectRows) == [
        [1, nil, "y", "a", 1, "the a"],
        [1, 5, "x", "b", 1, "the B"],
        [2, 3, "x", "b", 1, "the b"],
        [3, 1, "z", nil, nil, nil],
      ])
  }

  /// The identity of a section under `NOCASE`, for which a zero byte ends the text.
  private let folded =
    #"CASE typeof("t"."s") WHEN 'text' THEN CASE instr(CAST("t"."s" AS BLOB), x'00') WHEN 0"#
    + #" THEN lower("t"."s") ELSE substr(lower("t"."s"), 1) || CAST(zeroblob("#
    + #"length(CAST("t"."s" AS BLOB)) - instr(CAST("t"."s" AS BLOB), x'00') + 1) AS TEXT) END"#
    + #" ELSE "t"."s" END"#

  /// A long list of sections is searched by halving, and found is what comparing one by one finds.
  @Test(arguments: [nil, .binary, .nocase, .rtrim] as [TextCollation?], 0..<5)
  func fixedSectionsAreSearched(_ collation: TextCollation?, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let letters = ["a", "A", "b", "B ", "b", " ", "\u{E9}", "e\u{301}", "\0", "z"]
    func value() -> StoredValue {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .integer(Int64.random(in: -3...9, using: &random))
      case 1: .real(Double(Int.random(in: -6...18, using: &random)) / 2)
      case 2: .null
      case 3: .blob([UInt8.random(in: 0...3, using: &random)])
      default: .text((0..<3).map { _ in letters.randomElement(using: &random) ?? "" }.joined())
      }
    }
    var plan = FetchPlan(table: "t", keyColumns: ["id"], itemColumns: ["v"])
    plan.section = FetchPlan.Section(
      identity: plan.term("v", collation: collation), fixedSections: (0..<60).map { _ in value() })
    let searched = try #require(
      {
        var section = plan.section
        section?.areCollationsResolved = true
        return section?.effectiveOrder.first?.expression
      }())
    let compared = try #require(plan.section?.effectiveOrder.first?.expression)
    #expect(searched.sql != compared.sql)
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
      for _ in 0..<400 {
        let insertion = try RawStatement.cached("INSERT INTO t (v) VALUES (?)", on: db)
        try insertion.bindAll([value()])
        while try insertion.step() {}
        insertion.reset()
      }
      let query = try RawStatement.prepare(
        "SELECT id, v FROM t WHERE (\(searched.sql)) IS NOT (\(compared.sql))", on: db)
      try query.bindAll(searched.values + compared.values)
      while try query.step() { Issue.record("\(try query.columnValue(at: 1)) is found elsewhere") }
    }
  }

  @Test func oneRowIsFoundByItsKey() throws {
    let sql = PlanSQL(plan)
    #expect(
      try rows(script, fragment(sql.selectRow), key: [2, "x"]) == [
        [2, 3, "x", "b", 1, "the b"]
      ])
    #expect(sql.selectRow.sql.hasSuffix(#" WHERE (a < ?) AND ("t"."a" IS ? AND "t"."b" IS ?)"#))
    #expect(sql.selectRow.keyParameter == 3)
    var none = plan
    none.filter = SQLFragment("0")
    #expect(try rows(script, fragment(PlanSQL(none).selectRow), key: [2, "x"]) == [])
    #expect(
      try rows(script, fragment(PlanSQL(none).selectOrdering), key: [2, "x"]) == [
        [1, "b", 3, 2, "x"]
      ])
  }

  @Test func itemsAreFoundByTheirKeys() throws {
    let sql = PlanSQL(plan)
    #expect(
      sql.selectItems(count: 2).sql
        == "WITH wanted(k0, k1) AS (VALUES (?, ?), (?, ?))"
        + #" SELECT "t"."a", "t"."b", "t"."a", "t"."k" FROM wanted CROSS JOIN "main"."t""#
        + #" ON "t"."a" = "wanted"."k0" AND "t"."b" = "wanted"."k1""#)
    let steps = try rows(
      script, SQLFragment("EXPLAIN QUERY PLAN " + sql.selectItems(count: 2).sql),
      key: [1, "x", 3, "z"])
    #expect(steps.contains { "\($0)".contains("SEARCH main.t USING PRIMARY KEY (a=? AND b=?)") })
    #expect(
      try rows(script, sql.selectItems(count: 2), key: [1, "x", 3, "z"]) == [
        [1, "x", 1, 5], [3, "z", 3, 1],
      ])
    let simple = PlanSQL(FetchPlan(table: "t", keyColumns: ["a"], itemColumns: ["k"]))
    #expect(
      simple.selectItems(count: 3).sql
        == #"SELECT "t"."a", "t"."k" FROM "main"."t" WHERE "t"."a" IN (?, ?, ?)"#)
  }

  @Test func orderingSaysHowColumnsCompare() throws {
    let ordering = PlanSQL(plan).ordering
    #expect(ordering.terms.map(\.isDescending) == [false, false, true, false, false])
    #expect(ordering.terms.map(\.isNullFirst) == [false, true, false, true, true])
    #expect(ordering.terms.map(\.collation) == [nil, .nocase, nil, nil, nil])
    #expect(ordering.terms.map { $0.column?.name } == [nil, "s", "k", "a", "b"])
  }

  @Test func sectionsAreCounted() throws {
    let sql = PlanSQL(plan).selectSections
    #expect(
      try rows(script, sql) == [["a", 1, "the a"], ["b", 2, "the B"], [nil, 1, nil]])
    var plain = plan
    plain.section = FetchPlan.Section(identity: plan.term("s", collation: .nocase))
    #expect(
      PlanSQL(plain).selectSections.sql
        == #"SELECT \#(folded),"#
        + #" count(*), NULL FROM "main"."t" WHERE a < ? GROUP BY "t"."s" COLLATE "NOCASE""#
        + #" ORDER BY "t"."s" COLLATE "NOCASE""#)
    #expect(
      try rows(script, PlanSQL(plain).selectSections) == [
        [nil, 1, nil], ["a", 1, nil], ["b", 2, nil],
      ])
  }

  @Test func declaredCollationsAreWrittenOut() throws {
    var plan = plan
    plan.section = FetchPlan.Section(identity: plan.term("s"))
    plan.sort = [plan.term("k"), plan.term("s", collation: .binary)]
    let resolved = plan.resolvingCollations { $0.name == "s" ? .nocase : nil }
    #expect(resolved.section?.identity.collation == .nocase)
    #expect(resolved.sort.map(\.collation) == [nil, .binary])
  }

  @Test func foldingFollowsTheCollation() {
    let plan = plan
    let nocase = FetchPlan.Section(identity: plan.term("s", collation: .nocase))
    #expect(nocase.folded("ÄBC z") == "Äbc z")
    #expect(nocase.folded(3) == 3)
    let rtrim = FetchPlan.Section(identity: plan.term("s", collation: .rtrim))
    #expect(rtrim.folded(" a  ") == " a")
    #expect(FetchPlan.Section(identity: plan.term("s")).folded("A ") == "A ")
  }

  @Test(arguments: [
    "plain", "with \"quotes\"", "line\nbreak", "semi;colon--", "ключ", "e\u{301}", "select", "[x]",
    "a.b", "'apostrophe'", "quote\"\u{301}mark", " ",
  ])
  func hostileNamesAreNames(_ name: String) throws {
    let table = "t " + name
    let quoted = SQLName.quote(table)
    let column = SQLName.quote(name)
    let script = """
      CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(column) TEXT);
      INSERT INTO \(quoted) VALUES (1, 'b'), (2, 'a'), (3, NULL);
      """
    var plan = FetchPlan(table: table, keyColumns: ["id"], itemColumns: [name])
    plan.sort = [plan.term(name, nulls: .last)]
    plan.section = FetchPlan.Section(identity: plan.term(name), fixedSections: ["b", "a"])
    let sql = PlanSQL(plan)
    #expect(try rows(script, sql.selectItemsInOrder) == [["b"], ["a"]])
    #expect(try rows(script, fragment(sql.selectRow), key: [2]).count == 1)
    #expect(try rows(script, sql.selectItems(count: 1), key: [3]) == [[3, nil]])
    #expect(try rows(script, sql.selectCount) == [[2]])
  }
}
