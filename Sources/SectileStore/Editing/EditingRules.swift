import GRDB
import SectileCore

/// What keeps rows of a plan from being edited, found out before it is tried.
struct EditingRules {
  let plan: FetchPlan
  let isReadOnly: Bool

  /// Checks that rows can be edited in a way.
  ///
  /// - Returns: The table that is written.
  /// - Throws: ``StoreError``: `readOnly`, `notEditable`.
  @discardableResult
  func check(_ capability: EditingCapability, in db: Database) throws(StoreError) -> TableSchema {
    guard !isReadOnly else {
      throw StoreError(
        .readOnly, message: "The store of the results of \(plan.table) was opened read-only.",
        hint: "Open the store without StoreConfiguration.isReadOnly to write.")
    }
    guard let name = plan.storedTable, let table = try TableSchema(of: name, in: db),
      table.kind == .table
    else {
      let noun = plan.query == nil ? plan.table : "The query \(plan.table)"
      throw StoreError(
        .notEditable, message: "\(noun) is no table whose rows can be written.",
        hint: "Edit the tables that it reads.")
    }
    guard capability == .inserting || capability == .moving else { return table }
    guard let name = plan.orderColumn else {
      throw StoreError(
        .notEditable,
        message: "The request for \(plan.table) has no order that can be written.",
        hint: "Order it by a column of whole numbers: .reorderable(by: \\.position).")
    }
    guard let column = table.columns.first(where: { $0.name.lowercased() == name.lowercased() }),
      column.origin == .written
    else {
      throw StoreError(
        .notEditable, message: "\(plan.table) has no column \(name) that can be written.",
        hint: "Name a column of the table itself.")
    }
    guard ColumnAffinity(declaredType: column.declaredType) != .text else {
      throw StoreError(
        .notEditable,
        message: "\(plan.table).\(name) holds text, which has no whole numbers in their order.",
        hint: "Declare it INTEGER.")
    }
    return table
  }
}

extension FetchPlan {
  /// The column of the table itself that rows are grouped by; nil where the groups are worked out,
  /// or there are none.
  var writtenSectionColumn: String? {
    guard let identity = section?.identity, let column = identity.column,
      column.table == table, identity.expression.sql == SQLName.quote(table, column.name)
    else { return nil }
    return column.name
  }

  /// Whether rows are ordered by ``orderColumn``, and by nothing else.
  var isInWrittenOrder: Bool {
    guard let orderColumn, sort.count == 1, let column = sort[0].column else { return false }
    return column.table == table && column.name == orderColumn
      && sort[0].expression.sql == SQLName.quote(table, orderColumn) && sort[0].nullOrder == nil
      && sort[0].collation == nil
  }
}
