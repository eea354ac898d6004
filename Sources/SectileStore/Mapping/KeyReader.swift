public import SectileCore

/// Reads the components of a composite key one after the other.
///
/// See ``EntityKey`` for an example.
public struct KeyReader {
  private let values: [StoredValue]
  private var position = 0

  /// Creates a reader of the values of a key.
  public init(_ values: [StoredValue]) {
    self.values = values
  }

  /// Reads the next component.
  ///
  /// - Throws: A ``StoreError`` with the code `decodingFailed` if there is none, or if its type
  ///   does not fit.
  public mutating func next<Key: EntityKey>(_ type: Key.Type = Key.self) throws -> Key {
    guard position < values.count else {
      throw StoreError.key(values, isNot: "a key of more columns")
    }
    let value = values[position]
    position += 1
    return try Key(keyValues: [value])
  }
}
