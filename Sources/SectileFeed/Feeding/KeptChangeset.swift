internal import SectileCore
internal import Synchronization

/// A changeset that clients read, with its JSON in each shape that one of them asked for.
final class KeptChangeset<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  typealias Shape = FeedShape<ItemID, Item>

  private struct Encoding {
    // Held, so that no other shape comes to have its identity.
    let shape: Shape
    let json = Once<[UInt8]>()
  }

  let changes: Changeset<ItemID, Item>

  // MARK: - Mutable state
  //
  // - `encodings`: guarded by its mutex; encoding is done outside of it.
  private let encodings = Mutex<[ObjectIdentifier: Encoding]>([:])

  init(_ changes: Changeset<ItemID, Item>) { self.changes = changes }

  /// Returns the JSON, encoded by the first who asks.
  ///
  /// - Parameter shape: What is shown of the items.
  /// - Returns: The JSON, and whether it was made just now.
  /// - Throws: What reading and shaping the items throws, for everybody.
  func json(in shape: Shape) async throws -> (value: [UInt8], isNew: Bool) {
    let json = encodings.withLock { encodings in
      let encoding = encodings[ObjectIdentifier(shape)] ?? Encoding(shape: shape)
      encodings[ObjectIdentifier(shape)] = encoding
      return encoding.json
    }
    return try await json.value { try shape.encode(changes) }
  }
}
