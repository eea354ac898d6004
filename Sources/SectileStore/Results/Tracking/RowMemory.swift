import GRDB
import SectileCore

/// What of each row has to be remembered so that a later reading can be compared with it.
///
/// Nothing, in the best case: what a row was before a commit is seen by the pre-update hook. The
/// hook does not see the rows of views, columns that are computed and not stored, and values that
/// come from other tables; for these a digest is kept of each row.
struct RowMemory: Sendable {
  /// The base table's columns whose old values are kept: the item's, then those rows are sorted by.
  let keptColumns: [String]
  /// How many of ``keptColumns`` are the item's.
  let itemCount: Int
  /// Whether each row's content has to be remembered as a digest from the first load on.
  let keepsContent: Bool
  /// Whether the values of each row's sort terms have to be remembered as a digest.
  let keepsOrder: Bool

  init(_ plan: FetchPlan, in db: Database) throws {
    let sortColumns = plan.sort.compactMap { term in
      term.column.flatMap { $0.table == plan.table ? $0.name : nil }
    }
    itemCount = plan.itemColumns.count
    guard try db.hasStoredTable(plan.table) else {
      keptColumns = []
      keepsContent = true
      keepsOrder = !plan.sort.isEmpty
      return
    }
    let layout = try TableLayout(table: plan.table, in: db)
    keepsContent = !layout.showsOldValues(of: plan.itemColumns)
    keepsOrder =
      sortColumns.count < plan.sort.count || !layout.showsOldValues(of: sortColumns)
    keptColumns = plan.itemColumns + (keepsOrder ? [] : sortColumns)
  }
}

extension Database {
  /// Whether there is a table of this name whose rows the pre-update hook sees: no view, and no
  /// virtual table.
  func hasStoredTable(_ name: String) throws -> Bool {
    let statement = try RawStatement.cached(
      """
      SELECT 1 FROM sqlite_schema
      WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE
      """, on: self)
    defer { statement.reset() }
    try statement.bindAll([.text(name)])
    return try statement.step()
  }
}
