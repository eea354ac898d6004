/// What rows of an entity look like: the names that errors show.
package final class RowLayout: Sendable {
  /// The table.
  package let table: String
  /// The columns, in the order in which they are read and written.
  package let columns: [String]
  /// The offsets in ``columns`` of the primary key's columns.
  package let keyOffsets: [Int]

  /// Creates a layout.
  package init(table: String, columns: [String], primaryKey: [String]) {
    self.table = table
    self.columns = columns
    keyOffsets = primaryKey.compactMap { columns.firstIndex(of: $0) }
  }
}
