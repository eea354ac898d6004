/// A changeset on its way to the listeners of a source.
///
/// It is boxed once, where it is made; from there to the listeners only the reference travels.
package final class DeliveredChanges<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  package let changes: Changeset<ItemID, Item>

  /// Boxes a changeset, or returns nil where there is nothing to deliver.
  package init?(_ changes: Changeset<ItemID, Item>) {
    guard !changes.isEmpty else { return nil }
    self.changes = changes
  }
}
