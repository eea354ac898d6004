/// One column of an entity's table and the property that holds its value.
///
/// ```swift
/// EntityAttribute<Package>("installed_size", \.installedSize)
/// ```
public struct EntityAttribute<E>: Sendable {
  /// The name of the column.
  public let column: String
  /// The property.
  public let keyPath: any PartialKeyPath<E> & Sendable
  /// Whether the column holds the value as JSON text.
  public let isJSON: Bool
  /// How the column holds the value, if that is a UUID, a date or a decimal number.
  public let form: ColumnEncoding
  /// Whether the column holds decimal numbers as text, which sorts and compares as text.
  package let isDecimalText: Bool

  /// Creates an attribute of a property that one column holds.
  ///
  /// - Parameters:
  ///   - column: The name of the column.
  ///   - keyPath: The property.
  ///   - form: How the column holds a UUID, a date or a decimal number; other types have the
  ///     standard form only.
  public init<Value: StorableValue>(
    _ column: String, _ keyPath: any KeyPath<E, Value> & Sendable,
    as form: ColumnEncoding = .standard
  ) {
    self.column = column
    self.keyPath = keyPath
    self.form = form
    isJSON = false
    isDecimalText = form == .standard && DecimalText.holds(Value.self)
  }

  /// Creates an attribute of a property that a text column holds as JSON.
  ///
  /// Read it with `nextJSON()` of ``RowReader`` and write it with ``RowWriter/appendJSON(_:)``.
  public init<Value: Codable & Sendable>(
    _ column: String, json keyPath: any KeyPath<E, Value> & Sendable
  ) {
    self.column = column
    self.keyPath = keyPath
    form = .standard
    isJSON = true
    isDecimalText = DecimalText.holds(Value.self)
  }
}
