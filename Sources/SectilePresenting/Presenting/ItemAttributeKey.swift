/// The name of a property that a presenter gives an item beside its cell, and the property's type.
///
/// ```swift
/// extension ItemAttributeKey where Value == Int {
///   static var indentation: Self { Self("indentation") }
/// }
/// ```
public struct ItemAttributeKey<Value: Sendable>: Hashable, Sendable {
  /// The property's name.
  public let name: String

  /// Creates a key.
  ///
  /// Two keys of one name have to be of one type.
  public init(_ name: String) {
    self.name = name
  }
}

extension ItemAttributeKey where Value == Double {
  /// How high an item's cell is, in the target's own unit.
  public static var height: Self { Self("height") }
}
