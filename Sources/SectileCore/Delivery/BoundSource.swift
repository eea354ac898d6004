/// A weak reference to a source that is known by its items.
final class BoundSource<ItemID: Hashable & Sendable, Item: Sendable>: SourceBinding {
  // Not copied: see ``BoundDelegate``.
  private struct Reference: ~Copyable {
    weak var source: (any DataSource<ItemID, Item>)?
  }

  private let reference: Reference
  private let endsItself: Bool

  /// Refers to a source.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - endsItself: Whether the source ends its hub when it is released. Then nobody has to ask
  ///     whether it still exists, which takes as long as several callbacks.
  init(_ source: any DataSource<ItemID, Item>, endsItself: Bool) {
    reference = Reference(source: source)
    self.endsItself = endsItself
  }

  /// The source, or nil once it was released.
  var source: (any DataSource<ItemID, Item>)? { reference.source }

  var isAlive: Bool { endsItself || source != nil }
}
