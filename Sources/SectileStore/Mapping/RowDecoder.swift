/// Decodes a value from a row: its properties are columns.
struct RowDecoder: Decoder {
  let row: DecodedRow

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowColumns(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notByName }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notByName }

  private var notByName: StoreError {
    StoreError(
      .decodingFailed, message: "An item of \(row.names.query) is not decoded by names.",
      hint: "Let the item be a structure whose properties are columns.")
  }
}

/// The columns of a row, by name.
private struct RowColumns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: DecodedRow

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.names.columns.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.names.positions[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try row.isNull(row.position(of: key)) }

  private func value<Value: StorableValue>(_ key: Key) throws -> Value {
    try row.value(Value.self, at: row.position(of: key))
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.decodable(type, at: row.position(of: key))
  }

  // The standard ones take a column that is missing for NULL.

  private func optional<Value: StorableValue>(_ key: Key) throws -> Value? {
    try row.value(Value?.self, at: row.position(of: key))
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(key) }

  func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    let position = try row.position(of: key)
    return try row.isNull(position) ? nil : row.decodable(type, at: position)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw noContainer(key) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw noContainer(key)
  }

  private func noContainer(_ key: Key) -> StoreError {
    StoreError(
      .decodingFailed,
      message: "\(row.names.query).\(key.stringValue) of a row holds no values of its own.",
      hint: "Decode a type of its own from the column, which is read as JSON.")
  }

  /// A class and the one above it have the columns of one row.
  func superDecoder() -> any Decoder { RowDecoder(row: row) }

  func superDecoder(forKey key: Key) -> any Decoder { RowDecoder(row: row) }
}

/// Decodes a value from one column.
struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let row: DecodedRow
  let position: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw NestedValue()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NestedValue() }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func value<Value: StorableValue>() throws -> Value {
    try row.value(Value.self, at: position)
  }

  func decodeNil() -> Bool { (try? row.isNull(position)) ?? false }
  func decode(_ type: Bool.Type) throws -> Bool { try value() }
  func decode(_ type: String.Type) throws -> String { try value() }
  func decode(_ type: Double.Type) throws -> Double { try value() }
  func decode(_ type: Float.Type) throws -> Float { try value() }
  func decode(_ type: Int.Type) throws -> Int { try value() }
  func decode(_ type: Int8.Type) throws -> Int8 { try value() }
  func decode(_ type: Int16.Type) throws -> Int16 { try value() }
  func decode(_ type: Int32.Type) throws -> Int32 { try value() }
  func decode(_ type: Int64.Type) throws -> Int64 { try value() }
  func decode(_ type: UInt.Type) throws -> UInt { try value() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value() }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try row.decodable(type, at: position)
  }
}
