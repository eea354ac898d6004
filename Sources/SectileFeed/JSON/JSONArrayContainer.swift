internal import SectileCore

/// The elements of an array.
struct JSONArrayContainer: UnkeyedEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  private var path: [any CodingKey] { codingPath + [JSONKey(intValue: count)] }

  private func element(_ write: (inout [UInt8]) -> Void) {
    node.beginElement()
    node.append(write)
  }

  func encodeNil() { element { $0 += "null".utf8 } }
  func encode(_ value: Bool) { element { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: String) { element { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Double) { element { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Float) { element { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Int) { element { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int8) { element { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int16) { element { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int32) { element { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int64) { element { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: UInt) { element { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt8) { element { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt16) { element { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt32) { element { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt64) { element { JSONBytes.append(value, to: &$0) } }

  func encode(_ value: some Encodable) throws {
    let whole = try JSONValueEncoder.node(of: value, path)
    node.beginElement()
    node.append(whole)
  }

  private func open() -> JSONValueEncoder {
    let path = path
    node.beginElement()
    return JSONValueEncoder(node: node.appendOpen(), codingPath: path)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { open().container(keyedBy: keyType) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { open().unkeyedContainer() }
  func superEncoder() -> any Encoder { open() }
}
