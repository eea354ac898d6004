/// What a presenter says of an item beside its cell: how high it is, say.
///
/// ```swift
/// var attributes = ItemAttributes()
/// attributes[.height] = 44
/// ```
public struct ItemAttributes: Sendable {
  private var values: [String: any Sendable] = [:]

  /// Creates attributes without a value.
  public init() {}

  /// Whether there is no value.
  public var isEmpty: Bool { values.isEmpty }

  /// The value of an attribute, or nil where there is none of the key's type.
  public subscript<Value: Sendable>(key: ItemAttributeKey<Value>) -> Value? {
    get { values[key.name] as? Value }
    set { values[key.name] = newValue }
  }
}
