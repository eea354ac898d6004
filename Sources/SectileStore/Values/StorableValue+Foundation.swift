public import Foundation
public import SectileCore

extension Date: StorableValue {
  /// Creates a date from text in the form `2026-01-31 23:59:59.123` or `2026-01-31 23:59:59`, in
  /// UTC.
  ///
  /// The second form is what SQLite's `CURRENT_TIMESTAMP` makes. A column that is declared with a
  /// ``ColumnEncoding`` is read in that.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.form.date(in: column)
  }

  /// The date as text in UTC, rounded to milliseconds: `2026-01-31 23:59:59.123`.
  ///
  /// SQLite's date functions understand it, and it sorts as text in the order of time. Years
  /// outside 0000…9999 are an error, because they would do neither.
  public var storedValue: StoredValue {
    get throws(ColumnValueError) { try storedValue(in: .standard) }
  }

  /// The date as a column of the form holds it; years outside 0000…9999 are an error.
  public func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue {
    try form.storedValue(of: self)
  }
}

extension UUID: StorableValue {
  /// Creates an identifier from its text form, 36 characters in upper case.
  ///
  /// Lower case is refused: SQLite compares bytes, so that a key read that way would not be found
  /// again by the upper-case text that is written. A column that is declared with a
  /// ``ColumnEncoding`` is read in that.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.form.uuid(in: column)
  }

  /// The text form, 36 characters in upper case.
  public var storedValue: StoredValue { .text(uuidString) }

  /// The identifier as a column of the form holds it.
  public func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue {
    try form.storedValue(of: self)
  }
}

extension URL: StorableValue {
  /// Creates a URL from text.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    guard let url = URL(string: try column.text()) else {
      throw column.mismatch(expected: "a URL")
    }
    self = url
  }

  /// The absolute text of the URL.
  public var storedValue: StoredValue { .text(absoluteString) }
}

extension Decimal: StorableValue {
  /// Creates a decimal number from text that is one from end to end, in its shortest form.
  ///
  /// A column that is declared with ``ColumnEncoding/decimal(scale:)`` is read in that.
  public init(stored column: StoredColumn) throws(ColumnValueError) {
    self = try column.form.decimal(in: column)
  }

  /// The number as text in its shortest form, every digit kept; NaN is an error.
  ///
  /// Text keeps the digits, but neither sorts nor adds up as numbers do, so requests that need
  /// either are refused; ``ColumnEncoding/decimal(scale:)`` is for those. The column needs TEXT or
  /// BLOB affinity: any other turns the text into a real.
  public var storedValue: StoredValue {
    get throws(ColumnValueError) { try storedValue(in: .standard) }
  }

  /// The number as a column of the form holds it.
  ///
  /// - Throws: An error for NaN; with ``ColumnEncoding/decimal(scale:)`` also for a number with
  ///   more digits behind the point than the scale, and for one that 64 bits do not hold.
  public func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue {
    try form.storedValue(of: self)
  }
}
