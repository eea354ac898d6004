import GRDB
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// Whether seeking the rows before a row finds what ORDER BY shows before it.
@Suite(.timeLimit(.minutes(60))) struct PredecessorQueryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let schema: String
    let keys: [String]
    var section: String?
    var sectionCollation: TextCollation?
    var isSectionDescending = false
    /// Column, whether descending, collation, NULL order.
    var sort: [(String, Bool, TextCollation?, NullOrder?)] = []
    var filter: SQLFragment?
    var isIndexed = true

    var testDescription: String { name }

    var plan: FetchPlan {
      var plan = FetchPlan(table: "t", keyColumns: keys, itemColumns: keys)
      plan.filter = filter
      plan.section = section.map { section in
        FetchPlan.Section(
          identity: plan.term(
            section, isDescending: isSectionDescending, collation: sectionCollation))
      }
      plan.sort = sort.map {
        plan.term($0.0, isDescending: $0.1, nulls: $0.3, collation: $0.2)
      }
      return plan
    }
  }

  static let columns = "g TEXT, h TEXT COLLATE NOCASE, a TEXT, n TEXT NOT NULL, i INTEGER, x"
  static let byRowID = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));"
  static let byText = "CREATE TABLE t (k TEXT PRIMARY KEY, \(columns));"
  static let byPair =
    "CREATE TABLE t (k TEXT, j INTEGER, \(columns), PRIMARY KEY (k, j)) WITHOUT ROWID;"
  static let swift = TextCollation("REVERSED") { left, right in
    String(left.reversed()) < String(right.reversed()) ? -1 : left == right ? 0 : 1
  }

  static let cases = [
    Case(name: "key alone", schema: byRowID, keys: ["id"]),
    Case(
      name: "nullable column", schema: byRowID + "CREATE INDEX t_i ON t (a);", keys: ["id"],
      sort: [("a", false, nil, nil)]),
    Case(
      name: "nullable column, descending", schema: byRowID + "CREATE INDEX t_i ON t (i, id DESC);",
      keys: ["id"], sort: [("i", true, nil, nil)]),
    Case(
      name: "sections", schema: byRowID + "CREATE INDEX t_i ON t (g, a);", keys: ["id"],
      section: "g", sort: [("a", false, nil, nil)]),
    Case(
      name: "sections, descending", schema: byRowID + "CREATE INDEX t_i ON t (g, a DESC);",
      keys: ["id"], section: "g", isSectionDescending: true, sort: [("a", true, nil, nil)]),
    Case(
      name: "sections under NOCASE", schema: byRowID + "CREATE INDEX t_i ON t (h, x, n);",
      keys: ["id"], section: "h", sort: [("x", false, nil, nil), ("n", false, nil, nil)]),
    Case(
      name: "sections under RTRIM",
      schema: byRowID + "CREATE INDEX t_i ON t (g COLLATE RTRIM, n COLLATE NOCASE, i);",
      keys: ["id"], section: "g", sectionCollation: .rtrim,
      sort: [("n", false, .nocase, nil), ("i", false, nil, nil)]),
    Case(
      name: "NOCASE columns", schema: byRowID + "CREATE INDEX t_i ON t (h, a COLLATE NOCASE DESC);",
      keys: ["id"], sort: [("h", false, nil, nil), ("a", true, .nocase, nil)]),
    Case(
      name: "several collations in one row value",
      schema: byRowID + "CREATE INDEX t_i ON t (h, n COLLATE RTRIM);", keys: ["id"],
      sort: [("h", false, nil, nil), ("n", false, .rtrim, nil)]),
    Case(
      name: "all descending",
      schema: byPair + "CREATE INDEX t_i ON t (n COLLATE NOCASE, k, j);", keys: ["k", "j"],
      sort: [("n", true, .nocase, nil), ("k", true, nil, nil), ("j", true, nil, nil)]),
    Case(
      name: "text key", schema: byText + "CREATE INDEX t_i ON t (g, x, k);", keys: ["k"],
      section: "g", sort: [("x", false, nil, nil)]),
    Case(
      name: "text key, not in the index", schema: byText + "CREATE INDEX t_i ON t (g, x);",
      keys: ["k"], section: "g", sort: [("x", false, nil, nil)], isIndexed: false),
    Case(name: "pair as key", schema: byPair, keys: ["k", "j"]),
    Case(
      name: "pair behind a column", schema: byPair + "CREATE INDEX t_i ON t (g, n);",
      keys: ["k", "j"], section: "g", sort: [("n", false, nil, nil)]),
    Case(
      name: "part of the key in the order", schema: byPair + "CREATE INDEX t_i ON t (i, j);",
      keys: ["k", "j"], sort: [("i", false, nil, nil), ("j", false, nil, nil)]),
    Case(
      name: "three columns at once", schema: byPair + "CREATE INDEX t_i ON t (n, x, i, k, j);",
      keys: ["k", "j"],
      sort: [("n", false, nil, nil), ("x", false, nil, nil), ("i", false, nil, nil)]),
    Case(
      name: "NULL last", schema: byRowID + "CREATE INDEX t_i ON t (a);", keys: ["id"],
      sort: [("a", false, nil, .last)]),
    Case(
      name: "NULL first, descending", schema: byRowID + "CREATE INDEX t_i ON t (g, a DESC);",
      keys: ["id"], section: "g", sort: [("a", true, nil, .first)]),
    Case(
      name: "a collation of Swift",
      schema: byRowID + "CREATE INDEX t_i ON t (g COLLATE REVERSED, a COLLATE REVERSED);",
      keys: ["id"], section: "g", sectionCollation: swift, sort: [("a", false, swift, nil)]),
    Case(
      name: "sorted by the section's own column",
      schema: byRowID + "CREATE INDEX t_i ON t (h, h COLLATE BINARY);", keys: ["id"],
      section: "h", sort: [("h", false, .binary, nil)]),
    Case(
      name: "behind a column that the filter pins",
      schema: byRowID + "CREATE INDEX t_i ON t (g, i, a);", keys: ["id"], section: "i",
      sort: [("a", false, nil, nil)],
      filter: SQLFragment(#"("t"."g" = ?) AND (n <> 'é' OR x = ?)"#, [.text("a"), .integer(1)])),
    Case(
      name: "a filter that pins nothing of the index",
      schema: byRowID + "CREATE INDEX t_i ON t (a);", keys: ["id"],
      sort: [("a", false, nil, nil)], filter: SQLFragment("g = 'a'")),
    Case(
      name: "the filter pins what it is sorted by",
      schema: byRowID + "CREATE INDEX t_i ON t (g, a);", keys: ["id"],
      section: "g", sort: [("a", false, nil, nil)], filter: SQLFragment("t.g IS ?", [.null])),
    Case(
      name: "no index", schema: byRowID, keys: ["id"], sort: [("a", false, nil, nil)],
      isIndexed: false),
    Case(
      name: "index under another collation",
      schema: byRowID + "CREATE INDEX t_i ON t (a COLLATE NOCASE);", keys: ["id"],
      sort: [("a", false, nil, nil)], isIndexed: false),
  ]

  @Test(arguments: cases, [1, 2, 3])
  func theRowsBeforeARowAreFoundNearestFirst(in test: Case, seed: UInt64) throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      db.register(Self.swift)
      try db.execute(sql: test.schema)
      var random = SeededRandom(seed: seed)
      for _ in 0..<(test.filter == nil ? 160 : 600) { try insertRow(into: db, by: &random) }
      let sql = PlanSQL(try PlanQueries(test.plan, in: db).plan)
      guard let query = try PredecessorQuery.answered(for: sql, in: db) else {
        let plans = try plans(of: sql, in: db)
        #expect(!test.isIndexed, "\(plans)")
        return
      }
      #expect(test.isIndexed)
      var section: [[StoredValue]] = []
      var identity: StoredValue?
      var sought = 0
      let all = try rows(sql.selectRows, in: db)
      let wanted = Set(all.map { row in sql.layout.key.map { row[$0] } })
      for row in all {
        let found = sql.layout.identity.map { row[$0] } ?? .null
        if identity != found {
          section = []
          identity = found
        }
        let key = sql.layout.key.map { row[$0] }
        let ordering = try #require(
          try rows(SQLFragment(sql.selectOrdering.sql, sql.selectOrdering.values + key), in: db)
            .first)
        // Which row is meant by a key that is NULL, nobody can say.
        if !key.contains(.null), let steps = query.steps(whereNull: { ordering[$0] == .null }) {
          let before = try predecessors(by: steps, of: ordering, in: db)
            .filter { test.filter == nil || wanted.contains(Array($0.prefix(key.count))) }
          #expect(before == section.reversed(), "\(random), before \(ordering)")
          sought += 1
        }
        // Each row comes with the value that decides first.
        section.append(key + (query.firstPosition.map { [row[sql.layout.ordering[$0]]] } ?? []))
      }
      #expect(sought > (test.filter == nil ? 80 : 4))
    }
  }

  @Test func oneSearchFindsTheRowBefore() throws {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(sql: Self.byRowID + "CREATE INDEX t_i ON t (g, a);")
      var plan = FetchPlan(table: "t", keyColumns: ["id"], itemColumns: [])
      plan.section = FetchPlan.Section(identity: plan.term("g"))
      plan.sort = [plan.term("a")]
      let query = try #require(try PredecessorQuery.answered(for: PlanSQL(plan), in: db))
      let steps = try #require(query.steps { _ in false })
      #expect(
        steps.map(\.sql) == [
          #"SELECT "t"."id", "t"."a" FROM "main"."t" WHERE "t"."g" IS ? AND ("t"."a", "t"."id") < "#
            + #"(?, ? COLLATE "BINARY") ORDER BY "t"."a" DESC, "t"."id" DESC"#,
          #"SELECT "t"."id", "t"."a" FROM "main"."t" WHERE "t"."g" IS ? AND "t"."a" IS NULL "#
            + #"ORDER BY "t"."id" DESC"#,
        ])
      #expect(steps.map(\.positions) == [[0, 1, 2], [0]])
      #expect(
        try steps.map { try $0.searchedIndex(in: db) }
          == ["COVERING INDEX t_i", "COVERING INDEX t_i"])
      // The row's own NULL: of those rows only the key decides.
      #expect(query.steps { $0 == 1 }?.count == 2)
      #expect(query.steps { $0 == 1 }?.first?.positions == [0, 1, 2])
    }
  }

  private func predecessors(
    by steps: [PredecessorQuery.Step], of ordering: [StoredValue], in db: Database
  ) throws -> [[StoredValue]] {
    var keys: [[StoredValue]] = []
    for step in steps {
      keys += try rows(
        SQLFragment(step.sql, step.values + step.positions.map { ordering[$0] }), in: db)
    }
    return keys
  }

  private func plans(of sql: PlanSQL, in db: Database) throws -> [String] {
    let columns = try #require(try TableColumns(of: "t", in: db))
    let query = sql.selectPredecessors(in: columns)
    let steps = (query?.steps ?? []) + (query?.separateSteps ?? [])
    return try steps.flatMap { step in
      [step.sql]
        + (try rows(SQLFragment("EXPLAIN QUERY PLAN " + step.sql), in: db))
        .map { "\($0[3])" }
    }
  }

  private func rows(_ fragment: SQLFragment, in db: Database) throws -> [[StoredValue]] {
    let statement = try RawStatement.prepare(fragment.sql, on: db)
    try statement.bind(fragment.values)
    var rows: [[StoredValue]] = []
    while try statement.step() { rows.append(try statement.rowValues()) }
    return rows
  }

  /// Inserts a row of few different values of all storage classes, so that many are equal.
  private func insertRow(into db: Database, by random: inout SeededRandom) throws {
    let words = ["a", "A", "b", "B ", "a ", "ab", "", "1", "10", "9", "é"]
    let texts = words.map { StoredValue.text($0) }
    let odd: [StoredValue] = [
      .integer(1), .real(1.5), .integer(-3), .real(1e300), .integer(Int64.max), .blob([97]),
      .blob([]), .real(0.1), .integer(10),
    ]
    func pick(_ isNullable: Bool) -> StoredValue {
      guard !isNullable || random.chance(0.85) else { return .null }
      let list = random.chance(0.7) ? texts : odd
      return list[Int.random(in: 0..<list.count, using: &random)]
    }
    let info = try rows(
      SQLFragment("SELECT name, \"notnull\" FROM pragma_table_xinfo('t')"), in: db)
    var values: [StoredValue] = []
    for column in info {
      values.append(
        column[0] == .text("id")
          ? .integer(Int64.random(in: -50...500, using: &random))
          : column[0] == .text("j")
            ? .integer(Int64.random(in: 0..<4, using: &random))
            : column[0] == .text("k") && random.chance(0.9)
              ? .text("\(Int64.random(in: 0..<900, using: &random))")
              : pick(column[1] == .integer(0)))
    }
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let statement = try RawStatement.prepare("INSERT OR IGNORE INTO t VALUES (\(marks))", on: db)
    try statement.bind(values)
    try statement.run()
  }
}
