internal import SectileCore
internal import SectileHub
internal import Synchronization

/// All rows of a hub in memory, as they were.
final class InMemoryHubSnapshot: HubSnapshot {
  private static let batchCount = 100

  let token: HubToken
  let controlRecords: HubControlRecords
  let rowCountEstimate: Int?
  private let hub: InMemoryHub
  private let connection: Int

  // MARK: - Mutable state
  //
  // - `batches`: those that were not read, the next one last; guarded by its mutex.
  private let batches: Mutex<[HubRowBatch]>

  init(
    _ hub: InMemoryHub, token: HubToken, controlRecords: HubControlRecords, connection: Int,
    _ rows: [(table: String, rows: [[StoredValue]])]
  ) {
    (self.hub, self.token, self.controlRecords, self.connection) = (
      hub, token, controlRecords, connection
    )
    rowCountEstimate = rows.reduce(0) { $0 + $1.rows.count }
    let batches = rows.flatMap { table, rows in
      stride(from: 0, to: rows.count, by: Self.batchCount).map { start in
        HubRowBatch(
          table: table, rows: Array(rows[start..<min(start + Self.batchCount, rows.count)]))
      }
    }
    self.batches = Mutex(batches.reversed())
  }

  func next() async throws -> HubRowBatch? {
    try hub.change { state throws(HubError) in
      try state.checkReachable()
      guard state.connection == connection, !state.random.chance(state.faults.brokenSnapshot) else {
        throw InMemoryHubState.lost
      }
    }
    return batches.withLock { $0.popLast() }
  }

  func close() async {}
}
