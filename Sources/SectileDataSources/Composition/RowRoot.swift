package import SectileCore

/// Which row it is, below all compositions: what stays the same where a row is in two places of a
/// list, or goes from one to the other.
package struct RowRoot: Hashable, Sendable {
  private let source: ObjectIdentifier
  private let id: AnyItemID

  /// Looks down through the compositions between a row and its source; nil for an identity that no
  /// row can have.
  package init?<ID: Hashable & Sendable, Item>(of id: ID, in source: any DataSource<ID, Item>) {
    if let composed = source as? any RootTelling<ID> {
      guard let root = composed.root(of: id) else { return nil }
      self = root
    } else {
      self.source = ObjectIdentifier(source)
      self.id = AnyItemID(id)
    }
  }
}

/// A source that is fed by others, and knows whose its rows are.
package protocol RootTelling<ItemID>: AnyObject {
  associatedtype ItemID: Hashable & Sendable

  /// Returns which row of which source a row is; nil for an identity that no row can have.
  func root(of id: ItemID) -> RowRoot?
}
