internal import SectileCore
internal import SectileStore

/// Has the hub make more keys where few are left in a replica's file, for the one process that
/// follows the hub.
struct KeyRefill: Sendable {
  /// How often the file is looked at.
  private static let interval = Duration.seconds(1)

  let store: Store
  let sink: any MutationSink
  let tables: [SyncedTable]
  let configuration: ReplicaConfiguration

  /// Looks after the keys until the task is cancelled.
  func run() async {
    let delays = configuration.retryDelays
    var delay = delays.lowerBound
    while !Task.isCancelled {
      do {
        try await fill()
        delay = delays.lowerBound
        try await Task.sleep(for: Self.interval)
      } catch {
        // It may be rights that are missing, which no haste brings.
        try? await Task.sleep(for: delay)
        delay = min(delay * 2, delays.upperBound * 12)
      }
    }
  }

  /// Fills what is low.
  ///
  /// - Throws: What the hub said of one of the tables, after the others were filled.
  private func fill() async throws {
    var failure: (any Error)?
    for level in try await store.read({ try KeyReserve.levels(in: $0) }) {
      guard level.isLow, tables.contains(where: { $0.name == level.table }) else { continue }
      do {
        let made = try await sink.reserveKeys(
          of: level.table, count: level.wanted - level.count, within: configuration.writeTimeout)
        try await store.write(author: "outbox") { transaction in
          // Somebody may want none any more, or another number.
          let levels = try KeyReserve.levels(in: transaction)
          guard let now = levels.first(where: { $0.table == level.table }) else { return }
          try KeyReserve.add(
            made.values, of: now.table, column: made.column, wanted: now.wanted, in: transaction)
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension MutationSink {
  /// Has the hub make keys, asking again until it answers or the time is over.
  func reserveKeys(
    of table: String, count: Int, within limit: Duration
  ) async throws -> (column: String, values: [StoredValue]) {
    let end = ContinuousClock.now + limit
    var delay = Duration.milliseconds(20)
    while true {
      do {
        let made = try await reserveKeys(of: table, count: count, until: end)
        guard made.values.count == count else {
          throw HubError(.malformedMessage, message: "The hub made another number of keys")
        }
        return made
      } catch let error as HubError where error.code == .unavailable {
        guard ContinuousClock.now + delay < end else { throw error }
        try await Task.sleep(for: delay)
        delay = min(delay * 2, .seconds(1))
      }
    }
  }

  /// Asks once, and gives up where the time is over: a network that is silent ends nothing by
  /// itself.
  private func reserveKeys(
    of table: String, count: Int, until end: ContinuousClock.Instant
  ) async throws -> (column: String, values: [StoredValue]) {
    try await withThrowingTaskGroup(of: (column: String, values: [StoredValue]).self) { group in
      group.addTask { try await self.reserveKeys(of: table, count: count) }
      group.addTask {
        try await Task.sleep(until: end, clock: .continuous)
        throw HubError(
          .unavailable, message: "The hub did not make keys in time",
          hint: "Replica.reserveKeys(of:count:) has some be kept for when it cannot be reached.")
      }
      defer { group.cancelAll() }
      guard let made = try await group.next() else { throw CancellationError() }
      return made
    }
  }
}
