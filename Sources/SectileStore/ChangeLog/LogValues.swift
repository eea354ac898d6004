/// The statements by which triggers of one table keep values, each behind the statement that writes
/// the row of the log.
///
/// ```
/// insert             when
/// update             when, and each column that has another value: its name, old and new
/// delete, touched    when, and each column: its name and value
/// ```
///
/// Values are copied as they are into columns without a type. The table has no row ids, so that
/// `last_insert_rowid()` stays the number of the log's row through all statements.
///
/// A trigger that names a column keeps SQLite from dropping it: see note 0083.
struct LogValues {
  /// When a statement runs, by the clock of its machine, in milliseconds since 1970.
  static let time = "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"

  /// Where rows of the log were removed by hand, their numbers come again, and their values are
  /// there: nobody who writes to the table is refused for that.
  static let into = "INSERT OR REPLACE INTO \(LogTables.values)"

  private static let row = "last_insert_rowid()"

  private struct Column {
    /// Where it stands in the table, from 1.
    let place: Int
    let name: String
    /// When an update gives it another value.
    let change: String
  }

  private let columns: [Column]

  /// - Parameter table: The table.
  init(of table: TableSchema) {
    columns = table.columns.enumerated().compactMap { index, column in
      guard !column.isGenerated else { return nil }
      let (old, new) = (SQLName.of("OLD", column.name), SQLName.of("NEW", column.name))
      // The integer -2^63 and the real of that value are equal in a column of integers, too.
      return Column(
        place: index + 1, name: column.name,
        change: "\(old) IS NOT \(new) COLLATE BINARY OR typeof(\(old)) <> typeof(\(new))")
    }
  }

  /// Keeps values of the row that a trigger is about.
  ///
  /// - Parameters:
  ///   - operation: What is said about it.
  ///   - row: OLD or NEW.
  /// - Returns: The statements.
  func insertions(_ operation: LogOperation, of row: String) -> [String] {
    let time = "(\(Self.row), 0, NULL, \(Self.time))"
    let into = "\(Self.into) (seq, place, name, old) VALUES "
    switch operation {
    case .update: return [into + time] + changes
    case .delete, .touched:
      let values = columns.map { column in
        "(\(head(of: column)), \(SQLName.of(row, column.name)))"
      }
      return [into + ([time] + values).joined(separator: ", ")]
    case .insert, .commit, .note, .reset: return [into + time]
    }
  }

  /// Keeps the values of the row that a query finds, if it finds one.
  func insertions(ofRowIn table: String, where condition: String) -> [String] {
    let into = "\(Self.into) (seq, place, name, old) SELECT "
    let rows = " FROM \(SQLName.quote(table)) WHERE \(condition)"
    return ["\(into)\(Self.row), 0, NULL, \(Self.time)\(rows)"]
      + columns.map { "\(into)\(head(of: $0)), \(SQLName.quote(table, $0.name))\(rows)" }
  }

  private var changes: [String] {
    columns.map { column in
      "\(Self.into) (seq, place, name, old, new) SELECT \(head(of: column)),"
        + " \(SQLName.of("OLD", column.name)), \(SQLName.of("NEW", column.name))"
        + " WHERE \(column.change)"
    }
  }

  private func head(of column: Column) -> String {
    "\(Self.row), \(column.place), \(SQLName.text(column.name))"
  }
}
