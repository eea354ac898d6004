internal import Foundation

/// Codable values as JSON text: keys sorted, so that equal values are equal text.
package enum JSONText {
  /// Returns a value as text, with dates as Foundation's encoder writes them, which loses nothing.
  ///
  /// - Throws: What encoding throws.
  package static func encodePlainly(_ value: some Encodable) throws -> String {
    try text(of: value, JSONEncoder())
  }

  /// Returns the value that ``encodePlainly(_:)`` made a text of.
  ///
  /// - Throws: What decoding throws.
  package static func decodePlainly<Value: Decodable>(from text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }

  /// Returns a value as text, with dates as in columns of their own.
  internal static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      guard let text = DateText.text(from: date) else {
        throw EncodingError.invalidValue(
          date, .init(codingPath: encoder.codingPath, debugDescription: "a year beyond 0000…9999"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
    return try text(of: value, encoder)
  }

  /// What kind of error coding ended with.
  ///
  /// Its own text may repeat values, and its path the keys of dictionaries.
  internal static func kind(of error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch: "a value has another type"
    case DecodingError.valueNotFound: "a value is null"
    case DecodingError.keyNotFound(let key, _): "there is no \(key.stringValue)"
    case DecodingError.dataCorrupted: "it is no JSON, or a value does not fit its type"
    case EncodingError.invalidValue: "a value cannot be written"
    default: "\(type(of: error))"
    }
  }

  private static func text(of value: some Encodable, _ encoder: JSONEncoder) throws -> String {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  internal static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws
    -> Value
  {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let date = DateText.date(from: try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "not a date as 'yyyy-MM-dd HH:mm:ss.SSS'")
      }
      return date
    }
    return try decoder.decode(type, from: Data(text.utf8))
  }
}
