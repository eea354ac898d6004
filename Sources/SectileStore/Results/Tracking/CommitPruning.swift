import GRDB
import SectileCore

/// Finds out which results a transaction cannot concern, because their filters want none of the rows
/// that it touched, neither as they were nor as they are.
///
/// Many results of one table, each of a few rows, would each ask SQLite for every row that is written.
/// The rows are read once instead, and most filters then have an integer or a text to compare.
struct CommitPruning {
  /// Fewer results ask by themselves.
  static let leastCount = 4

  private var tables: [(notes: RowNotes, rows: WrittenRows?)] = []

  /// Whether the transaction does not concern a plan.
  ///
  /// - Parameters:
  ///   - registration: What is known of the plan.
  ///   - db: The writing connection, inside the transaction.
  /// - Returns: True if it certainly does not.
  mutating func rulesOut(_ registration: PlanRegistration, in db: Database) -> Bool {
    guard let filter = registration.rowFilter, registration.isBaseAloneTouched else { return false }
    let rows = rows(of: filter, in: db)
    return rows?.allAreExcluded { filter.excludes($0) } ?? false
  }

  /// The rows of a filter's table that the transaction touched; nil where they are not read.
  mutating func rows(of filter: RowFilter, in db: Database) -> WrittenRows? {
    if let known = tables.first(where: { $0.notes === filter.notes }) { return known.rows }
    // Where they cannot be read, the results will meet the error themselves.
    let rows = try? WrittenRows(filter.notes, of: filter.table, in: db)
    tables.append((filter.notes, rows))
    return rows
  }
}

/// What a plan's filter says of the columns that are noted of its base table.
struct RowFilter {
  let table: String
  let notes: RowNotes
  let bounds: [(position: Int, bound: FilterBound)]
  private let lists: [(position: Int, members: FilterMembers)]
  /// Whether one of the lists is so long that it is worth while to look at the rows first.
  let hasLongList: Bool

  /// Looks for conditions on noted columns; nil where there are none.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - base: What the recorder knows of its base table.
  ///   - db: The writing connection.
  /// - Throws: What reading the schema throws.
  init?(_ plan: FetchPlan, _ base: BaseRows, in db: Database) throws {
    guard plan.filter != nil, let notes = base.notes, notes.rowIDColumn != nil,
      let columns = try TableColumns(of: plan.table, in: db)
    else { return nil }
    bounds = plan.filterBounds(in: columns).compactMap { bound in
      notes.position(of: bound.column.name).map { ($0, bound) }
    }
    lists = plan.filterMembers(in: columns).compactMap { list in
      notes.position(of: list.column.name).map { ($0, list) }
    }
    hasLongList = lists.contains { $0.members.members.count >= FilterMembers.longCount }
    guard !bounds.isEmpty || !lists.isEmpty else { return nil }
    table = plan.table
    self.notes = notes
  }

  /// Whether the filter certainly does not want a row of these columns.
  func excludes(_ columns: [RawColumn]) -> Bool {
    bounds.contains { $0.bound.excludes(columns[$0.position]) }
      || lists.contains { $0.members.excludes(columns[$0.position]) }
  }
}
