internal import Synchronization

extension DataSourceEvents {
  /// Calls a closure with each event from the next lifecycle on; where a load is open for long, from its
  /// next part on.
  ///
  /// See ``DataSource/observe(on:_:)``.
  public func observe(
    on delivery: Delivery = .immediate,
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
  public var changesets: ChangesetSequence<ItemID, Item> {
    ChangesetSequence(mailbox: Self.openMailbox(in: core)) { [weak core] in
      core.map { Self.openMailbox(in: $0) }
    }
  }

  private static func openMailbox(in core: HubCore) -> Mailbox {
    let mailbox = Mailbox()
    core.state.withLock { $0.mailboxes.append(HubCore.WeakMailbox(mailbox: mailbox)) }
    return mailbox
  }
}
