/// The source on whose behalf a hub makes callbacks, held weakly.
protocol SourceBinding: AnyObject, Sendable {
  /// Whether the source still exists.
  var isAlive: Bool { get }
}

/// A weak reference to a source that is known by its items.
final class BoundSource<ItemID: Hashable & Sendable, Item: Sendable>: SourceBinding {
  // Set by the initializer only; reading a weak reference on several threads is safe.
  nonisolated(unsafe) private(set) weak var source: (any DataSource<ItemID, Item>)?

  init(_ source: any DataSource<ItemID, Item>) {
    self.source = source
  }

  var isAlive: Bool { source != nil }
}
