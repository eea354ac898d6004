/// A weak reference to a delegate that is known by its items.
///
/// It is made where the delegate is set, so that nothing is looked up or cast for a callback.
final class BoundDelegate<ItemID: Hashable & Sendable, Item: Sendable>: DelegateBinding {
  // A class may not have a weak constant, a constant may hold one. It is not copied, since that
  // would count one more weak reference for each look at it.
  private struct Reference: ~Copyable {
    weak var delegate: (any DataSourceDelegate<ItemID, Item>)?
  }

  private let reference: Reference

  init(_ delegate: any DataSourceDelegate<ItemID, Item>) {
    reference = Reference(delegate: delegate)
  }

  /// The delegate, or nil once it was released.
  var delegate: (any DataSourceDelegate<ItemID, Item>)? { reference.delegate }

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
