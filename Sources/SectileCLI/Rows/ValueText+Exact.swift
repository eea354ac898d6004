internal import Sectile

extension ValueText {
  /// Returns a value in JSON, whatever text it holds; see ``json(_:)-(StoredValue)``.
  static func json(_ value: ExactValue) -> String {
    switch value {
    case .value(let value): json(value)
    case .invalidText(let bytes): json(invalidText: bytes)
    }
  }
}
