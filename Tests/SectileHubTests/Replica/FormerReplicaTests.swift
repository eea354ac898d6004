import SectileCore
import SectileStore
import SectileTestHelpers
import Testing

@testable import SectileHub

/// Replicas that former versions have filled are known, with their place, and stay guarded.
@Suite(.timeLimit(.minutes(60))) struct FormerReplicaTests {
  private func withReplicas(_ body: (Store) throws -> Void) throws {
    for version in try FormerVersions.folders() {
      let folder = try TemporaryFolder()
      try FormerVersions.copy(version, to: folder)
      let store = try Store.open(at: folder.file("replica.sqlite"))
      try body(store)
      try store.close()
    }
  }

  @Test func itsPlaceAndItsTablesAreRead() throws {
    try withReplicas { store in
      let (token, tables) = try store.read { transaction in
        (try ReplicaTables.token(in: transaction), try ReplicaTables.syncedTables(in: transaction))
      }
      #expect(tables.map(\.name) == ["depot", "parcel"])
      #expect(tables.map(\.key) == [["id"], ["id", "depot"]])
      // Where the two differ, the replica compares all rows.
      #expect(token?.tables == SyncedTable.fingerprint(of: tables))
      #expect(token?.slot.isEmpty == false)
    }
  }

  @Test func itsRowsAreThereAndGuarded() throws {
    try withReplicas { store in
      let rows = try store.read { transaction in
        try transaction.query("SELECT id, depot, state, weight FROM parcel ORDER BY id")
          .map { $0.values }
      }
      #expect(rows.count == 4)
      #expect(rows.first?[0] == .integer(1))
      #expect(rows.first?[2] == .text("new"))
      #expect(throws: StoreError.self) {
        try store.write { try $0.execute("UPDATE parcel SET state = 'lost'") }
      }
    }
  }

  @Test func itCanKeepKeysOfTheHub() async throws {
    for version in try FormerVersions.folders() {
      let folder = try TemporaryFolder()
      try FormerVersions.copy(version, to: folder)
      let store = try await Store.open(at: folder.file("replica.sqlite"))
      try await OutboxTables.install(in: store)
      try await store.write { transaction in
        try KeyReserve.add([1, 2], of: "parcel", column: "id", wanted: 2, in: transaction)
      }
      let count = try await store.read { try KeyReserve.count(of: "parcel", in: $0) }
      #expect(count == 2)
      try await store.close()
    }
  }
}
