import SectileCore
import SectileHub
import SectileStore
import SectileTestSupport
import Testing

/// What becomes of a file that is no replica any more.
@Suite(.timeLimit(.minutes(60))) struct ReplicaReleasingTests {
  private func names(_ store: Store) throws -> [[StoredValue]] {
    try store.read {
      try $0.query(
        """
        SELECT name FROM sqlite_master
        WHERE name LIKE 'sectile_%' AND name NOT LIKE 'sectile_log%'
        """)
    }.map(\.values)
  }

  @Test func tablesOfAReleasedFileAreOrdinaryOnes() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1), Parcel.new(2)])
    try await bench.open().close()
    #expect(try await Replica.release(at: bench.path) == ["parcel"])
    let store = try await Store.open(at: bench.path)
    #expect(try names(store).isEmpty)
    try await store.write { try $0.execute("INSERT INTO parcel VALUES (3, 1, NULL, 0)") }
    #expect(try await store.read { try $0.query("SELECT id FROM parcel") }.count == 3)
    #expect(try await store.read { try ReplicaFileState(in: $0) } == nil)
    try await store.close()
    // The hub's tables are the file's own now.
    let error = await #expect(throws: HubError.self) { _ = try await bench.open() }
    #expect(error?.code == .hubOwned)
  }

  @Test func fileThatIsFollowedIsNotReleased() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    try await eventually("it is elected") {
      bench.events.contains { $0.kind == .elected }
    }
    let error = await #expect(throws: HubError.self) {
      try await Replica.release(at: bench.path) { Issue.record("the hub was asked") }
    }
    #expect(error?.code == .notReplicator)
    try await replica.close()
    try await Replica.release(at: bench.path)
  }

  @Test func failedDetachingLeavesTheFileAsItIs() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    try await bench.open().close()
    await #expect(throws: CancellationError.self) {
      try await Replica.release(at: bench.path) { throw CancellationError() }
    }
    let replica = try await bench.open()
    try bench.hub.commit([Parcel.new(2)])
    try await bench.catchUp(replica)
    #expect(bench.resyncs.count == 1)
    try await replica.close()
  }

  @Test func whatHasNotReachedTheHubIsNotThrownAway() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let offline = try await bench.open { $0.offlineTables = ["parcel"] }
    bench.hub.isReachable = false
    try await offline.enqueue { try $0.update("parcel", key: 1, set: ["state": "sent"]) }
    try await offline.close()
    let error = await #expect(throws: HubError.self) { try await Replica.release(at: bench.path) }
    #expect(error?.code == .outboxNotEmpty)
    let store = try await Store.open(at: bench.path)
    #expect(try await store.read { try ReplicaFileState(in: $0) }?.waitingCount == 1)
    try await store.close()
    bench.hub.isReachable = true
    let replica = try await bench.open()
    try await eventually("the hub has the change") {
      bench.hub.rows(of: "parcel").contains { $0.contains(.text("sent")) }
    }
    try await bench.catchUp(replica)
    try await replica.close()
    #expect(try await Replica.release(at: bench.path) == ["parcel"])
    let released = try await Store.open(at: bench.path)
    #expect(try names(released).isEmpty)
    #expect(try await released.read { try $0.query("SELECT state FROM parcel") }.count == 1)
    try await released.close()
  }

  @Test func otherFilesAreNoReplicas() async throws {
    let bench = try ReplicaBench()
    let missing = await #expect(throws: HubError.self) { try await Replica.release(at: bench.path) }
    #expect(missing?.code == .notReplica)
    let store = try await Store.open(at: bench.path)
    try await store.write { try $0.execute("CREATE TABLE own (a)") }
    try await store.close()
    let other = await #expect(throws: HubError.self) { try await Replica.release(at: bench.path) }
    #expect(other?.code == .notReplica)
  }

  @Test func fileTellsWhereItStands() async throws {
    let bench = try ReplicaBench(conditions: ["depot = 1": { $0[1] == .integer(1) }])
    let tables = [TableSubscription("parcel", columns: ["id", "depot"], where: "depot = 1")]
    let replica = try await bench.open(tables)
    try bench.hub.commit([Parcel.new(1)])
    try await bench.catchUp(replica)
    try await replica.close()
    let store = try await Store.open(at: bench.path)
    let state = try #require(try await store.read { try ReplicaFileState(in: $0) })
    #expect(state.token == replica.status.token)
    #expect(state.tables.map(\.name) == ["parcel"])
    #expect(state.subscriptions == tables)
    try await store.close()
  }
}
