internal import Synchronization

/// What a source tells of its loads and changes: it holds the listeners, queues the changes, and
/// makes the callbacks in the lifecycle's grammar, in the order of submission, outside every lock.
///
/// Every ``DataSource`` has one, and answers `delegate`, `observe` and `changesets` by it. Only who
/// writes a source calls its other members. A source whose contents fit into an array of sections
/// leaves all of that to ``LiveContents``; one that keeps its contents in its own way submits
/// flips:
///
/// ```swift
/// final class Counter: DataSource {
///   let name = "counter"
///   let events = DataSourceEvents<Int, Int>()
///   private let shown = Mutex(ContentsSnapshot<Int, Int>())
///
///   init() { events.bind(self) }
///
///   var snapshot: ContentsSnapshot<Int, Int> { shown.withLock { $0 } }
///
///   func load() {
///     events.resume()
///     count(to: 1)
///   }
///
///   func count(to number: Int) {
///     events.submit { [weak self] in self?.flip(to: number) }   // queues, and calls nobody
///     events.flush()                                            // calls
///   }
///
///   private func flip(to number: Int) -> Changeset<Int, Int> { … }
/// }
/// ```
///
/// A source submits a change where the order of its changes is decided, possibly while it holds a
/// lock, and flushes once it holds nothing any more: a callback may do anything, and so may the
/// release of an item.
///
/// One thread at a time delivers for a source. Whoever flushes while another thread is at it
/// returns at once, and that thread delivers the new changes right after its current one. Whoever
/// flushes from inside a callback returns at once too, and the change is delivered when the
/// callback's own lifecycle has ended.
///
/// The source owns its events, which refer to it weakly.
public final class DataSourceEvents<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  package typealias Cycle = LoadCycle<ItemID, Item>

  // Thin: this class knows the items, and leaves the work to one that does not. The package's own
  // sources submit `LoadCycle`s and `OpenLoad`s.
  package let core: HubCore

  /// Creates the events of a source.
  ///
  /// - Parameter delivery: Where the callbacks are made.
  public init(delivery: CallbackDelivery = .immediate) {
    core = HubCore(delivery: delivery)
  }

  /// Creates the events of a composition.
  ///
  /// - Parameters:
  ///   - delivery: Where the callbacks are made.
  ///   - height: More than that of each of its inputs; see ``Wave``.
  package init(delivery: CallbackDelivery = .immediate, height: Int) {
    core = HubCore(delivery: delivery, height: height)
  }

  /// How far the hub is above the sources.
  package var height: Int { core.height }

  /// Raises the hub above one that it listens to, where it is not.
  @inline(__always)
  package func raise(above height: Int) {
    if core.height <= height { core.raise(to: height + 1) }
  }

  /// Takes note that a composition shows the source: what one commit changes in several such
  /// sources reaches compositions in one ``Wave``.
  package func noteComposition() { core.noteComposition() }

  /// Names the source on whose behalf callbacks are made; it is held weakly.
  ///
  /// The last thing that the source's initializer does. After the source is released nobody is
  /// called any more.
  public func bind(_ source: any DataSource<ItemID, Item>) {
    bind(source, endsItself: false)
  }

  /// Names the source on whose behalf callbacks are made; it is held weakly.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - endsItself: Whether it calls ``end()`` when it is released.
  package func bind(_ source: any DataSource<ItemID, Item>, endsItself: Bool) {
    let binding = BoundSource(source, endsItself: endsItself)
    core.state.withLock { $0.source = binding }
  }

  /// Stops a program whose source was not named: nobody would ever hear of its changes.
  func requireSource() {
    let isBound = core.state.withLock { $0.source != nil }
    precondition(isBound, "a source calls events.bind(self) in its initializer")
  }

  /// Who hears of loads and changes; held weakly.
  ///
  /// A delegate that is set while a lifecycle runs hears of the next one, and of the rest of a load
  /// that is open for long after a beginning of its own; one that is replaced hears nothing more.
  public var delegate: (any DataSourceDelegate<ItemID, Item>)? {
    get {
      let binding = core.state.withLock { $0.delegate }
      return binding.flatMap {
        unsafeDowncast($0, to: BoundDelegate<ItemID, Item>.self).delegate
      }
    }
    set {
      let binding = newValue.map { BoundDelegate($0) }
      let identity = newValue.map { ObjectIdentifier($0) }
      core.state.withLock { ($0.delegate, $0.delegateIdentity) = (binding, identity) }
    }
  }

  /// Whether the source was cancelled and not loaded since.
  package var isStopped: Bool { core.state.withLock { $0.machine.state == .stopped } }

  // MARK: - Submitting

  /// Queues one change, which is delivered in a lifecycle of its own; calls nobody.
  ///
  /// The closure is called when the change's turn comes, one at a time, in the order of submission.
  /// It makes what readers see the new contents, and returns how these differ from what they saw
  /// before, the last change included that was delivered:
  ///
  /// ```swift
  /// events.submit { [weak self] in
  ///   self?.contents.withLock { shown in
  ///     let next = SectionedContents(version: shown.version + 1, sections: sections)
  ///     let changes = Changeset(from: shown, to: next)
  ///     if !changes.isEmpty { shown = next }
  ///     return changes
  ///   }
  /// }
  /// ```
  ///
  /// Versions have no gaps: where the changeset is empty, the version stays. A source that was
  /// cancelled makes no flips until ``resume()``. The closure should hold the source's contents, or
  /// the source weakly, and not flush or cancel.
  ///
  /// - Parameter flip: Changes the contents, and returns the difference; nil, or an empty
  ///   changeset, is not delivered. What it throws is delivered as the failure the lifecycle ends
  ///   with.
  /// - Precondition: ``bind(_:)`` was called.
  public func submit(_ flip: @escaping @Sendable () throws -> Changeset<ItemID, Item>?) {
    requireSource()
    submit(Cycle(steps: [flip]))
  }

  /// Queues a failure, which is delivered in a lifecycle of its own; calls nobody.
  ///
  /// Readers go on seeing what they saw.
  ///
  /// - Precondition: ``bind(_:)`` was called.
  public func submit(failure error: any Error) {
    requireSource()
    submit(.failed(error))
  }

  /// Appends a cycle.
  ///
  /// Calls nobody, whatever the caller holds.
  package func submit(_ cycle: Cycle) {
    core.submit(cycle.erased)
  }

  /// Appends a cycle that has a part in some waves.
  ///
  /// Calls nobody, whatever the caller holds.
  package func submit(_ cycle: Cycle, _ share: WaveShare?) {
    core.submit(cycle.erased, share)
  }

  /// Appends a cycle that follows no commit, also where it is submitted inside a callback.
  ///
  /// Calls nobody, whatever the caller holds.
  package func submitApart(_ cycle: Cycle) {
    core.submitApart(cycle.erased)
  }

  /// Joins waves, on behalf of a cycle that is about to be submitted.
  package func join(_ waves: [Wave]) -> WaveShare? {
    waves.isEmpty ? nil : WaveShare(in: waves, at: core.height)
  }

  /// Delivers what was submitted, or leaves it to whoever is at it.
  ///
  /// - Precondition: The caller holds no lock that a callback may wait for.
  public func flush() {
    DrainScope.flush(core)
  }

  // MARK: - Stopping

  /// Drops what waits and makes no further callback until ``resume()``.
  ///
  /// Waits for a callback that is running on another thread, but not when called from inside a
  /// callback of this source. A lifecycle under way ends without a callback.
  ///
  /// - Precondition: The caller holds no lock that a callback may wait for.
  public func cancel() {
    stop()()
  }

  /// Does the part of ``cancel()`` that calls nobody, whatever the caller holds: a source that
  /// guards its own state stops the hub under the same lock.
  ///
  /// - Returns: The rest, to be called once the caller holds nothing any more: it tells the cycles
  ///   that were dropped, and waits.
  package func stop() -> @Sendable () -> Void {
    core.stop()
  }

  /// Makes no further callback: the source is being released.
  ///
  /// Calls nobody and waits for nobody. What waits is dropped when its turn comes.
  package func end() {
    core.state.withLock { state in
      state.machine.handle(.cancelled, epoch: state.machine.epoch)
      state.silentBefore = state.machine.epoch
    }
  }

  /// Takes changes again after ``cancel()``: what a source's ``DataSource/load()`` begins with.
  ///
  /// Calls nobody.
  public func resume() {
    core.state.withLock { state in
      _ = state.machine.handle(.resumed, epoch: state.machine.epoch)
    }
  }
}
