internal import SectileCore

/// What became of rows since a place in the log, for clients that come back with it in one shape.
final class KeyedAnswer<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Shape = FeedShape<ItemID, Item>

  let point: ResumePoint
  // Held, so that no other shape comes to have its identity.
  let shape: Shape
  /// The version of the contents that it leads to.
  let version: Int
  private let encode: @Sendable () throws -> [UInt8]
  private let encoded = Once<[UInt8]>()

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - snapshot: The contents now.
  ///   - identities: The rows that were touched since.
  ///   - point: Where the clients stand.
  ///   - shape: What is shown of the items.
  /// - Throws: What reading the items throws, where the shape tells them.
  init<Snapshot: DataSourceSnapshot>(
    to snapshot: Snapshot, touching identities: [ItemID], from point: ResumePoint, in shape: Shape
  ) throws where Snapshot.ItemID == ItemID, Snapshot.Item == Item {
    self.point = point
    self.shape = shape
    version = snapshot.version
    encode = try shape.answer(to: snapshot, touching: identities)
  }

  /// Returns the JSON, encoded by the first who asks.
  func json() async throws -> [UInt8] {
    try await encoded.value { try encode() }.value
  }
}
