extension DataSource {
  /// The version of the contents.
  public var version: Int { snapshot.version }

  /// The sections, in order.
  public var sections: SectionList { snapshot.sections }

  /// The number of sections.
  public var numberOfSections: Int { snapshot.numberOfSections }

  /// The number of items in all sections.
  public var numberOfItems: Int { snapshot.numberOfItems }

  /// Returns the number of items in a section.
  ///
  /// - Precondition: `section` is in `0..<numberOfSections`.
  public func numberOfItems(in section: Int) -> Int { snapshot.numberOfItems(in: section) }

  /// Returns the item at a path.
  ///
  /// - Throws: What reading from the source throws.
  /// - Precondition: `path` exists in the current version.
  public func item(at path: ItemPath) throws -> Item { try snapshot.item(at: path) }

  /// Returns the identity of the item at a path.
  ///
  /// - Precondition: `path` exists in the current version.
  public func id(at path: ItemPath) -> ItemID { snapshot.id(at: path) }

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
  /// - Precondition: The path exists in the current version.
  public subscript(section: Int, item: Int) -> Item {
    get throws { try self.item(at: ItemPath(section: section, item: item)) }
  }
}
