public import SectileCore

/// One row of a query in SQL: column names and values as SQLite stores them.
///
/// ```swift
/// let rows = try store.read { try $0.query("SELECT name, size FROM package WHERE id = ?", 7) }
/// rows.first?["name"]  // .text("sed")
/// ```
public struct StoredRow: Hashable, Sendable {
  /// The names of the columns, as SQLite reports them; a name may occur twice.
  public let columns: [String]
  /// The values, in the order of the columns.
  public let values: [StoredValue]

  /// Creates a row of as many values as columns.
  ///
  /// - Precondition: There are as many values as columns.
  public init(columns: [String], values: [StoredValue]) {
    precondition(
      columns.count == values.count, "\(columns.count) columns, but \(values.count) values")
    self.columns = columns
    self.values = values
  }

  /// Returns the value of the first column with a name, or `nil` if there is no such column.
  ///
  /// - Complexity: O(*n*) for *n* columns.
  public subscript(column: String) -> StoredValue? {
    columns.firstIndex(of: column).map { values[$0] }
  }
}
