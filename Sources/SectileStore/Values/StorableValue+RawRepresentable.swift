public import SectileCore

extension StorableValue where Self: RawRepresentable, RawValue: StorableValue {
  /// Creates the value whose raw value the column holds.
  ///
  /// - Throws: An error for a raw value that the type does not know.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    guard let value = Self(rawValue: try RawValue(stored: column)) else {
      throw column.mismatch(expected: "a raw value of \(Self.self)")
    }
    self = value
  }

  /// The stored form of the raw value.
  @inlinable
  public var storedValue: StoredValue {
    get throws(ColumnValueError) { try rawValue.storedValue }
  }

  /// The raw value in the form.
  public func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue {
    try rawValue.storedValue(in: form)
  }

  /// Appends the raw value to a row that is being written.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try rawValue.write(to: &row)
  }
}
