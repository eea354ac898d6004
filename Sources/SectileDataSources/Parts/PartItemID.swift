internal import SectileCore

/// The identity of an item in a list of parts: which part it is in, and what it is called there.
///
/// It stays the same where parts come, go and move, and two parts may contain items of the same
/// identity:
///
/// ```swift
/// let id = PartItemID(message.id, inPart: chat.id)
/// list.path(of: id)                                   // where the message is now
/// print(id)                                           // ada/42
/// ```
public struct PartItemID<PartID: Hashable & Sendable>: Hashable, Sendable {
  /// The part.
  public let part: PartID
  /// The item's identity in the part.
  public let item: AnyItemID

  /// Creates the identity of an item of a part.
  ///
  /// - Parameters:
  ///   - id: The item's identity in its part.
  ///   - part: The part.
  public init(_ id: some Hashable & Sendable, inPart part: PartID) {
    self.part = part
    item = AnyItemID(id)
  }

  /// Returns whether two identities are the same item of the same part.
  ///
  /// Texts are compared by their UTF-8 bytes, whatever Swift finds equal.
  public static func == (left: PartItemID, right: PartItemID) -> Bool {
    left.item == right.item && IdentityKey(left.part) == IdentityKey(right.part)
  }

  /// Feeds the identity to a hasher.
  public func hash(into hasher: inout Hasher) {
    IdentityKey(part).hash(into: &hasher)
    hasher.combine(item)
  }
}

extension PartItemID: ByteIdentity {}

extension PartItemID: CustomStringConvertible {
  /// The part, a slash, and the item's identity in it: `ada/42`.
  public var description: String { "\(StoredValue.prefix(ofPart: part))/\(item)" }
}
