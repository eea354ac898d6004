internal import SectileCore
internal import SectileStore

extension Replica {
  /// Makes a file's tables of the hub ordinary ones, which everybody may write to, and forgets the
  /// hub.
  ///
  /// Their rows stay as they are shown, and so do the file's other tables and its change log. What
  /// the hub has refused of the outbox is forgotten. Nobody may have the file open as a replica.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - detach: Takes the replica off its hub. It is called while no process can begin to follow
  ///     the hub for the file, and before anything is changed; where it throws, nothing is.
  /// - Returns: The names of the tables.
  /// - Throws: ``HubError``: `notReplica` where the file is none, or is not there; `notReplicator`
  ///   where a process follows the hub for it; `outboxNotEmpty` where changes have not reached the
  ///   hub. `StoreError`, with the codes of `Store.open`. What `detach` throws.
  @discardableResult
  public static func release(
    at path: String, detaching detach: () async throws -> Void = {}
  ) async throws -> [String] {
    guard FileIdentity(path) != nil else { throw notReplica(path) }
    let election = try ReplicatorElection(at: path)
    guard try election.isWon() else {
      throw HubError(
        .notReplicator, message: "\(path): a process follows the hub for this file",
        hint: "End it first.")
    }
    defer { election.resign() }
    let store = try await Store.open(at: path)
    do {
      guard try await store.read({ try ReplicaTables.token(in: $0) }) != nil else {
        throw notReplica(path)
      }
      try await store.read { try refuseWaiting(in: $0, path) }
      try await detach()
      let names = try await store.write { try forgetHub(in: $0) }
      try await store.close()
      return names
    } catch {
      try? await store.close()
      throw error
    }
  }

  private static func refuseWaiting(in transaction: StoreReadTransaction, _ path: String) throws {
    let count = try OutboxTables.count([.waiting, .sent], in: transaction)
    guard count > 0 else { return }
    throw HubError(
      .outboxNotEmpty, message: "\(path): \(count) changes of the outbox have not reached the hub",
      hint: "Follow the hub until they have, or discard them (Replica.discard).")
  }

  private static func forgetHub(in transaction: StoreTransaction) throws -> [String] {
    let names = try ReplicaTables.syncedTables(in: transaction).map(\.name)
    let guards = try transaction.query(
      "SELECT name FROM main.sqlite_master WHERE type = 'trigger' AND name GLOB 'sectile_replica_*'"
    )
    for row in guards {
      guard case .text(let name)? = row.values.first else { continue }
      try transaction.execute("DROP TRIGGER main.\(SQLName.quote(name))")
    }
    let tables = try transaction.query(
      """
      SELECT name FROM main.sqlite_master WHERE type = 'table' AND (name = '\(ReplicaTables.state)'
        OR name GLOB 'sectile_replica_*' OR name GLOB 'sectile_outbox*' OR name GLOB 'sectile_confirmed_*')
      """)
    for row in tables {
      guard case .text(let name)? = row.values.first else { continue }
      try transaction.execute("DROP TABLE main.\(SQLName.quote(name))")
    }
    return names
  }

  private static func notReplica(_ path: String) -> HubError {
    HubError(.notReplica, message: "\(path) is no replica of a hub")
  }
}
