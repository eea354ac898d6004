public import SectileCore

/// Why one value does not fit its column: what was expected and what was found.
///
/// Conversions of ``StorableValue`` throw it. ``RowReader`` and ``RowWriter`` add the table, the
/// column and the row, and throw the whole as a ``StoreError``.
public struct ColumnValueError: Error, Hashable, Sendable {
  /// What was expected and what was found, as the second half of a sentence.
  public let reason: String
  /// What to do about it, as a sentence; nil for the usual hint.
  public let hint: String?
  private let withheld: Withheld<StoredValue>

  /// The value that was found, for those who ask for it; ``reason`` does not repeat it.
  public var value: StoredValue? { withheld.value }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - reason: What was expected and what was found, such as
  ///     `expected a colour, found a text of 4 characters`. It reaches messages and logs, so leave
  ///     the value itself out of it.
  ///   - hint: What to do about it.
  ///   - value: The value that was found.
  public init(_ reason: String, hint: String? = nil, value: StoredValue? = nil) {
    self.reason = reason
    self.hint = hint
    withheld = Withheld(value)
  }
}
