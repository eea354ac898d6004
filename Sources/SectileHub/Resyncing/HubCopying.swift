/// Reads all rows of the hub into a file beside the replica's.
struct HubCopying: Sendable {
  let feed: any ReplicationFeed
  let configuration: ReplicaConfiguration
  let board: StatusBoard

  /// Reads them.
  ///
  /// - Parameters:
  ///   - tables: Which tables.
  ///   - path: Where the replica is or will be.
  /// - Returns: The file. It is the caller's to remove.
  /// - Throws: ``HubError``; `StoreError`; `CancellationError`.
  func stage(_ tables: [SyncedTable], for path: String) async throws -> StagedReplica {
    let snapshot = try await feed.snapshot(of: tables)
    do {
      try configuration.refuse(snapshot.controlRecords.schemaVersions)
    } catch {
      await snapshot.close()
      throw error
    }
    let estimate = snapshot.rowCountEstimate
    board.noteCopied(0, of: estimate)
    return try await StagedReplica(of: snapshot, tables, for: path) { rowCount, withheld in
      board.noteCopied(rowCount, of: estimate)
      board.noteWithheld(withheld)
    }
  }
}
