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

  /// Returns whether a source has the capability, and allows it at a path.
  package func isPresent(in source: any DataSource, at path: ItemPath) -> Bool {
    let editable: (any ItemEditing)? =
      switch kind {
      case .inserting: source as? any ItemInserting
      case .removing: source as? any ItemRemoving
      case .moving: source as? any ItemMoving
      case .replacing: source as? any ItemReplacing
      }
    return editable?.allows(self, at: path) ?? false
  }
}

extension EditingCapability: CustomStringConvertible {
  /// The capability's name.
  public var description: String { kind.rawValue }
}
