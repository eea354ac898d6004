package import SectileCore

/// A value that an error carries and never shows: neither printing nor dumping the error tells it.
package struct WithheldValue: Hashable, Sendable {
  /// The value.
  package let value: StoredValue?

  /// Wraps a value.
  package init(_ value: StoredValue?) {
    self.value = value
  }
}

extension WithheldValue: CustomStringConvertible, CustomReflectable {
  /// Whether there is a value.
  package var description: String { value == nil ? "none" : "withheld" }

  /// No children.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
