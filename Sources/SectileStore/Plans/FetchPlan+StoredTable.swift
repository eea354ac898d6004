import GRDB
import SectileCore

// What the schema says of a plan's base table. Of a query it says nothing, also where a table is
// called like it.
extension FetchPlan {
  /// What the schema lists the base table as; nil for a query, and where there is no such table.
  ///
  /// - Throws: What reading the schema throws.
  func tableListing(in db: Database) throws(StoreError) -> TableListing? {
    guard let storedTable else { return nil }
    return try TableListing(of: storedTable, in: db)
  }

  /// The columns of the base table; nil for a query, a view, a virtual table, and where there is no
  /// such table.
  ///
  /// - Throws: What reading the schema throws.
  func tableColumns(in db: Database) throws(StoreError) -> TableColumns? {
    guard let storedTable else { return nil }
    return try TableColumns(of: storedTable, in: db)
  }

  /// Whether the rows are those of a query or a view, which hold nothing themselves.
  ///
  /// - Throws: What reading the schema throws.
  func isSelected(in db: Database) throws(StoreError) -> Bool {
    if query != nil { return true }
    return try tableListing(in: db)?.kind == .view
  }

  /// Whether the pre-update hook sees the rows: not those of a query, a view or a virtual table.
  ///
  /// - Throws: What reading the schema throws.
  func hasStoredRows(in db: Database) throws -> Bool {
    guard let storedTable else { return false }
    return try db.hasStoredTable(storedTable)
  }

  /// Returns the plan of a query with columns that no table declares: SQLite is asked how each term
  /// compares.
  func forgettingColumnsOfQuery() -> FetchPlan {
    guard query != nil else { return self }
    func forgetting(_ terms: [SortTerm]) -> [SortTerm] {
      terms.map { term in
        var term = term
        term.column = nil
        return term
      }
    }
    var plan = self
    plan.sort = forgetting(sort)
    if let section {
      plan.section?.identity = forgetting([section.identity])[0]
      plan.section?.order = forgetting(section.order)
    }
    return plan
  }
}
