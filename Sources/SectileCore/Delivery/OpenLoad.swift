internal import Synchronization

/// A load whose end is not known when it begins: a request that is answered later, several times,
/// or never.
///
/// The source's lifecycle is open from ``begin()`` to ``finish()`` or ``fail(_:)``. Cycles that are
/// submitted to the hub meanwhile run inside of it: what they change is delivered as a part of the
/// load, and a failure of theirs is the failure the load ends with.
///
/// ```swift
/// let load = OpenLoad(events)
/// load.begin()
/// events.flush()                                   // willLoad
/// …
/// load.append { contents.append(page) }
/// load.finish()
/// events.flush()                                   // didPartiallyLoad, didFinishLoading
/// ```
///
/// Every call only queues; the source flushes the hub once it holds no lock. Cancelling the hub
/// ends the load without a callback: whatever is queued for it afterwards is dropped. A hub has at
/// most one open load: the source sees to it that a second begins after the first ended.
package final class OpenLoad<ItemID: Hashable & Sendable, Item: Sendable>: Sendable {
  private let core: HubCore
  private let key = LoadKey()

  /// Creates a load that has not begun.
  package init(_ events: DataSourceEvents<ItemID, Item>) {
    core = events.core
  }

  /// Queues that the load begins.
  package func begin() {
    core.submit(ErasedCycle(.open(key)))
  }

  /// Queues one flip of the source's contents.
  ///
  /// - Parameters:
  ///   - onDropped: Called where the flip is not run, since the load was cancelled.
  ///   - flip: Flips the contents and returns what to deliver, if anything; what it throws is the
  ///     error the load ends with.
  package func append(
    onDropped: (@Sendable () -> Void)? = nil,
    _ flip: @escaping @Sendable () throws -> Changeset<ItemID, Item>?
  ) {
    let work = ErasedCycle.Work.part(key) { try flip()?.boxed }
    core.submit(ErasedCycle(work, onDropped: onDropped))
  }

  /// Queues that the load is complete.
  package func finish() {
    core.submit(ErasedCycle(.close(key, nil)))
  }

  /// Queues that the load failed.
  package func fail(_ error: any Error) {
    core.submit(ErasedCycle(.close(key, error)))
  }
}
