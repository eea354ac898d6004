internal import Synchronization

extension DataSourceEvents {
  /// Calls a closure with each event from the next lifecycle on; where a load is open for long,
  /// from its next part on.
  ///
  /// See ``DataSource/observe(on:_:)``.
  public func observe(
    on delivery: CallbackDelivery = .immediate,
    _ handler: @escaping @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    let observer = SourceObserver(delivery: delivery) { Self.call(handler, with: $0) }
    let number = core.state.withLock { $0.observers.append(observer) }
    return DataSourceObservation { [weak core] in
      observer.cancel()
      // Released outside of the lock.
      let removed = core?.state.withLock { $0.observers.remove(number) }
      withExtendedLifetime(removed) {}
    }
  }

  /// Calls an observer with an event of its items.
  private static func call(
    _ handler: (DataSourceEvent<ItemID, Item>) -> Void, with event: ErasedEvent
  ) {
    switch event {
    case .willLoad: handler(.willLoad)
    case .didPartiallyLoad(let changes):
      let changes = unsafeDowncast(changes, to: DeliveredChanges<ItemID, Item>.self).changes
      handler(.didPartiallyLoad(changes))
    case .didFinishLoading: handler(.didFinishLoading)
    case .didFail(let error): handler(.didFail(error))
    }
  }

  /// The changesets from now on.
  ///
  /// See ``DataSource/changesets``.
  public var changesets: ChangesetSequence<ItemID, Item> { sequence(from: openReader()) }

  /// Returns the changesets that a reader receives.
  func sequence(from reader: SourceReader<ItemID, Item>) -> ChangesetSequence<ItemID, Item> {
    ChangesetSequence(reader: reader) { [weak core] in
      core.map { Self.openReader(of: $0) }
    }
  }

  /// Returns a consumer of what is told from now on.
  package func openReader() -> SourceReader<ItemID, Item> { Self.openReader(of: core) }

  private static func openReader(of core: HubCore) -> SourceReader<ItemID, Item> {
    let kind = ChangeRing.Kind<ItemID, Item>(snapshot: { [weak core] in
      let binding = core?.state.withLock { $0.source }
      return binding.flatMap {
        unsafeDowncast($0, to: BoundSource<ItemID, Item>.self).source?.anySnapshot
      }
    })
    return SourceReader(of: core.ring { ChangeRing(epoch: $0, of: kind) }, kind)
  }
}

extension DataSource {
  /// The snapshot, whatever kind the source has.
  fileprivate var anySnapshot: any DataSourceSnapshot<ItemID, Item> { snapshot }
}
