internal import SectileCore

/// A value that is neither an array nor an object.
struct JSONSingleContainer: SingleValueEncodingContainer {
  let node: JSONNode
  let codingPath: [any CodingKey]

  private func value(_ write: (inout [UInt8]) -> Void) {
    node.begin(.nothing)
    node.begin(.value)
    node.append(write)
  }

  func encodeNil() { value { $0 += "null".utf8 } }
  func encode(_ value: Bool) { self.value { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: String) { self.value { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Double) { self.value { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Float) { self.value { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: Int) { self.value { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int8) { self.value { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int16) { self.value { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int32) { self.value { JSONBytes.append(Int64(value), to: &$0) } }
  func encode(_ value: Int64) { self.value { JSONBytes.append(value, to: &$0) } }
  func encode(_ value: UInt) { self.value { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt8) { self.value { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt16) { self.value { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt32) { self.value { JSONBytes.append(UInt64(value), to: &$0) } }
  func encode(_ value: UInt64) { self.value { JSONBytes.append(value, to: &$0) } }

  func encode(_ value: some Encodable) throws {
    try JSONValueEncoder.write(value, to: node, codingPath)
  }
}
