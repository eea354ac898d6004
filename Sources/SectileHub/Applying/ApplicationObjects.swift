internal import SectileCore
internal import SectileStore

/// The indexes and triggers that the application has added to a table of the hub.
///
/// A table that is made anew, or loses a column, is to have them again, as far as its columns are
/// there.
struct ApplicationObjects {
  private let objects: [(type: String, name: String, sql: String)]

  /// Reads which ones a table has.
  init(of table: String, in transaction: StoreReadTransaction) throws {
    // Indexes that SQLite makes for keys have no SQL.
    let rows = try transaction.query(
      """
      SELECT type, name, sql FROM main.sqlite_master
      WHERE tbl_name = ? AND type IN ('index', 'trigger') AND sql IS NOT NULL
        AND name NOT GLOB 'sectile_*'
      """, table)
    objects = rows.compactMap { row in
      guard
        case (.text(let type), .text(let name), .text(let sql)) = (
          row.values[0], row.values[1], row.values[2]
        )
      else { return nil }
      return (type, name, sql)
    }
  }

  /// Takes them away: a column that an index has cannot be dropped.
  func remove(in transaction: StoreTransaction) throws {
    for object in objects {
      try transaction.execute("DROP \(object.type) IF EXISTS main.\(SQLName.quote(object.name))")
    }
  }

  /// Makes them again; one over a column that is gone is left out.
  func make(in transaction: StoreTransaction) throws {
    for object in objects {
      do {
        try transaction.savepoint { try transaction.execute(object.sql) }
      } catch let error as StoreError
        where [.statementFailed, .uniqueConstraint].contains(error.code)
      {
        continue
      }
    }
  }
}
