/// A snapshot that can hand out all its rows quicker than one by one.
package protocol ScannedSnapshot<ItemID, Item>: DataSourceSnapshot {
  /// Calls a closure once for each row; see ``DataSourceSnapshot/scan(_:)``.
  func scanRows(_ body: (_ id: ItemID, _ item: Item, _ rank: Int) throws -> Void) throws
}

extension DataSourceSnapshot {
  /// Calls a closure once for each row, with the row's rank.
  ///
  /// The rows come as is quickest, not by rank; of one snapshot they always come in the same order.
  ///
  /// - Throws: What reading an item throws, and what the closure throws.
  /// - Complexity: O(*n*), where the snapshot can do that; else O(*n*) look-ups.
  package func scan(_ body: (_ id: ItemID, _ item: Item, _ rank: Int) throws -> Void) throws {
    if let scanned = self as? any ScannedSnapshot<ItemID, Item> {
      return try scanned.scanRows(body)
    }
    var rank = 0
    for section in 0..<numberOfSections {
      for item in 0..<numberOfItems(in: section) {
        let path = ItemPath(section: section, item: item)
        try body(id(at: path), try self.item(at: path), rank)
        rank += 1
      }
    }
  }
}

extension ContentsSnapshot: ScannedSnapshot {
  /// Calls a closure once for each row, by rank.
  package func scanRows(
    _ body: (_ id: ItemID, _ item: Item, _ rank: Int) throws -> Void
  ) throws {
    var rank = 0
    for section in contents.sections {
      for row in section.rows {
        try body(row.id, row.item, rank)
        rank += 1
      }
    }
  }
}
