internal import Synchronization

/// What every source delivers through: it holds the listeners, queues the cycles, and makes the
/// callbacks in the lifecycle's grammar, in the order of submission, outside every lock.
///
/// A source submits a cycle where the order of its changes is decided, possibly while it holds a
/// lock or the database's writer, and flushes once it holds nothing any more:
///
/// ```swift
/// let (hub, cycle) = contents.withLock { … ; hub.submit(cycle) }   // appends, calls nobody
/// hub.flush()                                                      // calls
/// ```
///
/// One thread at a time delivers for a hub. Whoever flushes while another thread is at it returns
/// at once, and that thread delivers the new cycles right after its current one. Whoever flushes
/// from inside a callback returns at once too: see ``DrainScope``.
///
/// The source owns the hub, the hub refers to the source weakly. Steps should hold on to the
/// source's contents, not to the source itself.
///
/// The hub itself is thin: it knows the items, and leaves the work to a ``HubCore``, which does not.
package final class SourceHub<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  package typealias Cycle = LoadCycle<ItemID, Item>
  package typealias Source = any DataSource<ItemID, Item>
  package typealias Delegate = any DataSourceDelegate<ItemID, Item>
  typealias Mailbox = ChangesetMailbox<ItemID, Item>

  package let core: HubCore

  /// Creates a hub.
  ///
  /// - Parameters:
  ///   - delivery: Where it makes its callbacks.
  ///   - height: For a composition, more than that of each of its inputs; zero for a source. See
  ///     ``Wave``.
  package init(delivery: Delivery = .immediate, height: Int = 0) {
    core = HubCore(delivery: delivery, height: height)
  }

  /// How far the hub is above the sources.
  package var height: Int { core.height }

  /// Names the source on whose behalf callbacks are made; it is held weakly.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - endsItself: Whether it calls ``end()`` when it is released.
  package func bind(_ source: Source, endsItself: Bool = false) {
    let binding = BoundSource(source, endsItself: endsItself)
    core.state.withLock { $0.source = binding }
  }

  /// Who hears of loads and changes; held weakly.
  ///
  /// A delegate that is set while a cycle runs hears of the next one, and of the rest of an
  /// ``OpenLoad``, after a beginning of its own; one that is replaced hears nothing more.
  package var delegate: Delegate? {
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

  /// Joins waves, on behalf of a cycle that is about to be submitted.
  package func join(_ waves: [Wave]) -> WaveShare? {
    waves.isEmpty ? nil : WaveShare(in: waves, at: core.height)
  }

  /// Delivers what was submitted, or leaves it to whoever is at it.
  package func flush() {
    DrainScope.flush(core)
  }

  // MARK: - Stopping

  /// Drops what waits and makes no further callback until ``resume()``.
  ///
  /// Waits for a callback that is running on another thread, but not when called from inside a
  /// callback of this source. A cycle under way ends without a callback.
  package func cancel() {
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
      _ = state.machine.handle(.cancelled, epoch: state.machine.epoch)
      state.silentBefore = state.machine.epoch
    }
  }

  /// Takes cycles again after ``cancel()``.
  ///
  /// Calls nobody.
  package func resume() {
    core.state.withLock { state in
      _ = state.machine.handle(.resumed, epoch: state.machine.epoch)
    }
  }
}
