/// A snapshot that reads several items at once.
package protocol BatchedSnapshot<ItemID, Item>: DataSourceSnapshot {
  /// Returns the items at paths.
  ///
  /// - Parameter paths: Paths that exist, ascending.
  /// - Returns: The items, in the order of the paths.
  /// - Throws: What ``DataSourceSnapshot/item(at:)`` throws.
  func items(at paths: ArraySlice<ItemPath>) throws -> [Item]
}

/// How many items are read at once.
private let batchSize = 500

extension KeyedChanges {
  /// Creates what leads to the contents of a snapshot, from contents that differ in some rows.
  ///
  /// - Parameters:
  ///   - snapshot: The contents.
  ///   - identities: The rows that may differ in value, section, or place among the others. An
  ///     identity may be there twice, and may be one that neither contents have.
  /// - Throws: What reading the items throws.
  /// - Complexity: O(*t* log *n* + *s* log *n*) for *t* identities, *s* sections and *n* rows; as
  ///   many items are read as there are identities, in batches where the snapshot can.
  package init<Snapshot: DataSourceSnapshot>(
    to snapshot: Snapshot, touching identities: some Sequence<ItemID>
  ) throws where Snapshot.ItemID == ItemID, Snapshot.Item == Item {
    try self.init(to: snapshot, touching: identities) { try Self.items(at: $0, in: snapshot) }
  }

  /// Creates what leads to the contents of a snapshot, with items that somebody else makes.
  ///
  /// - Parameters:
  ///   - snapshot: The contents.
  ///   - identities: The rows that may differ.
  ///   - items: Returns the items of the rows that are there, by their paths, ascending.
  /// - Throws: What `items` throws.
  package init<Snapshot: DataSourceSnapshot>(
    to snapshot: Snapshot, touching identities: some Sequence<ItemID>,
    items: (_ paths: [ItemPath]) throws -> [Item]
  ) throws where Snapshot.ItemID == ItemID {
    var known: Set<IdentityKey<ItemID>> = []
    var deletes: [ItemID] = []
    var places: [(path: ItemPath, id: ItemID)] = []
    for id in identities where known.insert(IdentityKey(id)).inserted {
      if let path = snapshot.path(of: id) { places.append((path, id)) } else { deletes.append(id) }
    }
    places.sort { $0.path < $1.path }
    let items = try items(places.map(\.path))
    self.init(
      targetVersion: snapshot.version, deletes: deletes,
      upserts: zip(places, items).map { Upsert(path: $0.path, id: $0.id, item: $1) },
      sections: snapshot.sections.enumerated().map { ordinal, header in
        Section(header: header, count: snapshot.numberOfItems(in: ordinal))
      }, aggregates: snapshot.aggregates)
  }

  private static func items<Snapshot: DataSourceSnapshot>(
    at paths: [ItemPath], in snapshot: Snapshot
  ) throws -> [Item] where Snapshot.ItemID == ItemID, Snapshot.Item == Item {
    guard let batched = snapshot as? any BatchedSnapshot<ItemID, Item> else {
      return try paths.map { try snapshot.item(at: $0) }
    }
    var items: [Item] = []
    items.reserveCapacity(paths.count)
    var rest = paths[...]
    while !rest.isEmpty {
      items += try batched.items(at: rest.prefix(batchSize))
      rest = rest.dropFirst(batchSize)
    }
    return items
  }
}
