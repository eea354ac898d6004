/// A place in the hub's log of commits: the number of bytes before it.
///
/// Positions grow with every commit of one hub; they say nothing about another hub. PostgreSQL
/// calls them *log sequence numbers*, and writes them as this type does: two hexadecimal numbers
/// with a stroke between them.
///
/// ```swift
/// HubPosition("0/16B3748")!.byteCount  // 23803720
/// ```
public struct HubPosition: Hashable, Comparable, Sendable, LosslessStringConvertible {
  /// How many bytes of the log stand before the place.
  public let byteCount: UInt64

  /// Creates a position.
  ///
  /// - Parameter byteCount: How many bytes of the log stand before it.
  public init(byteCount: UInt64) { self.byteCount = byteCount }

  /// The position before everything.
  public static let zero = HubPosition(byteCount: 0)

  /// Reads a position as PostgreSQL writes it, `0/16B3748`; nil for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2,
      parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.allSatisfy(\.isHexDigit) }),
      let high = UInt64(parts[0], radix: 16), let low = UInt64(parts[1], radix: 16)
    else { return nil }
    byteCount = high << 32 | low
  }

  /// The position as PostgreSQL writes it.
  public var description: String {
    let high = String(byteCount >> 32, radix: 16, uppercase: true)
    return high + "/" + String(byteCount & 0xFFFF_FFFF, radix: 16, uppercase: true)
  }

  /// Whether a position is before another.
  public static func < (left: HubPosition, right: HubPosition) -> Bool {
    left.byteCount < right.byteCount
  }
}
