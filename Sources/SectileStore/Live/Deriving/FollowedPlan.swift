import GRDB
import SectileCore

/// A plan that is followed: every table its SQL reads, and what is recorded of them.
final class FollowedPlan {
  /// The plan with every table its SQL reads.
  let plan: FetchPlan
  let tables: [FollowedTable]
  let base: BaseRows
  /// What the filter says of touched rows; nil where only SQLite can tell.
  let rowFilter: RowFilter?
  /// A number that the equal plans of one store share.
  let number: Int
  /// The plan's statements on the writing connection.
  let statements = HeldStatements()
  /// What is known of the order of the plan's rows.
  let prefixes = SortPrefixes()
  /// What is known of rows that ask the clock.
  let clockAskingRows = ClockAskingRows()
  /// How rows are followed one by one to which touched rows lead in no simpler way.
  ///
  /// Those of a query or a view; those of a table where a dependency concerns everything. Nil where
  /// all rows are compared.
  let query: FollowedQuery?

  /// Watches the tables of a plan.
  ///
  /// - Precondition: Called on the writer; nothing was noted yet.
  init(_ plan: FetchPlan, number: Int, watching recorder: CommitRecorder, in db: Database) throws {
    self.plan = plan
    self.number = number
    let base = try FollowedTable(baseOf: plan, watching: recorder, in: db)
    // A commit is an occasion to look at rows that change by themselves, whichever rows it touches.
    let maySayOtherwise = plan.reasonForUnwrittenChanges != nil || !plan.timesOfRows.isEmpty
    let asked = base.recordedRows == nil ? plan : plan.askedAsQuery
    // What is not followed row by row is compared as a whole.
    query =
      plan.reasonForUnwrittenChanges != nil
      ? nil : asked.flatMap { try? FollowedQuery($0, watching: recorder, in: db) }
    let queried = base.recordedRows == nil ? query?.tables.map(\.followed) : nil
    tables =
      try [base]
      + (queried
        ?? plan.dependencies.map { try FollowedTable($0, watching: recorder, in: db) })
    self.base = BaseRows(base, itemColumns: plan.itemColumns)
    rowFilter = maySayOtherwise ? nil : try RowFilter(plan, self.base, in: db)
  }

  var isTouched: Bool { tables.contains { $0.isTouched } }

  /// Whether the base table is the only one that was touched, and it is known which rows were.
  var isBaseAloneTouched: Bool {
    tables.allSatisfy { $0.isBase ? !$0.hasUnknownKeys : !$0.isTouched }
  }

  /// Whether others have changed rows that the change log does not name.
  ///
  /// Asked where it names any: what it does not follow may have changed as well.
  var isUncertain: Bool { tables.contains { $0.isUncertain } || hasUnwatchedRows }

  /// Whether there are rows of which nobody tells how they change, as of a virtual table that keeps
  /// none.
  ///
  /// Those of a view are in the tables behind it, which are dependencies.
  private var hasUnwatchedRows: Bool { tables.count == 1 && tables[0].recordedRows == nil }

  /// Whether rows were touched of which it is not known which items they concern.
  var isEverythingTouched: Bool {
    tables.contains { $0.hasUnknownKeys || $0.affected == .everything && $0.isTouched }
  }
}
