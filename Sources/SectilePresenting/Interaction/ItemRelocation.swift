public import SectileCore

/// A move of an item inside the source that it comes from.
///
/// ```swift
/// try list.relocation(from: path, to: proposal)?.perform()
/// ```
public struct ItemRelocation: Sendable {
  /// The source that holds the item, below all compositions.
  public let source: any DataSource
  /// Where the item is in that source.
  public let from: ItemPath
  /// Where it is moved to in that source, once it was taken out.
  public let to: ItemPath
  /// Whether it lands where it was proposed, rather than where the source would have it.
  public let isAsProposed: Bool

  package init(source: any DataSource, from: ItemPath, to: ItemPath, isAsProposed: Bool) {
    self.source = source
    self.from = from
    self.to = to
    self.isAsProposed = isAsProposed
  }

  /// Moves the item.
  ///
  /// - Throws: ``/Sectile/DataSourceError`` with `notSupported` where the source is not
  ///   ``/Sectile/ItemMoving``; what that source throws.
  public func perform() throws {
    guard let source = source as? any ItemMoving else {
      throw DataSourceError.notSupported(.moving, by: source)
    }
    try source.move(from: from, to: to)
  }
}
