public import SectileCore

/// The identity of an entity: the values of its primary key.
///
/// Integers, `String`, `UUID` and raw-representable types of these are keys, and so are their
/// optionals. A key of several columns is a structure of keys:
///
/// ```swift
/// struct ID: EntityKey {
///   var album: Int64
///   var position: Int
///
///   var keyValues: [StoredValue] { album.keyValues + position.keyValues }
///   init(keyValues: [StoredValue]) throws {
///     var key = KeyReader(keyValues)
///     album = try key.next()
///     position = try key.next()
///   }
/// }
/// ```
public protocol EntityKey: Hashable, Sendable {
  /// The values of the key's columns, in the order of the schema's primary key.
  var keyValues: [StoredValue] { get }

  /// Creates a key from the values of its columns.
  ///
  /// - Throws: A ``StoreError`` with the code `decodingFailed` if their number or types do not fit.
  init(keyValues: [StoredValue]) throws
}

extension EntityKey where Self: RawRepresentable, RawValue: EntityKey {
  /// The values of the raw value.
  public var keyValues: [StoredValue] { rawValue.keyValues }

  /// Creates the key whose raw value is given.
  public init(keyValues: [StoredValue]) throws {
    guard let value = Self(rawValue: try RawValue(keyValues: keyValues)) else {
      throw StoreError.key(keyValues, isNot: "a raw value of \(Self.self)")
    }
    self = value
  }
}

extension StoreError {
  /// The error for key values that a key type does not take.
  ///
  /// - Parameters:
  ///   - values: The values, of which the message tells the kinds only.
  ///   - expected: What was expected.
  ///   - hint: What to do about it; nil for the usual hint.
  /// - Returns: The error.
  internal static func key(
    _ values: [StoredValue], isNot expected: String, hint: String? = nil
  ) -> StoreError {
    StoreError(
      .decodingFailed,
      message: "A key is \(values.map(\.kindText).joined(separator: ", ")), expected \(expected).",
      hint: hint ?? "Let the type of `id` fit the declared primary key.",
      storedValue: values.count == 1 ? values[0] : nil)
  }
}
