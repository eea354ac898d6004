internal import SectileCore
internal import SectileStore

/// Opens a replica's file, and fills it first where nobody has.
struct ReplicaFilling: Sendable {
  let path: String
  let feed: any ReplicationFeed
  let subscriptions: [TableSubscription]
  let configuration: ReplicaConfiguration
  let board: StatusBoard

  /// Opens the file when it has rows of the hub, from whichever process.
  func openFilled(_ election: ReplicatorElection) async throws -> Store {
    while true {
      try Task.checkCancellation()
      if let store = try await openIfThere() {
        if try await isFilled(store) {
          try await OutboxTables.install(in: store)
          return store
        }
        if try election.isWon() {
          do {
            try await fill(store)
            return store
          } catch {
            try? await store.close()
            throw error
          }
        }
        try await store.close()
      } else if try election.isWon() {
        // Whoever had the lock may have filled the file since it was looked for.
        if FileIdentity(path) == nil { try await make() }
        continue
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Has the file keep a change log, for other processes.
  func keepLog(of store: Store) async throws {
    guard try store.changeLog.status() == nil else { return }
    try store.changeLog.enable()
  }

  private func openIfThere() async throws -> Store? {
    guard FileIdentity(path) != nil else { return nil }
    return try await Store.open(at: path, configuration: configuration.store)
  }

  private func isFilled(_ store: Store) async throws -> Bool {
    try await store.read { try ReplicaTables.token(in: $0) } != nil
  }

  /// Makes the file from nothing.
  private func make() async throws {
    try await stage { tables, staged in
      if staged.move(to: path) {
        board.endResync(
          ReplicaResync(
            reason: .firstTime, token: staged.token, rowCount: staged.rowCount, deletedCount: 0,
            writtenCount: staged.rowCount))
        return
      }
      // Somebody has made a file there meanwhile.
      let store = try await Store.open(at: path, configuration: configuration.store)
      do {
        try compare(staged, tables, with: store)
      } catch {
        try? await store.close()
        throw error
      }
      try await store.close()
    }
  }

  /// Adds the hub's tables to a file that is there.
  private func fill(_ store: Store) async throws {
    try await stage { tables, staged in
      try await BlockingCalls.shared.run { try compare(staged, tables, with: store) }
    }
  }

  private func compare(
    _ staged: StagedReplica, _ tables: [SyncedTable], with store: Store
  ) throws {
    board.enter(.comparing)
    let counts = try ReplicaDifference.apply(staged, tables, to: store)
    board.endResync(
      ReplicaResync(
        reason: .firstTime, token: staged.token, rowCount: staged.rowCount,
        deletedCount: counts.deleted, writtenCount: counts.written))
  }

  /// Reads the hub's rows into a file beside this one, and has it used.
  private func stage(
    _ use: ([SyncedTable], StagedReplica) async throws -> Void
  ) async throws {
    board.enter(.connecting)
    board.beginResync(.firstTime)
    let tables = try await feed.describe(subscriptions)
    try SyncedTable.checkNames(of: tables)
    let copying = HubCopying(feed: feed, configuration: configuration, board: board)
    try await copying.stage(tables, for: path) { try await use(tables, $0) }
  }
}
