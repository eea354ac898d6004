internal import SectileCore

/// What became of rows since a place in the log, for clients that come back with it in one shape.
final class KeyedAnswer<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Shape = FeedShape<ItemID, Item>

  let point: ResumePoint
  // Held, so that no other shape comes to have its identity.
  let shape: Shape
  /// The version of the contents that it leads to.
  let version: Int
  private let changes: KeyedChanges<ItemID, Item>
  private let encoded = Once<[UInt8]>()

  init(to changes: KeyedChanges<ItemID, Item>, from point: ResumePoint, in shape: Shape) {
    self.point = point
    self.shape = shape
    version = changes.targetVersion
    self.changes = changes
  }

  /// Returns the JSON, encoded by the first who asks.
  func json() async throws -> [UInt8] {
    try await encoded.value { try shape.encode(changes) }.value
  }
}
