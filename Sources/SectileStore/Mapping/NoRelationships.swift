/// The relationships of an entity that has none.
public struct NoRelationships: EntityRelationships {
  /// Creates no relationships.
  public init() {}
}
