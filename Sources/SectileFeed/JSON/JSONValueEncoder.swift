internal import Foundation
internal import SectileCore

/// What a value encodes itself into: a node of JSON.
struct JSONValueEncoder: Encoder {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.begin(.object)
    return KeyedEncodingContainer(JSONObjectContainer(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.begin(.array)
    return JSONArrayContainer(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleContainer(node: node, codingPath: codingPath)
  }

  /// Returns a value as JSON.
  static func node<Value: Encodable>(of value: Value, _ path: [any CodingKey])
    throws -> JSONNode
  {
    let node = JSONNode()
    try write(value, to: node, path)
    guard node.kind != .nothing else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: path, debugDescription: "\(Value.self) encodes nothing"))
    }
    return node
  }

  /// Writes a value; the types that have a form of their own are told first.
  static func write<Value: Encodable>(
    _ value: Value, to node: JSONNode, _ path: [any CodingKey]
  ) throws {
    if Value.self == Data.self, let data = value as? Data {
      node.begin(.value)
      node.append { JSONBytes.append(blob: Array(data), to: &$0) }
    } else if Value.self == [UInt8].self, let blob = value as? [UInt8] {
      node.begin(.value)
      node.append { JSONBytes.append(blob: blob, to: &$0) }
    } else if Value.self == URL.self, let url = value as? URL {
      node.begin(.value)
      node.append { JSONBytes.append(url.absoluteString, to: &$0) }
    } else if Value.self == Decimal.self, let decimal = value as? Decimal {
      node.begin(.value)
      node.append { JSONBytes.append(decimal.description, to: &$0) }
    } else {
      try value.encode(to: JSONValueEncoder(node: node, codingPath: path))
    }
  }
}
