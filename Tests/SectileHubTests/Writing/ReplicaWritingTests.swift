import SectileCore
import SectileHub
import SectileStore
import SectileTestSupport
import Synchronization
import Testing

/// Writes that go to the hub and come back.
@Suite(.timeLimit(.minutes(60))) struct ReplicaWritingTests {
  @Test func writeIsSeenWhenItReturns() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    try await replica.write { changes in
      try changes.insert(into: "parcel", values: ["id": 1, "depot": 2])
    }
    #expect(try bench.rows(replica, columns: ["id", "depot"]) == [[.integer(1), .integer(2)]])
    try await replica.write { changes in
      try changes.update("parcel", key: 1, set: ["state": "sent"])
    }
    try await replica.write { try $0.delete(from: "parcel", key: 1) }
    #expect(try bench.rows(replica).isEmpty)
    #expect(bench.hub.rows(of: "parcel").isEmpty)
    try await replica.close()
  }

  @Test func rowThatWasChangedSinceIsAConflict() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1, state: "new")])
    let replica = try await bench.open()
    let error = await #expect(throws: HubError.self) {
      try await replica.write { changes in
        try changes.update("parcel", key: 1, set: ["state": "mine"])
        // Between what the client saw and what the hub has.
        try bench.hub.commit([Parcel.set(1, ["state": .text("theirs")])])
      }
    }
    #expect(error?.code == .rejected)
    #expect(error?.rejection?.kind == .conflict)
    #expect(error?.rejection?.current?["state"] == .text("theirs"))
    #expect(replica.status.rejectedMutationCount == 1)
    try await bench.catchUp(replica)
    try await replica.write { changes in
      try changes.update("parcel", key: 1, set: ["state": "mine"], ifRevision: .any)
    }
    #expect(try bench.rows(replica, columns: ["state"]) == [[.text("mine")]])
    try await replica.close()
  }

  @Test func refusedWriteChangesNothingAndStopsNobody() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await bench.open()
    await #expect(throws: HubError.self) {
      try await replica.write { changes in
        try changes.insert(into: "parcel", values: ["id": 2])
        try changes.insert(into: "parcel", values: ["id": 1])
      }
    }
    try await replica.write { try $0.insert(into: "parcel", values: ["id": 3]) }
    #expect(try bench.rows(replica, columns: ["id"]) == [[.integer(1)], [.integer(3)]])
    try await replica.close()
  }

  @Test func writeWhoseAnswerIsLostIsPerformedOnce() async throws {
    let bench = try ReplicaBench(seed: 7)
    try bench.hub.commit([Parcel.new(0, depot: 0)])
    let replica = try await bench.open()
    bench.hub.faults.lostAnswer = 0.4
    bench.hub.faults.lostMutation = 0.2
    for number in 1...40 {
      try await replica.write { changes in
        try changes.insert(into: "parcel", values: ["id": Int64(number)])
        try changes.update("parcel", key: 0, set: ["state": "\(number)"])
      }
    }
    #expect(bench.hub.rows(of: "parcel").count == 41)
    // Made once, changed forty times.
    #expect(bench.hub.rows(of: "parcel").first?.last == .integer(41))
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func writesOfManyTasksArePerformedOnceEach() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...50 {
        group.addTask {
          try await replica.write { try $0.insert(into: "parcel", values: ["id": Int64(number)]) }
        }
      }
      try await group.waitForAll()
    }
    #expect(try bench.rows(replica).count == 50)
    try await replica.close()
  }

  @Test func hubThatCannotBeReachedIsSaid() async throws {
    let bench = try ReplicaBench()
    // Long enough for the write that comes to its end, also on a busy machine.
    let replica = try await bench.open { $0.writeTimeout = .seconds(1) }
    bench.hub.isReachable = false
    let error = await #expect(throws: HubError.self) {
      try await replica.write { try $0.insert(into: "parcel", values: ["id": 1]) }
    }
    #expect(error?.code == .unavailable)
    bench.hub.isReachable = true
    try await replica.write(until: .hub) { try $0.insert(into: "parcel", values: ["id": 2]) }
    #expect(bench.hub.rows(of: "parcel").map(\.first) == [.integer(2)])
    try await replica.close()
  }

  @Test func hubThatIsSilentIsNotWaitedForLonger() async throws {
    let bench = try ReplicaBench()
    var configuration = bench.configuration
    configuration.writeTimeout = .milliseconds(50)
    let hub = RelayingHub(link: bench.hub.link(for: "a")) { _ in
      try await Task.sleep(for: .seconds(600))
      return .applied
    }
    let replica = try await Replica.open(
      at: bench.path, following: hub, tables: ["parcel"], configuration: configuration)
    let error = await #expect(throws: HubError.self) {
      try await replica.write { try $0.insert(into: "parcel", values: ["id": 1]) }
    }
    #expect(error?.code == .unavailable)
    try await replica.close()
  }

  @Test func whatCannotBeWrittenIsRefusedBeforeItIsSent() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    func code(_ body: @escaping @Sendable (inout MutationDraft) throws -> Void) async -> HubError
      .Code?
    {
      do {
        try await replica.write(body)
        return nil
      } catch {
        return (error as? HubError)?.code
      }
    }
    #expect(await code { try $0.insert(into: "nowhere", values: [:]) } == .noSuchTable)
    #expect(
      await code { try $0.insert(into: "parcel", values: ["wieght": 1]) } == .invalidSubscription)
    #expect(
      await code { try $0.update("parcel", key: 1, 2, set: [:]) } == .invalidSubscription)
    #expect(await code { try $0.update("parcel", key: 1, set: [:]) } == .rejected)
    #expect(await code { _ in } == nil)
    try await replica.close()
  }

  @Test func cancelledWriteEnds() async throws {
    let bench = try ReplicaBench()
    let link = bench.hub.link(for: "a")
    let tries = Mutex(0)
    let hub = RelayingHub(link: link) { mutation in
      tries.withLock { $0 += 1 }
      return try await link.perform(mutation)
    }
    let replica = try await Replica.open(
      at: bench.path, following: hub, tables: ["parcel"], configuration: bench.configuration)
    bench.hub.isReachable = false
    let writing = Task {
      try await replica.write { try $0.insert(into: "parcel", values: ["id": 1]) }
    }
    try await eventually("it is tried") { tries.withLock { $0 } > 0 }
    writing.cancel()
    await #expect(throws: (any Error).self) { try await writing.value }
    bench.hub.isReachable = true
    try await replica.write { try $0.insert(into: "parcel", values: ["id": 2]) }
    try await replica.close()
  }
}

/// A hub behind a network that lets its commits through, and does with mutations what it is told.
private struct RelayingHub: ReplicationFeed, MutationSink {
  let link: InMemoryHubConnection
  let performing: @Sendable (Mutation) async throws -> MutationResult

  func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
    try await link.describe(subscriptions)
  }

  func validate(_ token: HubToken) async throws -> ResumeDecision { try await link.validate(token) }

  func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot {
    try await link.snapshot(of: tables)
  }

  func stream(after token: HubToken, of tables: [SyncedTable]) async throws -> any HubStream {
    try await link.stream(after: token, of: tables)
  }

  func heartbeat() async throws { try await link.heartbeat() }

  func state(of tables: [SyncedTable]) async throws -> HubState {
    try await link.state(of: tables)
  }

  func perform(_ mutation: Mutation) async throws -> MutationResult {
    try await performing(mutation)
  }
}
