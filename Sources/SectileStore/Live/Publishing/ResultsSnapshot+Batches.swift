package import SectileCore

extension ResultsSnapshot: BatchedSnapshot {
  /// Returns the items at paths, read by one query.
  ///
  /// - Parameter paths: Paths that exist, ascending.
  /// - Returns: The items, in the order of the paths.
  /// - Throws: What ``item(at:)`` throws.
  package func items(at paths: ArraySlice<ItemPath>) throws -> [Item] {
    try contents.items(at: paths, node: node, view: view, by: reader)
  }
}

extension PlanContents {
  /// Reads the items at paths that exist.
  func items<Item>(
    at paths: ArraySlice<ItemPath>, node: VersionNode, view: HeldView?, by reader: ItemReader<Item>
  ) throws -> [Item] {
    if view?.isHeld != true { content?.pass?.waitBriefly() }
    let rows = paths.map { path in
      let handle = index.handle(atRank: index.rank(at: path))
      return WantedRow(
        key: keys.key(of: handle), content: content?[handle] ?? RowDigest.unknown)
    }
    return try zip(rows, try reader.items(rows, at: node, in: view)).map { row, item in
      guard let item else {
        view?.noteGoneRow()
        throw StoreError.itemChangedElsewhere(table: reader.table, key: row.key)
      }
      return item
    }
  }
}
