public import SectileCore

// Every integer type reads and writes 64-bit integers; narrower ones check that the value fits,
// `UInt64` and `UInt` that it is at most `Int64.max`.

/// Returns the integer of a column in a narrower type.
@inlinable
internal func integer<Integer: FixedWidthInteger>(
  of column: StoredColumn, as type: Integer.Type
) throws(ColumnValueError) -> Integer {
  guard let value = Integer(exactly: try column.integer()) else {
    throw column.mismatch(expected: "an integer that fits \(Integer.self)")
  }
  return value
}

/// Returns an integer in the width in which SQLite stores it.
@inlinable
internal func wide(_ value: some FixedWidthInteger) throws(ColumnValueError) -> Int64 {
  guard let wide = Int64(exactly: value) else {
    throw ColumnValueError(
      "the integer is greater than the greatest one of SQLite, \(Int64.max)")
  }
  return wide
}

extension Int64: StorableValue {
  /// Creates an integer from an integer column.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.integer()
  }

  /// The integer.
  @inlinable
  public var storedValue: StoredValue { .integer(self) }

  /// Appends the integer to a row that is being written.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(integer: self)
  }
}

extension StorableValue where Self: FixedWidthInteger {
  /// Creates an integer from an integer column whose value fits.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try integer(of: column, as: Self.self)
  }

  /// The integer.
  @inlinable
  public var storedValue: StoredValue {
    get throws(ColumnValueError) { .integer(try wide(self)) }
  }

  /// Appends the integer to a row that is being written.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(integer: try wide(self))
  }
}

extension Int: StorableValue {}
extension Int32: StorableValue {}
extension Int16: StorableValue {}
extension Int8: StorableValue {}
extension UInt64: StorableValue {}
extension UInt: StorableValue {}
extension UInt32: StorableValue {}
extension UInt16: StorableValue {}
extension UInt8: StorableValue {}
