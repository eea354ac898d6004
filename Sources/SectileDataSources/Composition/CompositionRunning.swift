internal import SectileCore

/// An engine, whatever rule it runs and whatever it is fed with, as its source sees it.
protocol CompositionRunning<ItemID, Item>: AnyObject, Sendable {
  associatedtype ItemID: Hashable & Sendable
  associatedtype Item: Sendable

  var hub: SourceHub<ItemID, Item> { get }
  var snapshot: ComposedSnapshot<ItemID, Item> { get }
  func origin(at path: ItemPath) -> ItemOrigin?
  func root(of id: ItemID) -> RowRoot?
  func load()
  func cancel()
}

/// A source that is fed by others, and knows how far it is above those that are not.
protocol HeightTelling: AnyObject {
  /// More than the height of every source that it is fed by; these have zero.
  var height: Int { get }
}
