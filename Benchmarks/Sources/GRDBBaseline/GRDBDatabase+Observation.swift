internal import Dispatch
internal import GRDB
internal import Synchronization

extension GRDBDatabase {
  /// Live ids in order, and their difference after each commit: what one does with GRDB alone.
  package final class Observation {
    private let cancellable: AnyDatabaseCancellable
    private let received: Received

    fileprivate init(order: String, in writer: any DatabaseWriter) {
      let received = Received()
      // The region is looked up once, and the statement is compiled once.
      let observation = ValueObservation.trackingConstantRegion { db in
        try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM track ORDER BY \(order)"))
      }
      self.received = received
      cancellable = observation.start(
        in: writer, scheduling: InlineScheduler(), onError: { _ in },
        onChange: { received.take($0) })
    }

    /// The latest ids.
    package var ids: [Int64] { received.state.withLock { $0.ids } }

    /// Waits until the next value was compared, and returns how many elements it put in and took
    /// out.
    package func nextDifference() -> Int {
      received.arrived.wait()
      return received.state.withLock { $0.changeCount }
    }

    fileprivate func waitUntilQuiet() {
      received.arrived.wait()
      while received.arrived.wait(timeout: .now() + .milliseconds(300)) == .success {}
    }
  }

  /// Starts observing; returns when the first value is there, which may come twice.
  package func observe(order: String) -> Observation {
    let observation = Observation(order: order, in: writer)
    observation.waitUntilQuiet()
    return observation
  }
}

extension GRDBDatabase {
  /// Live rows of a query, and their difference after each commit.
  package final class RowObservation {
    private let cancellable: AnyDatabaseCancellable
    private let received: ReceivedRows

    fileprivate init(_ sql: String, in writer: any DatabaseWriter) {
      let received = ReceivedRows()
      let observation = ValueObservation.trackingConstantRegion { db in
        try Row.fetchAll(db.cachedStatement(sql: sql))
      }
      self.received = received
      cancellable = observation.start(
        in: writer, scheduling: InlineScheduler(), onError: { _ in },
        onChange: { received.take($0) })
    }

    /// Waits until the next value was compared, and returns how many rows it put in and took out.
    package func nextDifference() -> Int {
      received.arrived.wait()
      return received.state.withLock { $0.changeCount }
    }

    fileprivate func waitUntilQuiet() {
      received.arrived.wait()
      while received.arrived.wait(timeout: .now() + .milliseconds(300)) == .success {}
    }
  }

  /// Starts observing the rows of a query; returns when the first value is there.
  package func observeRows(_ sql: String) -> RowObservation {
    let observation = RowObservation(sql, in: writer)
    observation.waitUntilQuiet()
    return observation
  }
}

private final class ReceivedRows: Sendable {
  struct State: @unchecked Sendable {
    var rows: [Row] = []
    var changeCount = 0
  }

  let state = Mutex(State())
  let arrived = DispatchSemaphore(value: 0)

  func take(_ rows: [Row]) {
    let before = state.withLock { $0.rows }
    let count = before.isEmpty ? rows.count : rows.difference(from: before).count
    state.withLock { $0 = State(rows: rows, changeCount: count) }
    arrived.signal()
  }
}

private final class Received: Sendable {
  struct State {
    var ids: [Int64] = []
    var changeCount = 0
  }

  let state = Mutex(State())
  let arrived = DispatchSemaphore(value: 0)

  func take(_ ids: [Int64]) {
    let before = state.withLock { $0.ids }
    // The first value is all insertions; `difference` would take quadratic time to find that out.
    let count = before.isEmpty ? ids.count : ids.difference(from: before).count
    state.withLock { $0 = State(ids: ids, changeCount: count) }
    arrived.signal()
  }
}

/// Hands values over where they were fetched: the fastest that GRDB allows.
private struct InlineScheduler: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) { action() }
}
