package import SectileCore

extension DataSourceSnapshot {
  /// Returns whether there is an item at a path, which may belong to another version.
  package func contains(_ path: ItemPath) -> Bool {
    path.section >= 0 && path.section < numberOfSections && path.item >= 0
      && path.item < numberOfItems(in: path.section)
  }
}
