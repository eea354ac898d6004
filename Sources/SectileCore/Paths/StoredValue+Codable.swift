extension StoredValue: Encodable {
  private enum BlobKey: String, CodingKey { case blob }
  private enum RealKey: String, CodingKey { case real }

  /// Encodes NULL, numbers and text as themselves, and a blob as `{"blob": "00ff"}`.
  ///
  /// An infinite real number is written as `{"real": "inf"}`, because JSON has no number for it. A
  /// whole one may come back as an integer, which is an equal value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .integer(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .real(let value) where value.isFinite:
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .real(let value):
      var container = encoder.container(keyedBy: RealKey.self)
      try container.encode(String(value), forKey: .real)
    case .text(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .blob(let value):
      var container = encoder.container(keyedBy: BlobKey.self)
      try container.encode(Self.hexadecimal(value), forKey: .blob)
    }
  }
}

extension StoredValue: Decodable {
  /// Decodes what ``encode(to:)`` writes, and any plain JSON number.
  ///
  /// - Throws: `DecodingError` where the input is neither null, a number, a text, nor an object
  ///   with `blob` or `real`.
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
    self = try Self.decodeObject(from: decoder)
  }

  private static func decodeObject(from decoder: any Decoder) throws -> StoredValue {
    let reals = try decoder.container(keyedBy: RealKey.self)
    if let text = try reals.decodeIfPresent(String.self, forKey: .real) {
      guard let value = Double(text), !value.isNaN else {
        throw DecodingError.dataCorruptedError(
          forKey: .real, in: reals, debugDescription: "\(text) is not a number")
      }
      return .real(value)
    }
    let blobs = try decoder.container(keyedBy: BlobKey.self)
    let text = try blobs.decode(String.self, forKey: .blob)
    guard let bytes = bytes(hexadecimal: text) else {
      throw DecodingError.dataCorruptedError(
        forKey: .blob, in: blobs, debugDescription: "the blob is not in hexadecimal digits")
    }
    return .blob(bytes)
  }
}
