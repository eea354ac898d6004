import SectileCore

/// A changeset, and the items it brings.
final class ItemChanges<Item: Identifiable & Sendable>: TypedChange where Item.ID: EntityKey {
  /// Nil where nobody need hear of it.
  let delivered: DeliveredChanges<Item.ID, Item>?
  /// The touched rows; the items of the version before no longer hold.
  let rows: [PlanTransition]
  /// The items that were read.
  let items: [Item]

  init(
    _ delivered: DeliveredChanges<Item.ID, Item>?, rows: [PlanTransition], items: [Item]
  ) {
    self.delivered = delivered
    self.rows = rows
    self.items = items
  }

  var text: String { delivered?.changes.description ?? "" }
}
