public import SectileCore

extension String: StorableValue {
  /// Creates a string from a text column of valid UTF-8, zero characters included.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.text()
  }

  /// The text.
  @inlinable
  public var storedValue: StoredValue { .text(self) }

  /// Appends the text to a row that is being written.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(text: self)
  }
}
