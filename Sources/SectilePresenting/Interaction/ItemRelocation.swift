public import SectileCore

/// A move of an item inside the source that it comes from, or into another one that takes it.
///
/// ```swift
/// try list.relocation(from: path, to: proposal)?.perform()
/// ```
public struct ItemRelocation: Sendable {
  /// The source that holds the item, below all compositions.
  public let source: any DataSource
  /// Where the item is in that source.
  public let from: ItemPath
  /// Where it is moved to in the ``target``, once it was taken out; behind the last section, for an
  /// empty one that the target does not show.
  public let to: ItemPath
  /// Whether it lands where it was proposed, rather than where the source would have it.
  public let isAsProposed: Bool
  /// The source that it is moved into; mostly its own.
  public var target: any DataSource { goal.source }
  private let goal: ItemGoal

  package init(source: any DataSource, from: ItemPath, to: ItemPath, isAsProposed: Bool) {
    self.source = source
    self.from = from
    self.to = to
    self.isAsProposed = isAsProposed
    goal = ItemGoal(source: source, place: .path(to))
  }

  /// A move to a place that is no path of the item's own source.
  package init(of origin: ItemOrigin, to goal: ItemGoal) {
    source = origin.source
    from = origin.path
    isAsProposed = true
    self.goal = goal
    switch goal.place {
    case .path(let path): to = path
    case .emptySection: to = ItemPath(section: goal.source.numberOfSections, item: 0)
    }
  }

  /// Moves the item.
  ///
  /// - Throws: ``/Sectile/DataSourceError`` with `notSupported` where the source is not
  ///   ``/Sectile/ItemMoving``; what that source throws.
  public func perform() throws {
    guard let source = source as? any ItemMoving else {
      throw DataSourceError.notSupported(.moving, by: source)
    }
    try goal.move(from: from, of: source)
  }
}
