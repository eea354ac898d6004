/// An item of a source, by its identity there.
package struct ItemInSource: Sendable {
  /// The source that holds the item, below all compositions.
  package let source: any DataSource
  /// The item's identity in that source.
  package let id: any Hashable & Sendable

  package init(source: any DataSource, id: any Hashable & Sendable) {
    self.source = source
    self.id = id
  }
}

/// A source that is fed by others, and knows what its items are called there.
package protocol IdentityTelling<ItemID>: AnyObject {
  associatedtype ItemID: Hashable & Sendable

  /// Returns what an item is called where it comes from; nil for an identity that no item can have.
  func itemInSource(_ id: ItemID) -> ItemInSource?
}

extension DataSource {
  /// Returns what an item is called where it comes from, below all compositions; nil for an
  /// identity that no item can have.
  package func itemInSource(_ id: ItemID) -> ItemInSource? {
    guard let composition = self as? any IdentityTelling<ItemID> else {
      return ItemInSource(source: self, id: id)
    }
    return composition.itemInSource(id)
  }

  /// Returns where an item is, if it is still what somebody read.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchItem`, `itemChanged`, or `notComparable`; what
  ///   reading throws.
  package func path(of id: ItemID, ifStill expected: Item?) throws -> ItemPath {
    let snapshot = snapshot
    guard let path = snapshot.path(of: id) else { throw DataSourceError.noSuchItem(in: self) }
    if let expected { try check(snapshot.item(at: path), is: expected) }
    return path
  }

  /// Returns the path of an item, if it is still what somebody read.
  ///
  /// - Throws: ``DataSourceError`` with `noSuchItem`, `itemChanged`, or `notComparable`.
  package func check(
    _ path: ItemPath?, _ expected: Item?,
    _ item: (ItemPath) throws(DataSourceError) -> Item
  ) throws(DataSourceError) -> ItemPath {
    guard let path else { throw .noSuchItem(in: self) }
    if let expected { try check(item(path), is: expected) }
    return path
  }

  /// Compares an item with what somebody read.
  ///
  /// - Throws: ``DataSourceError`` with `itemChanged`, or `notComparable` for items that are not
  ///   `Equatable`.
  package func check(_ item: Item, is expected: Item) throws(DataSourceError) {
    guard let item = item as? any Equatable else { throw .notComparable(in: self) }
    guard item.isEqual(to: expected) else { throw .itemChanged(in: self) }
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
