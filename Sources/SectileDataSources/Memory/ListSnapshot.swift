public import SectileCore

/// One version of the contents of a source that is held in memory.
///
/// It shares with later versions what did not change since, and finds items by path, by rank and by
/// identity in O(log *n*).
public struct ListSnapshot<ItemID: Hashable & Sendable, Item: Sendable>: DataSourceSnapshot {
  let items: SectionedItems<ItemID, Item>
  /// The version of the contents.
  public let version: Int

  init(items: SectionedItems<ItemID, Item> = SectionedItems(), version: Int = 0) {
    self.items = items
    self.version = version
  }

  /// The sections, in order.
  public var sections: SectionList {
    let index = items.index
    return SectionList(count: index.sectionCount) { index.header(ofSection: $0) }
  }

  /// The number of sections.
  public var numberOfSections: Int { items.sectionCount }

  /// The number of items in all sections.
  public var numberOfItems: Int { items.count }

  /// Returns the number of items in a section; zero where there is no such section.
  public func numberOfItems(in section: Int) -> Int { items.count(inSection: section) }

  /// Returns the ordinal of the section with an identity, or nil.
  public func section(withIdentity identity: StoredValue) -> Int? {
    items.index.sectionOrdinal(of: identity)
  }

  /// Returns the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath` where there is none.
  public func item(at path: ItemPath) throws(DataSourceError) -> Item {
    guard items.contains(path) else { throw .noSuchPath(path) }
    return items.row(at: path).item
  }

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists.
  public func id(at path: ItemPath) -> ItemID { items.row(at: path).id }

  /// Returns the path of an item, or nil where there is none with that identity.
  public func path(of id: ItemID) -> ItemPath? { items.path(of: id) }

  /// Returns how many items come before a path, over all sections.
  ///
  /// - Precondition: `path` exists, or is just behind the last item of a section.
  public func rank(of path: ItemPath) -> Int {
    items.index.startRank(ofSection: path.section) + path.item
  }

  /// Returns the path of the item before which as many items come.
  ///
  /// - Precondition: `rank` is in `0..<numberOfItems`.
  public func path(atRank rank: Int) -> ItemPath { items.index.path(atRank: rank) }

  /// Everything, as a plain value.
  ///
  /// - Complexity: O(*n*).
  public var contents: SectionedContents<ItemID, Item> { items.contents(version: version) }
}

extension ListSnapshot: ScannedSnapshot {
  /// Calls a closure once for each row; see ``SectileCore/DataSourceSnapshot/scan(_:)``.
  package func scanRows(
    _ body: (_ id: ItemID, _ item: Item, _ rank: Int) throws -> Void
  ) throws {
    try items.scan(body)
  }
}

extension ListSnapshot: Encodable where ItemID: Encodable, Item: Encodable {}
