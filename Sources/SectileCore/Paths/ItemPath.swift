/// The position of an item: the ordinal of its section, and its offset inside that section.
///
/// Both count from zero. A path belongs to one version of a source's contents; which one, the
/// place that hands it out says (see ``Changeset`` for the before/after rule).
///
/// ```swift
/// let path = ItemPath(section: 1, item: 3)
/// print(path)  // [1,3]
/// ```
public struct ItemPath: Hashable, Sendable, Codable {
  /// The ordinal of the section.
  public var section: Int
  /// The offset of the item inside its section.
  public var item: Int

  /// Creates a path from a section ordinal and an offset inside that section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ItemPath: Comparable {
  /// Orders paths by section, then by item: the order in which a reader meets them.
  public static func < (left: ItemPath, right: ItemPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

extension ItemPath: CustomStringConvertible {
  /// The path as `[section,item]`.
  public var description: String { "[\(section),\(item)]" }
}
