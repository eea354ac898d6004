internal import Synchronization

/// Counts what a store does, and tells whoever listens.
///
/// Where nobody listens nothing is measured: it takes an addition, and a look whether there is a
/// listener.
final class StoreMonitor: Sendable {
  let readCount = Atomic(0)
  let commitCount = Atomic(0)
  let rollbackCount = Atomic(0)
  let resyncCount = Atomic(0)
  let waitCount = Atomic(0)
  let checkpointCount = Atomic(0)
  let failedPollCount = Atomic(0)
  let auditCount = Atomic(0)
  let auditMismatchCount = Atomic(0)
  /// What the last look for commits of others has met; nil where it has succeeded.
  let lookFailure = Mutex<StoreError.Code?>(nil)

  /// How long a statement may take; nil where none is measured.
  let slowStatementThreshold: Duration?
  /// What waits for locks; nil where SQLite does so by itself.
  let waits: LockWaits?
  private let events: EventQueue?

  /// Creates a monitor of a new store.
  ///
  /// - Parameters:
  ///   - listener: Whom to tell.
  ///   - slowStatementThreshold: How long a statement may take unnoticed.
  ///   - busyMilliseconds: How long to wait for a lock.
  init(
    telling listener: (@Sendable (StoreEvent) -> Void)?, slowStatementThreshold: Duration?,
    busyMilliseconds: Int
  ) {
    events = listener.map { EventQueue($0) }
    self.slowStatementThreshold = listener == nil ? nil : slowStatementThreshold
    waits = listener.map { _ in LockWaits(limit: busyMilliseconds) }
  }

  /// Whether somebody listens.
  @inline(__always)
  var isHeard: Bool { events != nil }

  /// The time from which something is measured; nil where nobody listens.
  @inline(__always)
  func start() -> ContinuousClock.Instant? { events == nil ? nil : .now }

  /// Tells of something that has happened.
  @inline(__always)
  func tell(_ event: @autoclosure () -> StoreEvent) {
    if let events { events.send(event()) }
  }

  /// Takes note that looking for commits of others has failed, and tells of it.
  func lookFailed(_ error: StoreError) {
    failedPollCount.add(1, ordering: .relaxed)
    lookFailure.withLock { $0 = error.code }
    tell(.pollFailed(error))
  }

  /// Tells how long a call has waited for locks, on the thread that made it.
  @inline(__always)
  func callDidEnd() {
    guard let waited = waits?.take() else { return }
    waitCount.add(1, ordering: .relaxed)
    tell(.waited(duration: waited))
  }
}
