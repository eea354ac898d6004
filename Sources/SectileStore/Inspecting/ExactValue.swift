package import SectileCore

/// A value with nothing lost: text that is not UTF-8 keeps its bytes.
///
/// Equality and order are SQLite's under `BINARY`, as those of `StoredValue`.
package enum ExactValue: Hashable, Sendable {
  /// Any value but text that is not UTF-8.
  case value(StoredValue)
  /// Text whose bytes are not UTF-8.
  case invalidText([UInt8])

  /// NULL.
  package static let null = ExactValue.value(.null)

  /// The value; the bytes of text that is not UTF-8 as a blob.
  var stored: StoredValue {
    switch self {
    case .value(let value): value
    case .invalidText(let bytes): .blob(bytes)
    }
  }

  /// Returns whether two values are one value of one storage class, to the last bit: 1 and 1.0 are
  /// not, nor are 0.0 and -0.0.
  package func isSame(as other: ExactValue) -> Bool {
    switch (self, other) {
    case (.value(.integer), .value(.real)), (.value(.real), .value(.integer)): false
    case (.value(.real(let left)), .value(.real(let right))): left.bitPattern == right.bitPattern
    default: self == other
    }
  }
}
