extension DataSource {
  /// Who hears of loads and changes; held weakly.
  public var delegate: (any DataSourceDelegate<ItemID, Item>)? {
    get { events.delegate }
    set { events.delegate = newValue }
  }

  /// Calls a closure with each event, in order, until the returned token is cancelled or released.
  public func observe(
    on delivery: CallbackDelivery,
    _ handler: @escaping @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    events.observe(on: delivery, handler)
  }

  /// The changesets from now on, as an asynchronous sequence; a slow consumer gets them merged.
  public var changesets: ChangesetSequence<ItemID, Item> { events.changesets }

  /// Stops loading and observing, until the next ``load()``.
  ///
  /// A source that has more to stop than its callbacks does both.
  public func cancel() { events.cancel() }

  /// Calls a closure with each event, on the thread that caused it.
  ///
  /// See ``observe(on:_:)``.
  public func observe(
    _ handler: @escaping @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    observe(on: .immediate, handler)
  }

  /// Calls a closure with each event, inside an actor, until the actor is gone.
  ///
  /// The actor is held weakly: it may own the token.
  ///
  /// ```swift
  /// actor Publisher {
  ///   func start(_ source: some DataSource<Int64, Package>) {
  ///     token = source.observe(on: self) { publisher, event in publisher.publish(event) }
  ///   }
  /// }
  /// ```
  public func observe<Observer: Actor>(
    on observer: Observer,
    _ handler: @escaping @Sendable (isolated Observer, DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    observe(on: .actor(observer)) { [weak observer] event in
      observer?.assumeIsolated { handler($0, event) }
    }
  }

  /// Calls a closure with each event on the main actor.
  ///
  /// ```swift
  /// token = source.observe(on: MainActor.shared) { event in label.text = "\(event)" }
  /// ```
  public func observe(
    on mainActor: MainActor,
    _ handler: @escaping @MainActor @Sendable (DataSourceEvent<ItemID, Item>) -> Void
  ) -> DataSourceObservation {
    observe(on: .mainActor) { event in
      MainActor.assumeIsolated { handler(event) }
    }
  }
}
