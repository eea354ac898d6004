internal import FoundationEssentials

/// A number in JSON that the type it is read as cannot hold.
struct UnfitNumber: Error {
  let path: [any CodingKey]
  /// The type it was to be read as.
  let type: String
}

/// Decodes through the decoder of a JSON document, and says of numbers that do not fit where they
/// are.
///
/// That decoder says of such a number that the document is not valid, and not where.
struct LocatingDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(LocatingKeyedContainer(base: try base.container(keyedBy: type)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    LocatingUnkeyedContainer(base: try base.unkeyedContainer())
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    LocatingValueContainer(base: try base.singleValueContainer())
  }
}

/// A value that is decoded with a ``LocatingDecoder``.
private struct Located<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    value = try Value(from: LocatingDecoder(base: decoder))
  }
}

/// A type that the JSON decoder reads in a way of its own.
private protocol SpecialInJSON {}
extension Data: SpecialInJSON {}
extension Date: SpecialInJSON {}
extension Decimal: SpecialInJSON {}
extension URL: SpecialInJSON {}
extension Dictionary: SpecialInJSON where Key == String, Value: Decodable {}

/// A type without parts.
private protocol PlainInJSON {}
extension Bool: PlainInJSON {}
extension String: PlainInJSON {}
extension Double: PlainInJSON {}
extension Float: PlainInJSON {}
extension Int: PlainInJSON {}
extension Int8: PlainInJSON {}
extension Int16: PlainInJSON {}
extension Int32: PlainInJSON {}
extension Int64: PlainInJSON {}
extension UInt: PlainInJSON {}
extension UInt8: PlainInJSON {}
extension UInt16: PlainInJSON {}
extension UInt32: PlainInJSON {}
extension UInt64: PlainInJSON {}

/// Decodes a value: one without parts as it is, one with parts so that they are located too.
private func locate<Value: Decodable>(
  _ type: Value.Type, at path: @autoclosure () -> [any CodingKey], plain: () throws -> Value,
  located: () throws -> Located<Value>
) throws -> Value {
  guard type is any PlainInJSON.Type || type is any SpecialInJSON.Type else {
    return try located().value
  }
  do {
    return try plain()
  } catch let error as DecodingError {
    throw error
  } catch {
    // Of a document that was read so far, only a number can still be wrong.
    throw UnfitNumber(path: path(), type: "\(type)")
  }
}

private struct LocatingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let base: KeyedDecodingContainer<Key>

  var codingPath: [any CodingKey] { base.codingPath }
  var allKeys: [Key] { base.allKeys }

  func contains(_ key: Key) -> Bool { base.contains(key) }

  func decodeNil(forKey key: Key) throws -> Bool { try base.decodeNil(forKey: key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try locate(
      type, at: codingPath + [key], plain: { try base.decode(type, forKey: key) },
      located: { try base.decode(Located<Value>.self, forKey: key) })
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      LocatingKeyedContainer<NestedKey>(base: try base.nestedContainer(keyedBy: type, forKey: key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    LocatingUnkeyedContainer(base: try base.nestedUnkeyedContainer(forKey: key))
  }

  func superDecoder() throws -> any Decoder { LocatingDecoder(base: try base.superDecoder()) }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    LocatingDecoder(base: try base.superDecoder(forKey: key))
  }
}

private struct LocatingUnkeyedContainer: UnkeyedDecodingContainer {
  var base: any UnkeyedDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }
  var count: Int? { base.count }
  var isAtEnd: Bool { base.isAtEnd }
  var currentIndex: Int { base.currentIndex }

  mutating func decodeNil() throws -> Bool { try base.decodeNil() }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    var inner = base
    defer { base = inner }
    return try locate(
      type, at: base.codingPath + [JSONOffset(base.currentIndex)],
      plain: { try inner.decode(type) },
      located: { try inner.decode(Located<Value>.self) })
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    KeyedDecodingContainer(
      LocatingKeyedContainer<NestedKey>(base: try base.nestedContainer(keyedBy: type)))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    LocatingUnkeyedContainer(base: try base.nestedUnkeyedContainer())
  }

  mutating func superDecoder() throws -> any Decoder {
    LocatingDecoder(base: try base.superDecoder())
  }
}

private struct LocatingValueContainer: SingleValueDecodingContainer {
  let base: any SingleValueDecodingContainer

  var codingPath: [any CodingKey] { base.codingPath }

  func decodeNil() -> Bool { base.decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try locate(
      type, at: codingPath, plain: { try base.decode(type) },
      located: { try base.decode(Located<Value>.self) })
  }
}

/// A place in an array.
private struct JSONOffset: CodingKey {
  let offset: Int

  init(_ offset: Int) { self.offset = offset }

  init?(intValue: Int) { self.init(intValue) }

  init?(stringValue: String) { nil }

  var intValue: Int? { offset }
  var stringValue: String { "Index \(offset)" }
}
