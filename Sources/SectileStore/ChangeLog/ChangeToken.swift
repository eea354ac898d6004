package import SectileCore

/// A place in a store's change log: a short, opaque text that outlives the process.
///
/// What happened since is told by `Store.history(since:limit:)`, and by live results that are
/// loaded with ``SectionedResults/load(since:)``. A token of another store, or of a log that was
/// restored or removed meanwhile, is never an error: it is answered with the reason why everything
/// has to be read anew.
///
/// ```swift
/// try Data("\(token)".utf8).write(to: place)
/// let token = ChangeToken(String(decoding: try Data(contentsOf: place), as: UTF8.self))
/// ```
public struct ChangeToken: Hashable, Sendable {
  /// The place.
  package var place: LogPlace
  /// The request whose contents are meant; nil for a place alone.
  package var request: UInt64?

  /// Creates a token.
  package init(place: LogPlace, request: UInt64? = nil) {
    self.place = place
    self.request = request
  }
}

// The bytes, before they become text; the least significant byte of a number comes first:
//
//     format 1 │ flags │ place │ [request 8]
extension ChangeToken: LosslessStringConvertible {
  private static let format: UInt8 = 1
  private static let hasRequest: UInt8 = 1
  /// More characters than any token has.
  private static let lengthLimit = 96

  /// Reads a token; nil where the text is none, whatever it is.
  public init?(_ description: String) {
    guard description.utf8.count <= Self.lengthLimit,
      let bytes = Base64URL.bytes(of: description)
    else { return nil }
    var reader = PositionBytes(bytes[...])
    guard reader.byte() == Self.format, let flags = reader.byte(),
      flags & ~Self.hasRequest == 0, let place = reader.place()
    else { return nil }
    var request: UInt64?
    if flags & Self.hasRequest != 0 {
      guard let number = reader.number(ofBytes: 8) else { return nil }
      request = number
    }
    guard reader.isAtEnd else { return nil }
    self.init(place: place, request: request)
  }

  /// The token as text: letters, digits, `-` and `_`, at most 96 of them.
  public var description: String {
    var bytes: [UInt8] = [Self.format, request == nil ? 0 : Self.hasRequest]
    PositionBytes.append(place, to: &bytes)
    if let request { PositionBytes.append(request, ofBytes: 8, to: &bytes) }
    return Base64URL.text(of: bytes)
  }
}

extension ChangeToken: Codable {
  /// Encodes the token as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a token from its text.
  ///
  /// - Throws: `DecodingError` where the text is no token.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = ChangeToken(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the text is no token of a change log")
    }
    self = token
  }
}
