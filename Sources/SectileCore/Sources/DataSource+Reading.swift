extension DataSource {
  /// The version of the contents.
  public var version: Int { snapshot.version }

  /// The sections, in order.
  public var sections: SectionList { snapshot.sections }

  /// The number of sections.
  public var numberOfSections: Int { snapshot.numberOfSections }

  /// The number of items in all sections.
  public var numberOfItems: Int { snapshot.numberOfItems }

  /// Returns the number of items in a section; zero where there is no such section.
  public func numberOfItems(in section: Int) -> Int { snapshot.numberOfItems(in: section) }

  /// Returns the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with the code `noSuchPath`; what reading from the source throws.
  public func item(at path: ItemPath) throws -> Item { try snapshot.item(at: path) }

  /// Returns the identity of the item at a path.
  ///
  /// - Throws: ``DataSourceError`` with the code `noSuchPath` where the current version has no item
  ///   at the path.
  public func id(at path: ItemPath) throws(DataSourceError) -> ItemID {
    let snapshot = snapshot
    try snapshot.check(path)
    return snapshot.id(at: path)
  }

  /// Returns the path of an item, or nil where the source does not contain it.
  public func path(of id: ItemID) -> ItemPath? { snapshot.path(of: id) }

  /// Returns this source and the path.
  ///
  /// Compositions answer with the source of theirs that holds the item.
  public func origin(at path: ItemPath) -> ItemOrigin { ItemOrigin(source: self, path: path) }

  /// Reads the item at a path.
  ///
  /// ```swift
  /// let first = try source[0, 0]
  /// ```
  ///
  /// - Throws: What ``item(at:)`` throws.
  public subscript(section: Int, item: Int) -> Item {
    get throws { try self.item(at: ItemPath(section: section, item: item)) }
  }
}
