internal import Foundation
internal import SectileCore

/// Decimal numbers that are stored as text.
enum DecimalText {
  /// Whether values of a type are stored as the text of a decimal number: `Decimal` itself,
  /// optionals of it, and raw-representable types that store it as it is.
  static func holds(_ type: Any.Type) -> Bool {
    if type == Decimal.self { return true }
    if let optional = type as? any OptionalType.Type { return holds(optional.wrapped) }
    if let wrapper = type as? any RawRepresentable.Type { return isWritten(by: wrapper) }
    return false
  }

  /// Whether a type that wraps a decimal number stores the number's text: it may have a stored
  /// value of its own.
  private static func isWritten<Wrapper: RawRepresentable>(by wrapper: Wrapper.Type) -> Bool {
    guard Wrapper.RawValue.self == Decimal.self, let one = Decimal(1) as? Wrapper.RawValue,
      let value = Wrapper(rawValue: one) as? any StorableValue,
      let stored = try? value.storedValue
    else { return false }
    return stored == .text("1")
  }
}

/// An optional, whatever it wraps.
private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
