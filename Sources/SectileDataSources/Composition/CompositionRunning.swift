internal import SectileCore

/// An engine, whatever rule it runs and whatever it is fed with, as its source sees it.
protocol CompositionRunning<ItemID, Item>: AnyObject, Sendable {
  associatedtype ItemID: Hashable & Sendable
  associatedtype Item: Sendable

  var events: DataSourceEvents<ItemID, Item> { get }
  var snapshot: ComposedSnapshot<ItemID, Item> { get }
  func origin(at path: ItemPath) -> ItemOrigin?
  func origin(ofSection section: Int?) -> SectionOrigin?
  func origin(ofAbsentSection identity: StoredValue) -> SectionOrigin?
  func itemInSource(_ id: ItemID) -> ItemInSource?
  func root(of id: ItemID) -> RowRoot?
  var inputs: [any DataSource] { get }
  var pageFetcher: (any PageFetching)? { get }
  func load()
  func cancel()
}
