import SectileCore
import SectileTestSupport

@testable import SectileStore

/// A random query as live results follow it: with a key that tells its rows apart, and by chance
/// with sections, an order, a condition and a limit from outside.
struct LiveQuery: CustomStringConvertible {
  /// What can be said of the keys of a query's rows.
  struct Keys {
    let rowCount: Int
    /// Whether two rows have one key.
    let hasDoubles: Bool
    /// Whether a part of a key is a real without a fraction, which identities have as an integer.
    let hasWholeReal: Bool
  }

  let rows: SQLFragment
  let plan: FetchPlan

  var description: String {
    let parts: [String?] = [
      "\(rows.sql) \(rows.values)", "key \(plan.keyColumns)",
      plan.filter.map { "filter \($0)" }, plan.section.map { "section \($0.identity.expression)" },
      "sort \(plan.sort.map { ($0.expression.sql, $0.isDescending, $0.nullOrder) })",
      plan.limit.map { "limit \($0) offset \(plan.offset)" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private init?(_ select: RandomSelect, on tables: [RandomTable], random: inout SeededRandom) {
    let key = select.addUniqueKey(of: tables)
    // Where the arms of a compound compare in different ways, values depend on the plan.
    guard !key.isEmpty, !select.hasUnlikeArms else { return nil }
    rows = select.fragment
    var plan = FetchPlan(
      query: rows, named: "query", keyColumns: key, itemColumns: select.names)
    let names = select.names.shuffled(using: &random)
    func quoted(_ position: Int) -> String {
      SQLName.quote("query", names[position % names.count])
    }
    if random.chance(0.4) {
      let expressions = [
        SQLFragment("typeof(\(quoted(0)))"), SQLFragment("\(quoted(0)) = ?", [1]),
      ]
      let expression = expressions.randomElement(using: &random) ?? expressions[0]
      plan.section = FetchPlan.Section(
        identity: FetchPlan.SortTerm(
          expression: expression, isDescending: random.chance(0.3)))
    }
    for name in names.prefix(Int.random(in: 0...2, using: &random)) {
      let nulls: [NullOrder?] = [nil, nil, .first, .last]
      let order = nulls[Int.random(in: nulls.indices, using: &random)]
      plan.sort.append(plan.term(name, isDescending: random.chance(0.4), nulls: order))
    }
    if random.chance(0.3) {
      let conditions = [
        SQLFragment("\(quoted(1)) IS NOT ?", [1]), SQLFragment("\(quoted(1)) > ?", [1]),
        SQLFragment("\(quoted(1)) = ? OR \(quoted(2)) IS NULL", [2]),
      ]
      plan.filter = conditions.randomElement(using: &random)
    }
    if random.chance(0.2) {
      plan.limit = Int.random(in: 1...8, using: &random)
      plan.offset = Int.random(in: 0...3, using: &random)
    }
    self.plan = plan
  }

  /// Makes queries that SQLite accepts, and that have few rows now, with the views they read.
  static func make(
    _ count: Int, on tables: [RandomTable], in store: Store, rowLimit: Int, random: SeededRandom
  ) throws -> [LiveQuery] {
    var random = random
    let generator = SelectGenerator(on: tables, random: random.fork(), isDeterministic: true)
    var queries: [LiveQuery] = []
    for number in 0..<(count * 8) where queries.count < count {
      let select = generator.query()
      let views = select.nameDerivedTables("v\(number)", random: &random)
      guard let query = LiveQuery(select, on: tables, random: &random) else { continue }
      do {
        try store.write { transaction in
          for (name, view) in views {
            try transaction.execute("CREATE VIEW \(name) AS \(view.sqlOfView)")
          }
        }
        let keys = try query.keys(in: store)
        if keys.rowCount <= rowLimit, !keys.hasDoubles, !keys.hasWholeReal { queries.append(query) }
      } catch let error as StoreError where error.code == .statementFailed {}
    }
    return queries
  }

  /// Reads what can be said of the keys, as SQLite compares them.
  func keys(in store: Store) throws -> Keys {
    let columns = plan.keyColumns.map { SQLName.quote($0) }
    let reals = columns.map { "typeof(\($0)) = 'real' AND \($0) = CAST(\($0) AS INTEGER)" }
      .joined(separator: " OR ")
    let sql = """
      SELECT coalesce(sum(n), 0), coalesce(max(n), 0) > 1, coalesce(max(e), 0)
      FROM (SELECT count(*) AS n, max(\(reals)) AS e FROM (\(rows.sql))
      GROUP BY \(columns.joined(separator: ", ")))
      """
    let values = try store.read { try $0.query(sql, values: rows.values)[0].values }
    guard case .integer(let count) = values[0] else {
      return Keys(rowCount: 0, hasDoubles: false, hasWholeReal: false)
    }
    return Keys(
      rowCount: Int(count), hasDoubles: values[1] == 1, hasWholeReal: values[2] == 1)
  }
}
