/// What an error carries and never shows: neither printing nor dumping the error tells it.
package struct Withheld<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  package let value: Value?

  /// Wraps a value.
  package init(_ value: Value?) {
    self.value = value
  }
}

extension Withheld: CustomStringConvertible, CustomReflectable {
  /// Whether there is a value.
  package var description: String { value == nil ? "none" : "withheld" }

  /// No children.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
