internal import GRDB
import SectileCore

/// How to tell from what a row was where it stood among the wanted rows.
///
/// Possible where rows are ordered by columns of their own that items have and that the pre-update
/// hook shows.
struct FormerPlaces: Sendable {
  /// What the filter said of a row.
  enum Verdict {
    case wanted
    case unwanted
    /// Only SQLite could tell.
    case unknown
  }

  /// Where the values of the complete order stand in the item.
  let positions: [Int]
  /// The conditions that are all the filter says, with the places of their columns in the item; nil
  /// where only SQLite can tell.
  private let bounds: [(position: Int, bound: FilterBound)]?

  /// Creates the rule of a plan; nil where what a row was does not say where it stood.
  ///
  /// - Throws: What reading the schema throws.
  init?(_ sql: PlanSQL, in db: Database) throws {
    let plan = sql.plan
    guard plan.joins.isEmpty, try plan.hasStoredRows(in: db),
      let columns = try plan.tableColumns(in: db)
    else { return nil }
    let layout = try TableLayout(table: plan.table, in: db)
    var positions: [Int] = []
    for term in sql.decidingTerms {
      guard let column = term.column, column.table == plan.table,
        term.expression == plan.qualified(column.name),
        let position = plan.itemColumns.firstIndex(of: column.name)
      else { return nil }
      positions.append(position)
    }
    guard layout.showsOldValues(of: positions.map { plan.itemColumns[$0] }),
      try layout.isUnique(plan.keyColumns, in: db)
    else { return nil }
    self.positions = positions
    bounds = Self.bounds(of: plan, in: columns, shownBy: layout)
  }

  private static func bounds(
    of plan: FetchPlan, in columns: TableColumns, shownBy layout: TableLayout
  ) -> [(position: Int, bound: FilterBound)]? {
    guard let filter = plan.filter else { return [] }
    let bounds = plan.filterBounds(in: columns)
    guard let parts = SQLConjunction(filter)?.parts, bounds.count == parts.count,
      layout.showsOldValues(of: bounds.map(\.column.name))
    else { return nil }
    let placed = bounds.compactMap { bound in
      plan.itemColumns.firstIndex(of: bound.column.name).map { (position: $0, bound: bound) }
    }
    return placed.count == bounds.count ? placed : nil
  }

  /// Returns what the filter said of a row; `value` yields the columns of its item as they were.
  func verdict(_ value: (Int) -> RawColumn) -> Verdict {
    guard let bounds else { return .unknown }
    var verdict = Verdict.wanted
    for (position, bound) in bounds {
      let stored = value(position)
      if bound.excludes(stored) { return .unwanted }
      if !bound.includes(stored) { verdict = .unknown }
    }
    return verdict
  }
}
