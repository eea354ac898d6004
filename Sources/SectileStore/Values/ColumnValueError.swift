/// Why one value does not fit its column: what was expected and what was found.
///
/// Conversions of ``StorableValue`` throw it. ``RowReader`` and ``RowWriter`` add the table, the
/// column and the row, and throw the whole as a ``StoreError``.
public struct ColumnValueError: Error, Hashable, Sendable {
  /// What was expected and what was found, as the second half of a sentence.
  public let reason: String

  /// Creates an error.
  ///
  /// - Parameter reason: What was expected and what was found, such as
  ///   `expected a colour, found 'loud'`.
  public init(_ reason: String) {
    self.reason = reason
  }
}
