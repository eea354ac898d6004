import GRDB
import SectileCore

/// The aggregates of a plan, made ready to be worked out against one schema.
final class AggregateRules: Sendable {
  let rules: [AggregateRule]
  /// The names of the aggregates.
  let names: [String]
  /// What they look at, of all rows.
  let operands: SQLFragment
  /// What they look at, of one row.
  let operandsOfRow: PlanStatement
  /// Whether an index leads to the rows of a section.
  let seeksSections: Bool

  private let sql: PlanSQL

  /// Prepares the aggregates of a plan; nil where it has none.
  ///
  /// - Throws: `invalidRequest` where a collation is not known, or a condition looks at a column that items do
  ///   not have; where SQLite does not accept a condition.
  init?(_ sql: PlanSQL, in db: Database) throws {
    let plan = sql.plan
    guard !plan.aggregates.isEmpty else { return nil }
    self.sql = sql
    rules = try plan.aggregates.map { try AggregateRule($0, of: plan, in: db) }
    names = plan.aggregates.map(\.name)
    operands = sql.selectOperands(of: plan.aggregates)
    operandsOfRow = sql.selectOperandsOfRow(of: plan.aggregates)
    let inSection = sql.selectOperandsInSection(of: plan.aggregates)
    let bound = SQLFragment(
      inSection.sql, inSection.values + (plan.section == nil ? [] : [.null]))
    seeksSections = try !QueryPlanStep.steps(of: bound, in: db).flatMap(\.all)
      .contains { $0.scans(plan.table) }
    try Self.checkConditions(of: plan, in: db)
  }

  /// The states of no rows.
  var empty: [AggregateState] { rules.map { _ in AggregateState() } }

  /// Returns what some of the aggregates look at, of the rows of one section.
  func operandsInSection(_ positions: [Int]) -> SQLFragment {
    sql.selectOperandsInSection(of: positions.map { rules[$0].aggregate })
  }

  /// Returns what counts different values in each section.
  func distinctCounts(_ positions: [Int]) -> SQLFragment {
    sql.selectDistinctCounts(of: positions.map { rules[$0].aggregate })
  }

  /// Returns what counts different values in one section, or in all rows.
  func distinctCounts(_ positions: [Int], inSection: Bool) -> SQLFragment {
    sql.selectDistinctCounts(of: positions.map { rules[$0].aggregate }, inSection: inSection)
  }

  /// Returns the values of states.
  ///
  /// - Throws: `aggregateTooLarge` where a sum of integers is none of 64 bits.
  func values(of states: [AggregateState]) throws(StoreError) -> AggregateValues {
    var values: [StoredValue] = []
    values.reserveCapacity(rules.count)
    for (rule, state) in zip(rules, states) {
      guard let value = rule.value(of: state) else {
        throw .aggregateTooLarge(rule.aggregate.name, table: sql.plan.table)
      }
      values.append(value)
    }
    return AggregateValues(
      AggregateValues.Storage(names: names, values: values, origin: AggregateStates(states)))
  }

  /// Refuses conditions that look at columns which items do not have: their changes are not told.
  private static func checkConditions(of plan: FetchPlan, in db: Database) throws {
    for aggregate in plan.aggregates {
      guard case .conditionCount(let condition) = aggregate.function else { continue }
      let (table, columns) = (plan.source, plan.itemColumns.map(SQLName.quote))
      let joins = plan.joins.map { " \(PlanSQL.join($0))" }.joined()
      func prepare(from rows: String) throws {
        _ = try RawStatement.prepare("SELECT \(condition.sql) FROM \(rows)\(joins)", on: db)
      }
      try prepare(from: table)
      do {
        // SQLite itself finds what is not among the items' columns.
        let items = "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
        try prepare(from: "(\(items)) AS \(SQLName.quote(plan.table))")
      } catch {
        throw StoreError.invalidRequest(
          "The aggregate \(aggregate.name) of a request for \(plan.table) looks at a column that its items do "
            + "not have: \(error)",
          hint: "Let the items have the column: a change of other columns is not told.")
      }
    }
  }
}

/// What the aggregates of the rows of a section, or of all, come from.
private final class AggregateStates: Sendable {
  let states: [AggregateState]

  init(_ states: [AggregateState]) { self.states = states }
}

extension AggregateValues {
  /// The states that the values come from; nil where they are not worked out from rows of SQLite.
  var states: [AggregateState]? { (storage?.origin as? AggregateStates)?.states }
}

extension AggregateRule {
  fileprivate convenience init(
    _ aggregate: PlanAggregate, of plan: FetchPlan, in db: Database
  ) throws {
    var collation = RowOrdering.Rule.binary
    switch aggregate.function {
    case .minimum(let column), .maximum(let column):
      let declared = try PlanColumn(table: plan.table, name: column).declaredCollation(in: db)
      guard let rule = RowOrdering.Rule(declared ?? .binary) else {
        throw StoreError.invalidRequest(
          "The aggregate \(aggregate.name) of a request for \(plan.table) compares text by a collation whose "
            + "rule only SQLite knows.",
          hint: "List the collation in the store's configuration.")
      }
      collation = rule
    default: break
    }
    self.init(
      aggregate,
      itemColumn: aggregate.function.column.flatMap { plan.itemColumns.firstIndex(of: $0) },
      collation: collation)
  }
}

extension StoreError {
  fileprivate static func aggregateTooLarge(_ name: String, table: String) -> StoreError {
    StoreError(
      .aggregateTooLarge, message: "The aggregate \(name) of \(table) is no integer of 64 bits.",
      hint: "Add up a smaller number, or a REAL one.")
  }
}
