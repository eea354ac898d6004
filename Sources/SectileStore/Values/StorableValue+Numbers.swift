public import SectileCore

extension Bool: StorableValue {
  /// Creates a truth value from the integers 0 and 1; every other value is an error.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    switch try column.integer() {
    case 0: self = false
    case 1: self = true
    default: throw column.mismatch(expected: "0 or 1")
    }
  }

  /// 1 for true, 0 for false.
  @inlinable
  public var storedValue: StoredValue { .integer(self ? 1 : 0) }

  /// Appends 1 or 0.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(integer: self ? 1 : 0)
  }
}

extension Double: StorableValue {
  /// Creates a number from a real, or from an integer that a `Double` represents exactly.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.real()
  }

  /// The number; NaN is an error.
  @inlinable
  public var storedValue: StoredValue {
    get throws(ColumnValueError) {
      guard !isNaN else {
        throw ColumnValueError("NaN cannot be stored, SQLite would make it NULL")
      }
      return .real(self)
    }
  }

  /// Appends the number; NaN is an error.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(real: self)
  }
}

extension Float: StorableValue {
  /// Creates the nearest `Float`; a finite number beyond its range is an error.
  @inlinable
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    let wide = try column.real()
    let narrow = Float(wide)
    guard narrow.isFinite || !wide.isFinite else {
      throw column.mismatch(expected: "a real number that fits Float")
    }
    self = narrow
  }

  /// The number as a real; NaN is an error.
  @inlinable
  public var storedValue: StoredValue {
    get throws(ColumnValueError) { try Double(self).storedValue }
  }

  /// Appends the number; NaN is an error.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(real: Double(self))
  }
}
