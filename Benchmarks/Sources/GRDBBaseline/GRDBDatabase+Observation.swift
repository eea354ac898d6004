internal import Dispatch
internal import GRDB
internal import Synchronization

extension GRDBDatabase {
  /// Live values in order, and their difference after each commit: what one does with GRDB alone.
  package final class Observation<Value: Equatable & Sendable> {
    private let cancellable: AnyDatabaseCancellable
    private let received: Received<Value>

    fileprivate init(
      in writer: any DatabaseWriter, fetch: @escaping @Sendable (Database) throws -> [Value]
    ) {
      let received = Received<Value>()
      // The region is looked up once.
      let observation = ValueObservation.trackingConstantRegion(fetch)
      self.received = received
      cancellable = observation.start(
        in: writer, scheduling: InlineScheduler(), onError: { _ in },
        onChange: { received.take($0) })
    }

    /// The latest values.
    package var values: [Value] { received.state.withLock { $0.values } }

    /// Waits until the next values were compared, and returns how many of them it put in and took
    /// out.
    package func nextDifference() -> Int {
      received.arrived.wait()
      return received.state.withLock { $0.changeCount }
    }

    /// Waits until other values were compared than those before, and returns how many of them it
    /// put in and took out: the first values may come twice, the second time after a long fetch.
    package func nextChange() -> Int {
      while true {
        let count = nextDifference()
        if count > 0 { return count }
      }
    }

    fileprivate func waitUntilQuiet() {
      received.arrived.wait()
      while received.arrived.wait(timeout: .now() + .milliseconds(300)) == .success {}
    }
  }

  /// A row as its values, in the order of its columns.
  package struct RowValues: Equatable, Sendable {
    fileprivate let values: [DatabaseValue]
  }

  /// Starts observing ids; returns when the first value is there, which may come twice.
  package func observe(order: String) -> Observation<Int64> {
    observe { db in
      // The statement is compiled once.
      try Int64.fetchAll(db.cachedStatement(sql: "SELECT id FROM track ORDER BY \(order)"))
    }
  }

  /// Starts observing the rows of a query; returns when the first value is there.
  package func observeRows(_ sql: String) -> Observation<RowValues> {
    observe { db in
      var rows: [RowValues] = []
      let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql))
      while let row = try cursor.next() {
        rows.append(RowValues(values: Array(row.databaseValues)))
      }
      return rows
    }
  }

  private func observe<Value: Equatable & Sendable>(
    _ fetch: @escaping @Sendable (Database) throws -> [Value]
  ) -> Observation<Value> {
    let observation = Observation(in: writer, fetch: fetch)
    observation.waitUntilQuiet()
    return observation
  }
}

private final class Received<Value: Equatable & Sendable>: Sendable {
  struct State {
    var values: [Value] = []
    var changeCount = 0
  }

  let state = Mutex(State())
  let arrived = DispatchSemaphore(value: 0)

  func take(_ values: [Value]) {
    let before = state.withLock { $0.values }
    // The first value is all insertions; `difference` would take quadratic time to find that out.
    let count = before.isEmpty ? values.count : values.difference(from: before).count
    state.withLock { $0 = State(values: values, changeCount: count) }
    arrived.signal()
  }
}

/// Hands values over where they were fetched: the fastest that GRDB allows.
private struct InlineScheduler: ValueObservationScheduler {
  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) { action() }
}
