internal import Synchronization

extension SourceHub {
  /// Calls a closure with each event from the next cycle on.
  ///
  /// See ``DataSource/observe(on:_:)``.
  package func observe(
    on delivery: Delivery = .immediate,
    _ handler: @escaping @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    let observer = Observer(delivery: delivery, handler: handler)
    state.withLock { $0.observers.append(observer) }
    return DataSourceObservation { [weak self] in
      observer.cancel()
      self?.state.withLock { $0.observers.removeAll { $0 === observer } }
    }
  }

  /// The changesets from now on.
  ///
  /// See ``DataSource/changesets``.
  package var changesets: ChangesetSequence<ItemID, Item> {
    ChangesetSequence(mailbox: openMailbox()) { [weak self] in self?.openMailbox() }
  }

  private func openMailbox() -> Mailbox {
    let mailbox = Mailbox()
    state.withLock { $0.mailboxes.append(WeakMailbox(mailbox: mailbox)) }
    return mailbox
  }
}
