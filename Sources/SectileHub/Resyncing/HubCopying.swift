/// Reads all rows of the hub into a file beside the replica's.
struct HubCopying: Sendable {
  let feed: any ReplicationFeed
  let configuration: ReplicaConfiguration
  let board: StatusBoard

  /// Reads them, and has the file used.
  ///
  /// The snapshot is open until then: nobody else takes the replica's name at the hub while its
  /// rows are compared, which may take longer than they took to come.
  ///
  /// - Parameters:
  ///   - tables: Which tables.
  ///   - path: Where the replica is or will be.
  ///   - use: Takes over what the file has, which is removed after it.
  /// - Returns: What `use` returns.
  /// - Throws: ``HubError``; `StoreError`; `CancellationError`; what `use` throws.
  func stage<Result: Sendable>(
    _ tables: [SyncedTable], for path: String,
    using use: (StagedReplica) async throws -> Result
  ) async throws -> Result {
    let snapshot = try await feed.snapshot(of: tables)
    do {
      let result = try await stage(snapshot, tables, for: path, using: use)
      await snapshot.close()
      return result
    } catch {
      await snapshot.close()
      throw error
    }
  }

  private func stage<Result: Sendable>(
    _ snapshot: any HubSnapshot, _ tables: [SyncedTable], for path: String,
    using use: (StagedReplica) async throws -> Result
  ) async throws -> Result {
    try configuration.refuse(snapshot.controlRecords.schemaVersions)
    let estimate = snapshot.rowCountEstimate
    board.noteCopied(0, of: estimate)
    let staged = try await StagedReplica(of: snapshot, tables, for: path) { rowCount, withheld in
      board.noteCopied(rowCount, of: estimate)
      board.noteWithheld(withheld)
    }
    defer { staged.remove() }
    return try await use(staged)
  }
}
