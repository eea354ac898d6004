import GRDB
import SectileCore

/// What a plan's filter says of the columns that are recorded of its base table.
struct RowFilter {
  let table: String
  let recordedRows: RecordedRows
  let bounds: [(position: Int, bound: FilterBound)]
  private let lists: [(position: Int, members: FilterMembers)]
  /// Whether one of the lists is so long that it is worth while to look at the rows first.
  let hasLongList: Bool

  /// Looks for conditions on recorded columns; nil where there are none.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - base: What the recorder knows of its base table.
  ///   - db: The writing connection.
  /// - Throws: What reading the schema throws.
  init?(_ plan: FetchPlan, _ base: BaseRows, in db: Database) throws {
    guard plan.filter != nil, let rows = base.recordedRows, rows.rowIDColumn != nil,
      let columns = try plan.tableColumns(in: db)
    else { return nil }
    bounds = plan.filterBounds(in: columns).compactMap { bound in
      rows.position(of: bound.column.name).map { ($0, bound) }
    }
    lists = plan.filterMembers(in: columns).compactMap { list in
      rows.position(of: list.column.name).map { ($0, list) }
    }
    hasLongList = lists.contains { $0.members.members.count >= FilterMembers.longCount }
    guard !bounds.isEmpty || !lists.isEmpty else { return nil }
    table = plan.table
    recordedRows = rows
  }

  /// Whether the filter certainly does not want a row of these columns.
  func excludes(_ columns: [RawColumn]) -> Bool {
    bounds.contains { $0.bound.excludes(columns[$0.position]) }
      || lists.contains { $0.members.excludes(columns[$0.position]) }
  }
}
