/// The source on whose behalf a hub makes callbacks, held weakly.
protocol SourceBinding: AnyObject, Sendable {
  /// Whether the source still exists, as far as it does not say so itself.
  var isAlive: Bool { get }
}

/// A weak reference to a source that is known by its items.
final class BoundSource<ItemID: Hashable & Sendable, Item: Sendable>: SourceBinding {
  // Set by the initializer only; reading a weak reference on several threads is safe.
  nonisolated(unsafe) private(set) weak var source: (any DataSource<ItemID, Item>)?
  private let endsItself: Bool

  /// Refers to a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - endsItself: Whether the source ends its hub when it is released. Then nobody has to ask
  ///     whether it still exists, which takes as long as several callbacks.
  init(_ source: any DataSource<ItemID, Item>, endsItself: Bool) {
    self.source = source
    self.endsItself = endsItself
  }

  var isAlive: Bool { endsItself || source != nil }
}
