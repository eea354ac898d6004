import GRDB
import SectileCore
import SectileTestSupport

@testable import SectileStore

/// Random queries over random tables, whose questions are asked after each of some random
/// transactions: of every result row that has changed, the key must be answered.
///
/// - A row with a changed key that is not answered is a miss.
/// - A query is compared as a whole before and after; keys fold as the query compares them.
/// - What stands for touched rows is a ``TouchedRowFeed``.
struct QuestionHarness {
  /// What was seen.
  struct Tally {
    var queries = 0
    /// Queries that are not understood, and should be.
    var refused: [String] = []
    /// How many queries SQLite answers by plan: `LIKE` in the ON of a LEFT JOIN, `RTRIM`.
    var dependentOnPlan = 0
    var checks = 0
    var changedResults = 0
    var questions = 0
    var everything = 0
    /// How many rows were read by a key that was placed where it comes from.
    var placedKeys = 0
    var statements = 0
    var refusedStatements = 0
    /// What is wrong.
    var problems: [String] = []

    var summary: String {
      "\(queries) queries, \(refused.count) refused, \(dependentOnPlan) more depend on the plan, "
        + "\(checks) checks, \(changedResults) changed results, \(questions) questions, "
        + "everything answered \(everything) times, \(placedKeys) keys placed, "
        + "\(problems.count) problems"
    }
  }

  let seed: UInt64
  var queryCount = 12
  var transactionCount = 25
  /// Temporary tables that are declared alike, or what the engine hands to SQLite.
  let feed: any TouchedRowFeed
  var leavingOut: Set<QuestionRule> = []

  init(seed: UInt64) {
    self.seed = seed
    feed = seed % 2 == 0 ? TemporaryTableFeed() : TouchedTableFeed()
  }

  func run(into tally: inout Tally) throws {
    var random = SeededRandom(seed: seed)
    // Queries that compare by RTRIM are refused.
    let comparesByRTRIM = random.chance(0.2)
    let tables = try RandomTables.accepted(random: &random, comparesByRTRIM: comparesByRTRIM)
    let queue = try DatabaseQueue()
    try queue.inDatabase { db throws in
      for sql in tables.statements { try db.execute(sql: sql) }
      var check = try QuestionCheck(tables.tables.map(CheckedTable.init), in: db, feed: feed)
      check.leavingOut = leavingOut
      var writes = RandomTableWrites(to: tables.tables, random: random.fork())
      for _ in 0..<12 { try writes.write(to: PlainConnection(db: db)) }
      let queries = try makeQueries(on: tables.tables, in: db, &random, &tally)
      if random.chance(0.5) { try db.execute(sql: "ANALYZE") }
      var states = try queries.map { try $0.rows(in: db) }
      for number in 0..<transactionCount {
        let before = try check.contents()
        try writes.write(to: PlainConnection(db: db))
        let touched = try check.touch(since: before)
        if touched.isEmpty { continue }
        for (position, query) in queries.enumerated() {
          let rows = try query.rows(in: db)
          let changed = CheckedQuery.changedKeys(from: states[position], to: rows)
          states[position] = rows
          try compare(changed, of: query, touched, check, &tally)
          guard number % 6 == 0 else { continue }
          let (count, problems) = try query.misplaced(in: db)
          tally.placedKeys += count
          tally.problems += problems.map { "seed \(seed): \(query.sql.sql): \($0)" }
        }
      }
      tally.statements += writes.count
      tally.refusedStatements += writes.refusedCount
    }
  }

  private func compare(
    _ changed: Set<CheckedQuery.Key>, of query: CheckedQuery,
    _ touched: [String: QuestionCheck.Touched], _ check: QuestionCheck, _ tally: inout Tally
  ) throws {
    let place = "seed \(seed): \(query.sql.sql) \(query.sql.values), key \(query.key)"
    guard touched.keys.contains(where: query.reading.tables.contains) else {
      if !changed.isEmpty { tally.problems.append("\(place): changed by none of its tables") }
      return
    }
    let answer = try check.answer(of: query, about: touched)
    tally.checks += 1
    tally.questions += answer.questions.count
    if answer.isEverything { tally.everything += 1 }
    if !changed.isEmpty { tally.changedResults += 1 }
    if let failure = answer.failure { tally.problems.append("\(place): refused: \(failure)") }
    let missed = changed.filter { !answer.names($0) }
    guard !missed.isEmpty else { return }
    let questions = answer.questions.joined(separator: "\n  ? ")
    let schema = try PlainConnection(db: check.db).rows(
      SQLFragment("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"))
    tally.problems.append(
      "\(place)\n  missed \(missed)\n  touched \(touched)\n  ? \(questions)\n  in \(schema)")
  }

  private func makeQueries(
    on tables: [RandomTable], in db: Database, _ random: inout SeededRandom, _ tally: inout Tally
  ) throws -> [CheckedQuery] {
    let generator = SelectGenerator(on: tables, random: random.fork())
    var queries: [CheckedQuery] = []
    for number in 0..<(queryCount * 4) where queries.count < queryCount {
      let select = generator.query()
      let views = select.nameDerivedTables("v\(number)", random: &random)
      do {
        for (name, query) in views {
          try db.execute(sql: "CREATE VIEW \(name) AS \(query.sqlOfView)")
        }
        // Products of tables cost more than they show.
        guard try PlainConnection(db: db).rows(select.fragment).count <= 500 else { continue }
      } catch is DatabaseError {
        continue
      } catch is StoreError { continue }
      let query = checkedQuery(select, in: db, &random, &tally)
      if let query { queries.append(query) }
    }
    return queries
  }

  /// Reads a query with a key by chance; the key of a grouped one is its group.
  private func checkedQuery(
    _ select: RandomSelect, in db: Database, _ random: inout SeededRandom, _ tally: inout Tally
  ) -> CheckedQuery? {
    var key = select.names
    if case .core(let core) = select {
      key = core.items.filter { !$0.expression.isOfSeveralRows }.map(\.name)
      if key.isEmpty { return nil }
    }
    if select.cores[0].groups.isEmpty || select.cores.count > 1 {
      key = Array(
        key.shuffled(using: &random).prefix(Int.random(in: 1...key.count, using: &random)))
    }
    let fragment = select.fragment
    let holdsFunction = fragment.sql.contains("json_each(")
    do {
      let query = try CheckedQuery(
        fragment, names: select.names, key: key, collations: select.collations, in: db)
      tally.queries += holdsFunction ? 0 : 1
      if holdsFunction {
        tally.problems.append("seed \(seed): not refused: \(fragment.sql)")
        return nil
      }
      if query.reading.columnNames != select.names {
        tally.problems.append("seed \(seed): read \(query.reading.columnNames): \(fragment.sql)")
      }
      if Set(query.reading.tables) != select.tables {
        tally.problems.append("seed \(seed): read \(query.reading.tables): \(fragment.sql)")
      }
      return query
    } catch {
      guard !holdsFunction else { return nil }
      guard error.rule != .dependsOnPlan else {
        tally.dependentOnPlan += 1
        return nil
      }
      tally.queries += 1
      tally.refused.append("seed \(seed): \(error): \(fragment.sql)")
      return nil
    }
  }
}
