internal import GRDB
internal import SectileCore
internal import Synchronization

/// The tables that a file's change log names, kept for as long as the file says the same about
/// them.
///
/// Whether a table has the triggers that it needs follows from the whole schema, and takes a
/// hundred microseconds for each table. Whoever asks for a page of the history needs it each time.
final class LoggedTables: Sendable {
  private struct Known {
    let schema: Int64
    let sums: [[StoredValue]]
    let tables: [LoggedTable]
  }

  // MARK: - Mutable state
  //
  // - `known`: guarded by its mutex, under which nothing is read.
  private let known = Mutex<Known?>(nil)

  init() {}

  /// Reads the tables, unless they are known.
  ///
  /// - Parameter db: A connection, inside a transaction that has written nothing: the number of a
  ///   schema that is rolled back is used again.
  /// - Returns: The tables.
  /// - Throws: What reading throws.
  func read(in db: Database) throws -> [LoggedTable] {
    let schema = try DatabaseVersion(db).schema
    // What the log says of a table changes only together with its triggers, which are in the
    // schema. Whoever puts another log in the place of this one may end at the same number.
    let sums = try db.schemaRows(
      """
      SELECT store, count(*), total(id), total(since)
      FROM main.sectile_log_state, main.sectile_log_table
      """, [])
    if let known = known.withLock({ $0 }), known.schema == schema, known.sums == sums {
      return known.tables
    }
    let tables = try LoggedTable.all(in: db)
    known.withLock { $0 = Known(schema: schema, sums: sums, tables: tables) }
    return tables
  }
}
