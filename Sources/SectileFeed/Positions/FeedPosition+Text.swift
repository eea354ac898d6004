internal import SectileCore

// The bytes of a position, before they become text:
//
//     format 1 │ flags │ epoch 8 │ fingerprint 8 │ version 1…10
//       │ [store 16 │ log's epoch 8 │ salt 8 │ sequence 1…10 │ request 8] │ check 4
//
// The least significant byte comes first. Versions and sequences take seven bits a byte. Flag 1
// says that the part in brackets is there; no other flag is known. Whatever else a text holds, it
// is no position.

extension FeedPosition: LosslessStringConvertible {
  /// The first byte of every position; one more with each change of what follows.
  private static let format: UInt8 = 2
  private static let hasLog: UInt8 = 1
  /// More characters than any position has.
  private static let lengthLimit = 128

  /// Reads a position; nil where the text is none, whatever it is.
  ///
  /// - Parameter description: A text from anywhere.
  public init?(_ description: String) {
    guard description.utf8.count <= Self.lengthLimit,
      let bytes = Base64URL.bytes(of: description), bytes.count > 4
    else { return nil }
    var check = PositionBytes(bytes.suffix(4))
    guard check.number(ofBytes: 4) == UInt64(Self.check(of: bytes.dropLast(4))) else { return nil }
    var reader = PositionBytes(bytes.dropLast(4))
    guard reader.byte() == Self.format, let flags = reader.byte(), flags & ~Self.hasLog == 0,
      let epoch = reader.number(ofBytes: 8), let fingerprint = reader.number(ofBytes: 8),
      let version = reader.shortNumber()
    else { return nil }
    var log: ResumePoint?
    if flags & Self.hasLog != 0 {
      guard let place = reader.place(), let request = reader.number(ofBytes: 8) else { return nil }
      log = ResumePoint(place: place, request: request)
    }
    guard reader.isAtEnd else { return nil }
    self.init(epoch: epoch, version: version, fingerprint: fingerprint, log: log)
  }

  /// The position as text: letters, digits, `-` and `_`, at most 128 of them.
  public var description: String {
    var bytes: [UInt8] = [Self.format, log == nil ? 0 : Self.hasLog]
    PositionBytes.append(epoch, ofBytes: 8, to: &bytes)
    PositionBytes.append(fingerprint, ofBytes: 8, to: &bytes)
    PositionBytes.appendShort(version, to: &bytes)
    if let log {
      PositionBytes.append(log.place, to: &bytes)
      PositionBytes.append(log.request, ofBytes: 8, to: &bytes)
    }
    PositionBytes.append(UInt64(Self.check(of: bytes[...])), ofBytes: 4, to: &bytes)
    return Base64URL.text(of: bytes)
  }

  /// Tells a position that was damaged on its way; it is no proof against who makes one up.
  private static func check(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let hash = StableHash(of: bytes).value
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }
}

extension FeedPosition: Codable {
  /// Encodes the position as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a position from its text.
  ///
  /// - Throws: `DecodingError` where the text is no position; who goes on from what a client sent
  ///   uses ``init(_:)``, and takes nil for no position.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let position = FeedPosition(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the text is no position of a feed")
    }
    self = position
  }
}
