internal import SectileCore

/// The members of an object.
struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  let codingPath: [any CodingKey]

  private func member(_ key: Key, _ write: (inout [UInt8]) -> Void) {
    node.beginMember(key.stringValue)
    node.append(write)
  }

  private func member(_ key: Key, _ number: Int64) {
    member(key) { JSONBytes.append(number, to: &$0) }
  }

  private func member(_ key: Key, _ number: UInt64) {
    member(key) { JSONBytes.append(number, to: &$0) }
  }

  func encodeNil(forKey key: Key) { member(key) { $0 += "null".utf8 } }
  func encode(_ value: Bool, forKey key: Key) { member(key) { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: String, forKey key: Key) { member(key) { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Double, forKey key: Key) { member(key) { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Float, forKey key: Key) { member(key) { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Int, forKey key: Key) { member(key, Int64(value)) }
  func encode(_ value: Int8, forKey key: Key) { member(key, Int64(value)) }
  func encode(_ value: Int16, forKey key: Key) { member(key, Int64(value)) }
  func encode(_ value: Int32, forKey key: Key) { member(key, Int64(value)) }
  func encode(_ value: Int64, forKey key: Key) { member(key, value) }
  func encode(_ value: UInt, forKey key: Key) { member(key, UInt64(value)) }
  func encode(_ value: UInt8, forKey key: Key) { member(key, UInt64(value)) }
  func encode(_ value: UInt16, forKey key: Key) { member(key, UInt64(value)) }
  func encode(_ value: UInt32, forKey key: Key) { member(key, UInt64(value)) }
  func encode(_ value: UInt64, forKey key: Key) { member(key, value) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    let whole = try JSONValueEncoder.node(of: value, codingPath + [key])
    node.beginMember(key.stringValue)
    node.append(whole)
  }

  private func open(_ key: any CodingKey) -> JSONValueEncoder {
    node.beginMember(key.stringValue)
    return JSONValueEncoder(node: node.appendOpen(), codingPath: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { open(key).container(keyedBy: keyType) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    open(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { open(JSONKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { open(key) }
}
