internal import Sectile

/// Opening live results in an index's order.
struct OpenCase: GuardCase {
  static let name = "open"
  static let summary = "open and load a view of 5,000 rows, in an index's order"
  static let counts = Counts.long

  private let store: Store
  private var rowCount = 0

  init() throws { store = try TrackStore.make().store }

  mutating func perform() throws {
    let results = try store.results(of: .indexed)
    try results.load()
    rowCount += results.snapshot.numberOfItems
  }

  func verify(performed count: Int) throws {
    try check(rowCount == count * TrackStore.size, "\(rowCount) rows were loaded")
  }
}
