internal import FoundationEssentials
internal import SectileCore
internal import SectileStore

/// The hub's rows as they were at one position, in a file beside the replica's.
///
/// It is a replica of its own: it takes the place of the replica's file where there is none yet,
/// and is compared with it where there is one. Nobody sees it before it is whole.
struct StagedReplica {
  private static let companions = ["", "-wal", "-shm", "-journal"]

  /// Where it is.
  let path: String
  /// Where its rows are from.
  let token: HubToken
  let controlRecords: HubControlRecords
  /// How many rows it has.
  let rowCount: Int

  /// Reads all rows of a snapshot into a file.
  ///
  /// - Parameters:
  ///   - snapshot: The rows. It is the caller's to close.
  ///   - tables: Which tables it is of.
  ///   - path: Where the replica is or will be.
  ///   - progress: Hears how many rows have come, and which values the last of them lack.
  /// - Throws: ``HubError``; `StoreError`; `CancellationError`. Nothing is left behind then.
  init(
    of snapshot: any HubSnapshot, _ tables: [SyncedTable], for path: String,
    progress: (_ rowCount: Int, _ withheld: [WithheldValue]) -> Void
  ) async throws {
    self.path = path + "-staged"
    token = snapshot.token
    controlRecords = snapshot.controlRecords
    Self.remove(at: self.path)
    do {
      rowCount = try await Self.fill(self.path, with: snapshot, tables, progress)
    } catch {
      Self.remove(at: self.path)
      throw error
    }
  }

  private static func fill(
    _ path: String, with snapshot: any HubSnapshot, _ tables: [SyncedTable],
    _ progress: (Int, [WithheldValue]) -> Void
  ) async throws -> Int {
    var configuration = StoreConfiguration()
    // What a crash leaves is made again.
    configuration.synchronous = .off
    configuration.externalChangePolling = nil
    let store = try await Store.open(at: path, configuration: configuration)
    let (token, controlRecords) = (snapshot.token, snapshot.controlRecords)
    var rowCount = 0
    do {
      try await store.write { transaction in
        try ReplicaTables.install(at: token, in: transaction)
        try ReplicaSchema.change(to: tables, in: transaction)
      }
      let inserts = Dictionary(
        uniqueKeysWithValues: tables.map { ($0.name, TableStatements($0).insert) })
      while let batch = try await snapshot.next() {
        guard let insert = inserts[batch.table] else { continue }
        try await store.write { transaction in
          for row in batch.rows { try transaction.run(prepared: insert, row) }
        }
        rowCount += batch.rows.count
        progress(rowCount, batch.withheld)
      }
      try await store.write { try ReplicaTables.close(at: token, controlRecords, in: $0) }
    } catch {
      try? await store.close()
      throw error
    }
    try await store.close()
    return rowCount
  }

  /// Gives the file the replica's name, where there is no file of that name.
  ///
  /// - Returns: Whether it has the name.
  func move(to path: String) -> Bool {
    do {
      try FileManager.default.moveItem(atPath: self.path, toPath: path)
      return true
    } catch {
      return false
    }
  }

  /// Removes the file, and what SQLite keeps beside it.
  func remove() { Self.remove(at: path) }

  private static func remove(at path: String) {
    for suffix in companions { try? FileManager.default.removeItem(atPath: path + suffix) }
  }
}
