import SectileCore
import SectileHub
import SectileStore
import SectileTestSupport
import Testing

/// The rows of a file, for who compares them with the hub's.
@Suite(.timeLimit(.minutes(60))) struct ReplicaRowsTests {
  private func table(_ replica: Replica) async throws -> SyncedTable {
    let state = try await replica.store.read { try ReplicaFileState(in: $0) }
    return try #require(state?.tables.first)
  }

  @Test(arguments: [0, 1, 999, 1000, 1001, 2500])
  func allRowsComeOnceInTheOrderOfTheKey(_ count: Int) async throws {
    let bench = try ReplicaBench()
    if count > 0 { try bench.hub.commit((1...count).map { Parcel.new(Int64($0)) }) }
    let replica = try await bench.open()
    let table = try await table(replica)
    let keys = try await replica.store.read { transaction in
      var keys: [[StoredValue]] = []
      try ReplicaRows.forEach(of: table, in: transaction) { keys.append(table.key(of: $0)) }
      return keys
    }
    #expect(keys == (0..<count).map { [.integer(Int64($0 + 1))] })
    try await replica.close()
  }

  @Test func rowsWithWaitingChangesAreTold() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1), Parcel.new(2)])
    let replica = try await bench.open { $0.offlineTables = ["parcel"] }
    let table = try await table(replica)
    let before = try await replica.store.read {
      try ReplicaRows.waitingKeys(of: table, in: $0)
    }
    #expect(before.isEmpty)
    bench.hub.isReachable = false
    try await replica.enqueue { try $0.update("parcel", key: 2, set: ["state": "sent"]) }
    let waiting = try await replica.store.read {
      try ReplicaRows.waitingKeys(of: table, in: $0)
    }
    #expect(waiting == [[.integer(2)]])
    try await replica.close()
  }

  @Test func lastOutcomeOfEachClientIsTold() async throws {
    let bench = try ReplicaBench()
    let refused = Mutation(
      id: MutationID(client: "b", number: 1),
      changes: [.update(table: "parcel", key: [.integer(9)], revision: 3, values: [:])])
    try bench.hub.perform(refused)
    var replica = try await bench.open()
    try await outcomes(of: replica, come: [MutationReceipt(refused.id, isApplied: false)])
    try await replica.close()
    // A file of an earlier version has no table for refusals.
    let store = try await Store.open(at: bench.path)
    try await store.write { try $0.execute("DROP TABLE sectile_replica_refusal") }
    try await store.close()
    replica = try await bench.open()
    let (second, third) = (
      Mutation(id: MutationID(client: "b", number: 2), changes: [Parcel.new(1)]),
      Mutation(id: MutationID(client: "a", number: 1), changes: refused.changes)
    )
    try bench.hub.perform(second)
    try bench.hub.perform(third)
    try await outcomes(
      of: replica,
      come: [
        MutationReceipt(third.id, isApplied: false), MutationReceipt(second.id, isApplied: true),
      ])
    try await replica.close()
  }

  private func outcomes(of replica: Replica, come wanted: [MutationReceipt]) async throws {
    try await eventually("the file tells the outcomes") {
      let records = try await replica.store.read { try ReplicaRows.controlRecords(in: $0) }
      return records.outcomes == wanted
    }
  }
}
