import GRDB
import SectileCore

/// Finds out which results a transaction cannot concern, because their filters want none of the
/// rows that it touched, neither as they were nor as they are.
///
/// Many results of one table, each of a few rows, would each ask SQLite for every row that is
/// written. The rows are read once instead, and most filters then have an integer or a text to
/// compare.
struct CommitPruning {
  /// Fewer results ask by themselves.
  static let leastCount = 4

  private var tables: [(recordedRows: RecordedRows, rows: WrittenRows?)] = []

  /// Whether the transaction does not concern a plan, but for contents that have one of
  /// ``lostKeys(of:)``.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - db: The writing connection, inside the transaction.
  /// - Returns: True if it certainly does not.
  mutating func rulesOut(_ plan: FollowedPlan, in db: Database) -> Bool {
    guard let filter = plan.rowFilter, plan.isBaseAloneTouched else { return false }
    let rows = rows(of: filter, in: db)
    return rows?.allAreExcluded { filter.excludes($0) } ?? false
  }

  /// The rows of a plan's table of which nobody knows what they were: contents that have one may
  /// lose it.
  ///
  /// Called for a plan that was ruled out.
  func lostKeys(of plan: FollowedPlan) -> [RowKey] {
    tables.first { $0.recordedRows === plan.rowFilter?.recordedRows }?.rows?.lostKeys ?? []
  }

  /// The rows of a filter's table that the transaction touched; nil where they are not read.
  mutating func rows(of filter: RowFilter, in db: Database) -> WrittenRows? {
    if let known = tables.first(where: { $0.recordedRows === filter.recordedRows }) {
      return known.rows
    }
    // Where they cannot be read, the results will meet the error themselves.
    let rows = try? WrittenRows(filter.recordedRows, of: filter.table, in: db)
    tables.append((filter.recordedRows, rows))
    return rows
  }
}
