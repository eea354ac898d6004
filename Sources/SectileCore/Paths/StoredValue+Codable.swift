extension StoredValue: Encodable {
  private struct Tag: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }

  /// Encodes NULL, numbers and text as themselves; what JSON has no word for is tagged, as
  /// `{"$blob":"00ff"}`.
  ///
  /// An integer beyond ±(2^53 − 1) is written as `{"$integer":"9007199254740993"}`, since many
  /// readers would round it, and an infinite real number as `{"$real":"9e999"}`. A whole real
  /// number may come back as an integer, which is an equal value; one that readers of integers
  /// would take for another value, beyond ±(2^53 − 1), is written as
  /// `{"$real":"4.611686018427388e+18"}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .integer(let value) where JSONTag.isExact(value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .integer(let value):
      try Self.encode(JSONTag.integer, String(value), to: encoder)
    case .real(let value) where JSONTag.isPlain(value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .real(let value):
      try Self.encode(JSONTag.real, JSONTag.text(ofReal: value), to: encoder)
    case .text(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .blob(let value):
      try Self.encode(JSONTag.blob, Self.hexadecimal(value), to: encoder)
    }
  }

  private static func encode(_ tag: String, _ text: String, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Tag.self)
    try container.encode(text, forKey: Tag(stringValue: tag))
  }

  /// Encodes text that is not UTF-8, which no stored value holds as text: `{"$text":"ff"}`.
  package struct InvalidText: Encodable {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func encode(to encoder: any Encoder) throws {
      try StoredValue.encode(JSONTag.text, StoredValue.hexadecimal(bytes), to: encoder)
    }
  }
}

extension StoredValue: Decodable {
  /// Decodes what ``encode(to:)`` writes, and any plain JSON number.
  ///
  /// The tags of format 1, `blob` and `real`, are read as well. Text that is not UTF-8 comes as the
  /// blob of its bytes.
  ///
  /// - Throws: `DecodingError` where the input is neither null, a number, a text, nor an object
  ///   with one of the tags.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.singleValueContainer() {
      if container.decodeNil() {
        self = .null
        return
      }
      if let value = try? container.decode(Int64.self) {
        self = .integer(value)
        return
      }
      if let value = try? container.decode(Double.self) {
        self = .real(value)
        return
      }
      if let value = try? container.decode(String.self) {
        self = .text(value)
        return
      }
    }
    let container = try decoder.container(keyedBy: Tag.self)
    guard container.allKeys.count == 1, let tag = container.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "an object is no value"))
    }
    let text = try container.decode(String.self, forKey: tag)
    guard let value = StoredValue(tag: tag.stringValue, text: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: tag, in: container, debugDescription: "the text is not what the tag says")
    }
    self = value
  }

  /// Creates the value that a tag and its text stand for; nil where they stand for none.
  private init?(tag: String, text: String) {
    switch tag {
    case JSONTag.integer:
      guard let value = JSONTag.integer(text) else { return nil }
      self = .integer(value)
    case JSONTag.real, "real":
      // An infinity is written as `inf` in format 1, and as a number that is too large since.
      guard let value = Double(text), !value.isNaN else { return nil }
      self = .real(value)
    case JSONTag.blob, "blob":
      guard let bytes = Self.bytes(hexadecimal: text) else { return nil }
      self = .blob(bytes)
    case JSONTag.text:
      guard let bytes = Self.bytes(hexadecimal: text) else { return nil }
      self = String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(bytes)
    default: return nil
    }
  }
}
