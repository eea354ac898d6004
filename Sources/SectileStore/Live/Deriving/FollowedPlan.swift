import GRDB
import SectileCore

/// A plan that is followed: every table its SQL reads, and what the recorder notes of them.
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

  /// Watches the tables of a plan.
  ///
  /// - Precondition: Called on the writer; nothing was noted yet.
  init(_ plan: FetchPlan, number: Int, watching recorder: CommitRecorder, in db: Database) throws {
    self.plan = plan
    self.number = number
    let base = try FollowedTable(baseOf: plan, watching: recorder, in: db)
    tables =
      try [base] + plan.dependencies.map { try FollowedTable($0, watching: recorder, in: db) }
    self.base = BaseRows(base, itemColumns: plan.itemColumns)
    // A commit is an occasion to look at rows that change by themselves, whichever rows it touches.
    rowFilter =
      plan.reasonForUnwrittenChanges == nil ? try RowFilter(plan, self.base, in: db) : nil
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
  private var hasUnwatchedRows: Bool { tables.count == 1 && tables[0].notes == nil }

  /// Whether rows were touched of which it is not known which items they concern.
  var isEverythingTouched: Bool {
    tables.contains { $0.hasUnknownKeys || $0.affected == .everything && $0.isTouched }
  }
}

/// A table that a plan depends on.
///
/// An object: it is looked at in each commit, and to copy it would be to retain its parts.
final class FollowedTable {
  let affected: PlanDependency.Affected
  /// Whether it is the plan's base table.
  let isBase: Bool
  /// Nil where there is no such table: the base may be a view.
  private let watched: WatchedTable?

  fileprivate init(baseOf plan: FetchPlan, watching recorder: CommitRecorder, in db: Database)
    throws
  {
    (affected, isBase) = (.sameKey, true)
    watched = try recorder.watch(
      plan.table,
      for: TableWatch.KeyInterest(keyColumns: plan.keyColumns, observedColumns: nil),
      keeping: plan.itemColumns, in: db)
  }

  fileprivate init(
    _ dependency: PlanDependency, watching recorder: CommitRecorder, in db: Database
  ) throws {
    (affected, isBase) = (dependency.affected, false)
    watched = try recorder.watch(
      dependency.table,
      for: TableWatch.KeyInterest(
        keyColumns: dependency.keyColumns, observedColumns: dependency.observedColumns),
      keeping: nil, in: db)
  }

  var notes: RowNotes? { watched?.notes }

  /// Whether rows were touched of which it is not known which ones.
  var hasUnknownKeys: Bool { watched?.hasUnknownKeys ?? false }

  var isTouched: Bool { watched?.isTouched ?? false }

  /// Whether others have changed rows, and nobody knows which.
  var isUncertain: Bool { watched?.isUncertain ?? false }
}

/// What the recorder knows of the rows of a plan's base table.
struct BaseRows {
  /// Nil where the base is a view or a virtual table: nobody sees how its rows change.
  let notes: RowNotes?
  /// Where the item's columns stand in an image.
  let positions: [Int]?

  fileprivate init(_ table: FollowedTable, itemColumns: [String]) {
    notes = table.notes
    positions = notes.flatMap { notes in
      let positions = itemColumns.compactMap { notes.columns.firstIndex(of: $0) }
      return positions.count == itemColumns.count ? positions : nil
    }
  }

  /// The newest version of the base table.
  var node: VersionNode? { notes?.node }

  /// What the rows were at a version.
  func past(since node: VersionNode) -> RowsBefore {
    guard let notes, let positions else { return .unknown }
    return notes.past(since: node, positions: positions)
  }
}
