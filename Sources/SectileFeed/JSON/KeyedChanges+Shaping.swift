internal import SectileCore

/// What stands for an item that is not told.
struct NoItem: Hashable, Sendable {}

/// What became of rows, without their items.
struct KeyedStructure<ItemID: Hashable & Sendable & Encodable>: Encodable, Sendable {
  private enum Key: String, CodingKey {
    case format, targetVersion, deletes, upserts, sections, aggregates
  }

  private struct Upsert: Encodable {
    let path: ItemPath
    let id: ItemID
  }

  private let changes: KeyedChanges<ItemID, NoItem>

  init(_ changes: KeyedChanges<ItemID, NoItem>) { self.changes = changes }

  /// Encodes what `KeyedChanges` does, without `item`.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(JSONTag.format, forKey: .format)
    try container.encode(changes.targetVersion, forKey: .targetVersion)
    // One by one: a list of bytes would be a BLOB.
    var deletes = container.nestedUnkeyedContainer(forKey: .deletes)
    for id in changes.deletes { try deletes.encode(id) }
    try container.encode(
      changes.upserts.map { Upsert(path: $0.path, id: $0.id) }, forKey: .upserts)
    try container.encode(changes.sections, forKey: .sections)
    if !changes.aggregates.isEmpty { try container.encode(changes.aggregates, forKey: .aggregates) }
  }
}

extension KeyedChanges {
  /// Returns the same changes of other items.
  func shaped<Shaped: Sendable>(_ shape: (Item) -> Shaped) -> KeyedChanges<ItemID, Shaped> {
    KeyedChanges<ItemID, Shaped>(
      targetVersion: targetVersion, deletes: deletes,
      upserts: upserts.map { .init(path: $0.path, id: $0.id, item: shape($0.item)) },
      sections: sections.map { .init(header: $0.header, count: $0.count) }, aggregates: aggregates)
  }
}
