public import SectileCore

/// A Swift value that one column of a table holds.
///
/// Every integer type, `Bool`, `Double`, `Float`, `String`, `Data`, `[UInt8]`, `Date`, `UUID`,
/// `URL` and `Decimal` are storable, and so are optionals of them (nil is NULL). A
/// raw-representable type only says so:
///
/// ```swift
/// enum Priority: String, StorableValue { case optional, required }
/// ```
///
/// Any other type converts itself from and to a storable one:
///
/// ```swift
/// extension Version: StorableValue {
///   init(stored column: StoredColumn) throws(ColumnValueError) {
///     guard let version = Version(try column.text()) else {
///       throw column.mismatch(expected: "a version")
///     }
///     self = version
///   }
///   var storedValue: StoredValue { .text(description) }
/// }
/// ```
public protocol StorableValue: Sendable {
  /// Creates a value from a column, strictly: what does not fit is an error, never a default.
  ///
  /// - Throws: What was expected and what was found.
  init(stored column: StoredColumn) throws(ColumnValueError)

  /// The value in the form in which SQLite stores it, as it is bound in filters and keys.
  ///
  /// - Throws: An error for a value that SQLite cannot hold, such as NaN.
  var storedValue: StoredValue { get throws(ColumnValueError) }

  /// Returns the value as a column of a form holds it.
  ///
  /// The default has no form but ``ColumnEncoding/standard``. A type that converts itself from and
  /// to a UUID, a date or a decimal number hands the form on: its `init(stored:)` reads with
  /// `UUID(stored: column)`, and this returns `try uuid.storedValue(in: form)`.
  ///
  /// - Throws: An error for a form that the type does not have, and as ``storedValue``.
  func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue

  /// Appends the value to a row that is being written.
  ///
  /// The default appends ``storedValue``. Implement it where the value can be written without
  /// making one.
  func write(to row: inout RowWriter) throws(ColumnValueError)
}

extension StorableValue {
  /// Returns ``storedValue``; an error for every form but the standard one.
  public func storedValue(in form: ColumnEncoding) throws(ColumnValueError) -> StoredValue {
    guard form == .standard else { throw form.refusal(of: Self.self) }
    return try storedValue
  }

  /// Appends ``storedValue`` to a row that is being written.
  @inlinable
  public func write(to row: inout RowWriter) throws(ColumnValueError) {
    try row.append(stored: try storedValue)
  }
}
