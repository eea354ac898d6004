public import SectileCore

/// What a target has to show: a version of a source's contents, each item as the cell that a
/// presenter makes for it when asked.
///
/// It is a snapshot whose items are cells. Each look at an item makes a cell anew, prepared to be
/// shown; sections have the texts that the presenter gives them.
public protocol PresentedContents<ItemID, Item>: DataSourceSnapshot {
  /// Returns the kind of cell that shows the item at a path.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; what reading from the source throws.
  func kind(at path: ItemPath) throws -> CellKind

  /// Returns what the presenter says of the item at a path beside its cell.
  ///
  /// - Throws: `DataSourceError` with the code `noSuchPath`; what reading from the source throws.
  func attributes(at path: ItemPath) throws -> ItemAttributes
}
