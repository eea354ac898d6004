import GRDB
import SectileCore
import Synchronization

/// The rows of a query or a view by their key, for whoever reads items.
///
/// Worked out once for a schema: a view may stand for other rows after a change.
final class KeyedRows: Sendable {
  private enum Finding {
    case unknown
    /// They are those of a table, which is searched by its key.
    case stored
    case ofSchema(Int64, SQLFragment?)
  }

  private let finding = Mutex(Finding.unknown)

  /// Returns the rows that have the key `?1`, `?2` …, and perhaps others.
  ///
  /// - Parameters:
  ///   - plan: Whose rows they are, the same each time.
  ///   - db: A connection.
  /// - Returns: The query; nil where SQLite finds a row in all of them as fast.
  /// - Throws: What reading the schema throws.
  func sql(of plan: FetchPlan, in db: Database) throws -> SQLFragment? {
    let known = finding.withLock { $0 }
    if case .stored = known { return nil }
    let schema = try DatabaseVersion.schema(of: db)
    if case .ofSchema(schema, let sql) = known { return sql }
    let isStored = try plan.hasStoredRows(in: db)
    let sql = isStored ? nil : try searchedRows(of: plan, in: db)
    finding.withLock { $0 = isStored ? .stored : .ofSchema(schema, sql) }
    return sql
  }

  /// The rows of a key, where no table is gone through for them: for several keys that would take
  /// as many times as long.
  private func searchedRows(of plan: FetchPlan, in db: Database) throws -> SQLFragment? {
    guard let rows = try plan.rowsOfKey(in: db), let reading = try? plan.reading(in: db) else {
      return nil
    }
    let query = PlanSQL(plan, rowsOfKey: rows).selectItem
    let statement = SQLFragment(query.sql, plan.keyColumns.map { _ in .null } + query.values)
    let scanned = try QueryPlanStep.steps(of: statement, in: db).flatMap(\.all)
      .compactMap(\.scannedName)
    let tables = Set(reading.namings(key: []).map(\.alias))
    return scanned.contains(where: tables.contains) ? nil : rows
  }
}

extension FetchPlan {
  /// Returns the rows of a query or a view that have the key `?1`, `?2` …, and perhaps others.
  ///
  /// - Parameter db: The connection.
  /// - Returns: The query; nil where SQLite reads no others for the key, of a table, and of what is
  ///   not followed.
  /// - Throws: What reading the schema throws.
  func rowsOfKey(in db: Database) throws -> SQLFragment? {
    guard try !hasStoredRows(in: db), let reading = try? reading(in: db),
      let key = reading.positions(of: keyColumns)
    else { return nil }
    return KeyPlacement.query(of: reading, wanting: key, always: InternalChecks.isOn, in: db)
  }
}
