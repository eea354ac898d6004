public import SectileCore

extension Optional: StorableValue where Wrapped: StorableValue {
  /// Creates nil from NULL, and a wrapped value from anything else.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = column.isNull ? nil : try Wrapped(stored: column)
  }

  /// NULL for nil, else the stored form of the wrapped value.
  @inlinable
  public var storedValue: StoredValue {
    get throws(ColumnValueError) {
      guard let self else { return .null }
      return try self.storedValue
    }
  }

  /// NULL for nil, else the wrapped value in the form.
  public func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue {
    guard let self else { return .null }
    return try self.storedValue(in: form)
  }

  /// Appends NULL or the wrapped value.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    if let self {
      try self.write(to: &row)
    } else {
      try row.append(stored: .null)
    }
  }
}
