import GRDB
import SectileCore

/// What of each row has to be remembered so that a later reading can be compared with it.
///
/// Nothing, in the best case: what a row was before a commit is seen by the pre-update hook. The
/// hook does not see the rows of views and queries, columns that are computed and not stored, and
/// values that come from other tables; for these a digest is kept of each row.
struct RowMemory: Sendable {
  /// Whether each row's content has to be remembered as a digest from the first load on.
  let keepsContent: Bool
  /// Whether the values of each row's sort terms have to be remembered as a digest.
  let keepsOrder: Bool
  /// Where the values of the sort terms stand among the item's columns; empty where they have to be
  /// remembered.
  let sortColumns: [Int]
  /// Whether the key is the row id of the only table, so that no two rows are found by it.
  let isKeyRowID: Bool
  /// The column of the base table that is its row id; nil where there is none.
  let rowIDColumn: String?

  init(_ plan: FetchPlan, in db: Database) throws {
    guard try plan.hasStoredRows(in: db) else {
      keepsContent = true
      keepsOrder = !plan.sort.isEmpty
      sortColumns = []
      isKeyRowID = false
      rowIDColumn = nil
      return
    }
    let layout = try TableLayout(table: plan.table, in: db)
    keepsContent =
      try !layout.showsOldValues(of: plan.itemColumns)
      || !layout.isUnique(plan.keyColumns, in: db)
    rowIDColumn = layout.rowIDColumn
    isKeyRowID =
      plan.joins.isEmpty && plan.keyColumns.count == 1
      && layout.rowIDColumn?.lowercased() == plan.keyColumns[0].lowercased()
    let sorted = plan.sort.compactMap { term in
      term.column.flatMap { column in
        // The expression tells a column of the base table from the same column of a join to itself.
        column.table == plan.table && term.expression == plan.qualified(column.name)
          ? plan.itemColumns.firstIndex(of: column.name) : nil
      }
    }
    let isShown = layout.showsOldValues(of: sorted.map { plan.itemColumns[$0] })
    keepsOrder = !isShown || sorted.count < plan.sort.count
    sortColumns = keepsOrder ? [] : sorted
  }
}

extension Database {
  /// Whether there is a table of this name whose rows the pre-update hook sees: no view, and no
  /// virtual table.
  func hasStoredTable(_ name: String) throws -> Bool {
    guard let listing = try TableListing(of: name, in: self) else { return false }
    // The schema itself is a table that no hook sees.
    return listing.kind.isStored && listing.name != "sqlite_schema"
  }
}
