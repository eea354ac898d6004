import GRDB
import SectileCore

/// A table that a plan depends on.
///
/// An object: it is looked at in each commit, and to copy it would be to retain its parts.
final class FollowedTable {
  let affected: FetchPlan.Dependency.Affected
  /// Whether it is the plan's base table.
  let isBase: Bool
  /// Nil where there is no such table: the base may be a view.
  private let watched: WatchedTable?

  init(baseOf plan: FetchPlan, watching recorder: CommitRecorder, in db: Database)
    throws
  {
    (affected, isBase) = (.sameKey, true)
    watched = try plan.storedTable.flatMap { table in
      try recorder.watch(
        table, for: TableWatch.KeyInterest(keyColumns: plan.keyColumns, observedColumns: nil),
        keeping: plan.itemColumns, in: db)
    }
  }

  /// Watches a table that a query reads.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - keyColumns: The columns of its key.
  ///   - columns: The columns that the query reads.
  ///   - recorder: Records its rows.
  ///   - db: The connection.
  /// - Throws: What reading throws.
  init(
    queried table: String, keyColumns: [String], columns: [String],
    watching recorder: CommitRecorder, in db: Database
  ) throws {
    (affected, isBase) = (.sameKey, false)
    watched = try recorder.watch(
      table,
      for: TableWatch.KeyInterest(keyColumns: keyColumns, observedColumns: Set(columns)),
      keeping: columns, withFormerRows: true, in: db)
  }

  init(
    _ dependency: FetchPlan.Dependency, watching recorder: CommitRecorder, in db: Database
  ) throws {
    (affected, isBase) = (dependency.affected, false)
    watched = try recorder.watch(
      dependency.table,
      for: TableWatch.KeyInterest(
        keyColumns: dependency.keyColumns, observedColumns: dependency.observedColumns),
      keeping: nil, in: db)
  }

  var recordedRows: RecordedRows? { watched?.recordedRows }

  /// Whether rows were touched of which it is not known which ones.
  var hasUnknownKeys: Bool { watched?.hasUnknownKeys ?? false }

  var isTouched: Bool { watched?.isTouched ?? false }

  /// Whether others have changed rows, and nobody knows which.
  var isUncertain: Bool { watched?.isUncertain ?? false }
}

/// What the recorder knows of the rows of a plan's base table.
struct BaseRows {
  /// Nil where the base is a query, a view or a virtual table: what its rows were is in no table.
  let recordedRows: RecordedRows?
  /// Where the item's columns stand in an image.
  let positions: [Int]?

  init(_ table: FollowedTable, itemColumns: [String]) {
    recordedRows = table.recordedRows
    positions = recordedRows.flatMap { rows in
      let positions = itemColumns.compactMap { rows.columns.firstIndex(of: $0) }
      return positions.count == itemColumns.count ? positions : nil
    }
  }

  /// The newest version of the base table.
  var node: VersionNode? { recordedRows?.node }

  /// What the rows were at a version.
  func rowsBefore(since node: VersionNode) -> RowsBefore {
    guard let recordedRows, let positions else { return .unknown }
    return recordedRows.rowsBefore(since: node, positions: positions)
  }
}
