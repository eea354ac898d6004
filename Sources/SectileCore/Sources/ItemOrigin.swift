/// Where an item comes from: the source that holds it, below all compositions, and its path there.
///
/// ```swift
/// let origin = list.origin(at: path)
/// if let editable = origin.source as? any ItemRemoving { try editable.remove(at: origin.path) }
/// ```
public struct ItemOrigin: Sendable {
  /// The source that holds the item.
  public let source: any DataSource
  /// The item's path in that source.
  public let path: ItemPath

  /// Creates an origin.
  public init(source: any DataSource, path: ItemPath) {
    self.source = source
    self.path = path
  }
}
