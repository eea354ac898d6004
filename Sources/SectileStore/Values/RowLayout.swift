/// What rows of an entity look like: the names that errors show.
package final class RowLayout: Sendable {
  /// The table.
  package let table: String
  /// The columns, in the order in which they are read and written.
  package let columns: [String]
  /// The offsets in ``columns`` of the primary key's columns.
  package let keyOffsets: [Int]
  /// The forms of the columns, in their order; none where all are the standard one.
  package let forms: [ColumnEncoding]
  /// The forms of the primary key's columns; none where all are the standard one.
  package let keyForms: [ColumnEncoding]

  /// Creates a layout.
  package init(
    table: String, columns: [String], primaryKey: [String], forms: [ColumnEncoding] = []
  ) {
    self.table = table
    self.columns = columns
    let keyOffsets = primaryKey.compactMap { columns.firstIndex(of: $0) }
    self.keyOffsets = keyOffsets
    self.forms = Self.exceptional(forms)
    keyForms = Self.exceptional(forms.isEmpty ? [] : keyOffsets.map { forms[$0] })
  }

  private static func exceptional(_ forms: [ColumnEncoding]) -> [ColumnEncoding] {
    forms.allSatisfy { $0 == .standard } ? [] : forms
  }
}
