public import SectileCore

/// A piece of SQL with the values bound to its `?` marks, in order.
///
/// ```swift
/// SQLFragment("length(name) > ?", [.integer(3)])
/// ```
///
/// Values are always bound, never written into the text.
public struct SQLFragment: Hashable, Sendable {
  /// The SQL text, with a `?` for each value.
  public var sql: String
  /// The values, in the order of their `?` marks.
  public var values: [StoredValue]

  /// Creates a fragment from SQL text and the values for its `?` marks.
  public init(_ sql: String, _ values: [StoredValue] = []) {
    self.sql = sql
    self.values = values
  }
}
