// A path, or the ordinal of a section, may come from a client, or from another version: whether
// there is something is asked here, and nothing that comes in ends the process.

extension DataSourceSnapshot {
  /// Returns whether there is an item at a path, which may come from anywhere.
  ///
  /// - Complexity: That of ``numberOfItems(in:)``.
  public func contains(_ path: ItemPath) -> Bool {
    path.section >= 0 && path.section < numberOfSections && path.item >= 0
      && path.item < numberOfItems(in: path.section)
  }

  /// Reads the item at a path; nil where there is none.
  ///
  /// ```swift
  /// guard let item = try snapshot[path] else { return .notFound }
  /// ```
  ///
  /// - Throws: What reading from the source throws.
  public subscript(path: ItemPath) -> Item? {
    get throws { contains(path) ? try item(at: path) : nil }
  }

  /// Throws where there is no item at a path.
  package func check(_ path: ItemPath) throws(DataSourceError) {
    guard contains(path) else { throw .noSuchPath(path) }
  }
}

extension DataSource {
  /// Returns whether there is an item at a path of the current version, which may come from
  /// anywhere.
  ///
  /// Another thread may change the source before the answer is used: ``item(at:)`` throws then.
  /// Where several answers have to fit together, ask a ``snapshot``.
  public func contains(_ path: ItemPath) -> Bool { snapshot.contains(path) }
}
