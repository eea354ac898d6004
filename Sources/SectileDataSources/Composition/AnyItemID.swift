internal import SectileCore

/// The identity of an item, whatever its type, and of which of several composed sources it is.
///
/// Sources with identities of different types stand side by side with it, and two sources may
/// contain items of the same identity:
///
/// ```swift
/// let list = packages.concatenated(with: notes)
/// list.path(of: AnyItemID(package.id, ofSource: 0))
/// list.path(of: AnyItemID(note.id, ofSource: 1))
/// ```
public struct AnyItemID: Hashable, Sendable {
  /// Which of the composed sources the item is in, counted from zero; nil outside compositions.
  public let source: Int?
  /// The item's identity in that source.
  public let base: any Hashable & Sendable

  private init(source: Int?, base: any Hashable & Sendable) {
    self.source = source
    self.base = base
  }

  /// Wraps the identity of an item; one that is wrapped already stays as it is.
  public init(_ id: some Hashable & Sendable) {
    self = id as? AnyItemID ?? AnyItemID(source: nil, base: id)
  }

  /// Wraps the identity of an item of one of several composed sources.
  ///
  /// - Parameters:
  ///   - id: The item's identity in its source.
  ///   - source: Which of the sources it is, counted from zero.
  public init(_ id: some Hashable & Sendable, ofSource source: Int) {
    let wrapped = AnyItemID(id)
    self.init(source: source, base: wrapped.source == nil ? wrapped.base : wrapped)
  }

  /// The identity in its source, wrapped.
  var inSource: AnyItemID {
    if let nested = base as? AnyItemID { return nested }
    return AnyItemID(source: nil, base: base)
  }

  /// The identity as one of a type, or nil where it is none: the opposite of ``init(_:)``.
  func unwrapped<ID: Hashable & Sendable>(as type: ID.Type) -> ID? {
    if let id = self as? ID { return id }
    return source == nil ? base as? ID : nil
  }

  /// Returns whether two identities are the same, of the same type, in the same source.
  ///
  /// Texts are compared by their UTF-8 bytes, whatever Swift finds equal.
  public static func == (left: AnyItemID, right: AnyItemID) -> Bool {
    left.source == right.source && areEqual(left.base, right.base)
  }

  private static func areEqual<ID: Hashable>(_ left: ID, _ right: Any) -> Bool {
    guard let right = right as? ID else { return false }
    return IdentityKey(left) == IdentityKey(right)
  }

  /// Feeds the identity to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    Self.hash(base, into: &hasher)
  }

  private static func hash<ID: Hashable>(_ id: ID, into hasher: inout Hasher) {
    IdentityKey(id).hash(into: &hasher)
  }
}

extension AnyItemID: ByteIdentity {}

extension AnyItemID: CustomStringConvertible {
  /// The identity, with the number of its source in front: `1/42`.
  public var description: String {
    source.map { "\($0)/\(base)" } ?? "\(base)"
  }
}
