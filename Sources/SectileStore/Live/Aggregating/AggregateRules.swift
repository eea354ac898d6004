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
  /// The item's columns, by their positions, by which it is told that a row's change is none for an
  /// aggregate that would have to be counted anew.
  let comparedColumns: [Int]
  /// Whether an index leads to the rows of a section.
  let seeksSections: Bool

  private let sql: PlanSQL

  /// Prepares the aggregates of a plan; nil where it has none.
  ///
  /// - Throws: `invalidRequest` where a collation is not known, or a condition looks at a column
  ///   that items do not have; where SQLite does not accept a condition.
  init?(_ sql: PlanSQL, in db: Database) throws {
    let plan = sql.plan
    guard !plan.aggregates.isEmpty else { return nil }
    self.sql = sql
    rules = try plan.aggregates.map { try AggregateRule($0, of: plan, in: db) }
    names = plan.aggregates.map(\.name)
    operands = sql.selectOperands(of: plan.aggregates)
    comparedColumns = Set(rules.flatMap { $0.decidingColumns ?? [] }).sorted()
    operandsOfRow = sql.selectOperandsOfRow(
      of: plan.aggregates, and: comparedColumns.map { plan.itemColumns[$0] })
    let inSection = sql.selectOperandsInSection(of: plan.aggregates)
    let bound = SQLFragment(
      inSection.sql, inSection.values + (plan.section == nil ? [] : [.null]))
    let steps = try QueryPlanStep.steps(of: bound, in: db).flatMap(\.all)
    seeksSections = plan.storedTable.map { table in !steps.contains { $0.scans(table) } } ?? true
    try Self.checkConditions(of: plan, in: db)
  }

  /// The states of no rows.
  var empty: [AggregateState] { rules.map { _ in AggregateState() } }

  /// Returns which aggregates a row counts in as before, of those that would have to be counted
  /// anew.
  ///
  /// - Parameters:
  ///   - before: The compared columns as they were.
  ///   - after: The compared columns as they are.
  /// - Returns: Their positions.
  func unaffected(from before: [RawColumn], to after: [RawColumn]) -> Set<Int> {
    var changed: Set<Int> = []
    for (number, column) in comparedColumns.enumerated()
    where !before[number].isIdentical(to: after[number]) {
      changed.insert(column)
    }
    return Set(
      rules.indices.filter { position in
        rules[position].decidingColumns.map { changed.isDisjoint(with: $0) } ?? false
      })
  }

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
      // Values need not be bound for a statement that is not run.
      let (table, columns) = (plan.source.sql, plan.itemColumns.map(SQLName.quote))
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
    _ aggregate: FetchPlan.Aggregate, of plan: FetchPlan, in db: Database
  ) throws {
    var collation = RowOrdering.Rule.binary
    switch aggregate.function {
    case .minimum(let column), .maximum(let column):
      // A column of a view or a query inherits its collation, which only SQLite knows.
      let declared =
        try plan.tableColumns(in: db) != nil
        ? FetchPlan.Column(table: plan.table, name: column).declaredCollation(in: db)
        : plan.impliedCollation(of: plan.term(column), in: db)
      guard let rule = RowOrdering.Rule(declared ?? .binary) else {
        throw StoreError.invalidRequest(
          "The aggregate \(aggregate.name) of a request for \(plan.table) compares text by a collation whose "
            + "rule only SQLite knows.",
          hint: "List the collation in the store's configuration.")
      }
      collation = rule
    default: break
    }
    let itemColumn = aggregate.function.column.flatMap { plan.itemColumns.firstIndex(of: $0) }
    let deciding: [Int]? =
      switch aggregate.function {
      case .minimum, .maximum, .distinctCount: itemColumn.map { [$0] }
      case .conditionCount(let condition): plan.itemColumns(mentionedIn: condition)
      default: nil
      }
    self.init(
      aggregate, itemColumn: itemColumn, decidingColumns: deciding, collation: collation)
  }
}

extension FetchPlan {
  /// Returns the positions of the item's columns that a condition may look at: all whose names its
  /// text has; nil where it may look at other tables.
  fileprivate func itemColumns(mentionedIn condition: SQLFragment) -> [Int]? {
    guard joins.isEmpty, dependencies.isEmpty, fullTextTables.isEmpty else { return nil }
    let text = condition.sql.lowercased()
    return itemColumns.indices.filter { position in
      let name = itemColumns[position].lowercased()
      return text.contains(name) || text.contains(SQLName.quote(name))
    }
  }
}

extension StoreError {
  fileprivate static func aggregateTooLarge(_ name: String, table: String) -> StoreError {
    StoreError(
      .aggregateTooLarge, message: "The aggregate \(name) of \(table) is no integer of 64 bits.",
      hint: "Add up a smaller number, or a REAL one.")
  }
}
