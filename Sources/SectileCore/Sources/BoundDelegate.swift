/// The delegate of a source, held weakly, whatever the source's items are.
protocol DelegateBinding: AnyObject, Sendable {
  /// Whether the delegate still exists.
  var isAlive: Bool { get }

  /// Tells the delegate, unless it or the source is gone.
  ///
  /// - Precondition: The source and the event are those of the delegate's items.
  func receive(_ event: ErasedEvent, from source: any SourceBinding)
}

/// A weak reference to a delegate that is known by its items.
///
/// It is made where the delegate is set, so that nothing is looked up or cast for a callback.
final class BoundDelegate<ItemID: Hashable & Sendable, Item: Sendable>: DelegateBinding {
  // Set by the initializer only; reading a weak reference on several threads is safe.
  nonisolated(unsafe) private(set) weak var delegate: (any DataSourceDelegate<ItemID, Item>)?

  init(_ delegate: any DataSourceDelegate<ItemID, Item>) {
    self.delegate = delegate
  }

  var isAlive: Bool { delegate != nil }

  func receive(_ event: ErasedEvent, from binding: any SourceBinding) {
    let source = unsafeDowncast(binding, to: BoundSource<ItemID, Item>.self).source
    guard let source, let delegate else { return }
    switch event {
    case .willLoad: delegate.dataSourceWillLoad(source)
    case .didPartiallyLoad(let changes):
      let changes = unsafeDowncast(changes, to: DeliveredChanges<ItemID, Item>.self).changes
      delegate.dataSource(source, didPartiallyLoad: changes)
    case .didFinishLoading: delegate.dataSourceDidFinishLoading(source)
    case .didFail(let error): delegate.dataSource(source, didFailWith: error)
    }
  }
}
