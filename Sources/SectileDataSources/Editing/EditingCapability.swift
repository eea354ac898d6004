package import SectileCore

/// What a source may or may not be able to do with its items.
public struct EditingCapability: Hashable, Sendable {
  private enum Kind: String, Hashable, Sendable {
    case inserting, removing, moving, replacing
  }

  private let kind: Kind

  /// Taking in new items: ``ItemInserting``.
  public static let inserting = EditingCapability(kind: .inserting)
  /// Removing items: ``ItemRemoving``.
  public static let removing = EditingCapability(kind: .removing)
  /// Bringing items into another order: ``ItemMoving``.
  public static let moving = EditingCapability(kind: .moving)
  /// Replacing items: ``ItemReplacing``.
  public static let replacing = EditingCapability(kind: .replacing)

  /// Returns whether a source has the capability.
  package func isPresent(in source: any DataSource) -> Bool {
    switch kind {
    case .inserting: source is any ItemInserting
    case .removing: source is any ItemRemoving
    case .moving: source is any ItemMoving
    case .replacing: source is any ItemReplacing
    }
  }
}

extension EditingCapability: CustomStringConvertible {
  /// The capability's name.
  public var description: String { kind.rawValue }
}
