internal import SectileCore

extension KeyedChanges {
  /// Returns the same changes of other items.
  func shaped<Shaped: Sendable>(_ shape: (Item) -> Shaped) -> KeyedChanges<ItemID, Shaped> {
    KeyedChanges<ItemID, Shaped>(
      targetVersion: targetVersion, deletes: deletes,
      upserts: upserts.map { .init(path: $0.path, id: $0.id, item: shape($0.item)) },
      sections: sections.map { .init(header: $0.header, count: $0.count) }, aggregates: aggregates)
  }
}
