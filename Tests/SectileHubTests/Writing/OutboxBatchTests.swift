import SectileCore
import SectileStore
import SectileTestSupport
import Testing

@testable import SectileHub

/// Entries of the outbox that are under way at once.
@Suite(.timeLimit(.minutes(60))) struct OutboxBatchTests {
  private static func open(_ bench: ReplicaBench) async throws -> Replica {
    try await bench.open { $0.offlineTables = ["parcel"] }
  }

  private static func enqueue(_ ids: ClosedRange<Int64>, _ replica: Replica) async throws {
    for id in ids {
      try await replica.enqueue { try $0.insert(into: "parcel", values: ["id": id, "depot": 1]) }
    }
  }

  /// Has a replica be without its hub, and send nothing itself.
  private static func disconnect(_ replica: Replica, _ bench: ReplicaBench) async throws {
    bench.hub.isReachable = false
    try await eventually("the replica has lost the hub") {
      if case .following = replica.status.phase { false } else { true }
    }
  }

  /// A drain of a replica's file by another way, while the replica itself reaches no hub.
  private static func drain(_ replica: Replica, to sink: GatedSink) -> OutboxDrain {
    OutboxDrain(
      store: replica.store, sink: sink, tables: [Parcel.table],
      configuration: replica.configuration, board: replica.board)
  }

  @Test func entriesGoTogetherWhenTheHubHasAnswered() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    let limit = OutboxDrain.batchLimit
    try await Self.enqueue(1...Int64(2 * limit), replica)
    let other = InMemoryHub(tables: [Parcel.table], conditions: [:], seed: 0)
    let sink = GatedSink(other, isOpen: true)
    let drain = Self.drain(replica, to: sink)
    let draining = Task { await drain.run() }
    try await eventually("all are there") { other.rows(of: "parcel").count == 2 * limit }
    draining.cancel()
    await draining.value
    #expect(sink.batches.map(\.count) == [1, limit, limit - 1])
    let sent = sink.batches.flatMap { $0 }.flatMap(\.changes)
    #expect(sent == (1...Int64(2 * limit)).map { Self.insert($0) })
    for batch in sink.batches { #expect(Set(batch.map(\.id.client)).count == batch.count) }
    try await replica.close()
  }

  private static func insert(_ id: Int64) -> RowMutation {
    .insert(table: "parcel", values: ["id": .integer(id), "depot": .integer(1)])
  }

  @Test func whileTheHubDoesNotAnswerTheFirstIsSentAlone() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    try await Self.enqueue(1...3, replica)
    let other = InMemoryHub(tables: [Parcel.table], conditions: [:], seed: 0)
    other.faults.lostMutation = 1
    let sink = GatedSink(other, isOpen: true)
    let drain = Self.drain(replica, to: sink)
    let draining = Task { await drain.run() }
    try await eventually("it is tried") { sink.batches.count > 2 }
    draining.cancel()
    await draining.value
    #expect(sink.batches.allSatisfy { $0.count == 1 })
    let entries = try await replica.outbox().map(\.id)
    #expect(try await !replica.discard(entries[0]))
    #expect(try await replica.discard(entries[1]))
    #expect(try await replica.discard(entries[2]))
    try await replica.close()
  }

  @Test func answersThatAreLostAreAskedForEach() async throws {
    let bench = try ReplicaBench(seed: 11)
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    try await Self.enqueue(1...60, replica)
    bench.hub.faults.lostAnswer = 0.2
    bench.hub.faults.lostMutation = 0.1
    bench.hub.isReachable = true
    try await eventually("the outbox is empty") { try await replica.outbox().isEmpty }
    #expect(bench.hub.rows(of: "parcel").count == 60)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(replica.status.rejectedMutationCount == 0)
    try await replica.close()
  }

  @Test func refusedEntryStopsNoneOfThoseBehindIt() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    try await Self.enqueue(1...9, replica)
    try bench.hub.commit([Parcel.new(5, depot: 7)])
    bench.hub.isReachable = true
    try await eventually("one is left, and parked") {
      let entries = try await replica.outbox()
      guard entries.count == 1, case .parked? = entries.first?.state else { return false }
      return true
    }
    try await bench.catchUp(replica)
    let parked = try #require(try await replica.outbox().first)
    #expect(parked.changes == [Self.insert(5)])
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(bench.hub.rows(of: "parcel").count == 9)
    try await replica.close()
  }

  @Test func clientThatTheHubLostIsNotTheOnlyOneThatIsAsked() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    try await Self.enqueue(1...4, replica)
    let store = replica.store
    // All four are performed, each of another client, and have not come back.
    let ids = try await store.write { transaction in
      try OutboxTables.next(4, in: transaction).map { stored in
        try OutboxClients.number(stored.entry.id, in: transaction)
      }
    }
    #expect(Set(ids.map(\.client)).count == 4)
    let states = try await store.write { transaction in
      for stored in try OutboxTables.next(4, in: transaction) {
        try OutboxTables.setState(.accepted, of: stored.entry.id, in: transaction)
      }
      try OutboxClients.forget(ids[1].client, in: transaction)
      return try OutboxTables.stored([.waiting, .sent], in: transaction)
    }
    #expect(states.map(\.state) == [.sent, .waiting, .sent, .sent])
    #expect(states.map(\.id) == [ids[0], nil, ids[2], ids[3]])
    bench.hub.isReachable = true
    try await eventually("the outbox is empty") { try await replica.outbox().isEmpty }
    #expect(bench.hub.rows(of: "parcel").count == 4)
    try await replica.close()
  }

  @Test func whatWasSentBehindALostEntryIsSentAnewInItsOrder() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    try await Self.enqueue(1...6, replica)
    let (first, second, states) = try await replica.store.write { transaction in
      let entries = try OutboxTables.next(6, in: transaction).map(\.entry.id)
      let first = try entries.prefix(4).map { try OutboxClients.number($0, in: transaction) }
      for entry in entries.prefix(4) {
        try OutboxTables.setState(.accepted, of: entry, in: transaction)
      }
      let second = try entries.suffix(2).map { try OutboxClients.number($0, in: transaction) }
      try OutboxClients.forgetSent(in: transaction)
      try OutboxClients.forget(entries[4], in: transaction)
      return (first, second, try OutboxTables.stored([.waiting, .sent], in: transaction))
    }
    // The one that was decided last is the first to go on.
    #expect(second.map(\.client) == [first[3].client, first[2].client])
    #expect(second.map(\.number) == [2, 2])
    #expect(states.map(\.state) == [.sent, .sent, .sent, .sent, .waiting, .waiting])
    #expect(states.map(\.id) == first.map(Optional.some) + [nil, nil])
    bench.hub.isReachable = true
    try await eventually("the outbox is empty") { try await replica.outbox().isEmpty }
    #expect(bench.hub.rows(of: "parcel").count == 6)
    try await replica.close()
  }

  /// One row that a hub has, as often written as the revision says.
  private static func expectRow(_ depot: Int64, in hub: InMemoryHub, revision: Int64) {
    let rows = hub.rows(of: "parcel")
    #expect(rows == [[1, .integer(depot), .null, .integer(revision)]])
  }

  /// A hub that fails may be followed by one that lacks its last commits.
  @Test(arguments: [false, true]) func hubThatLostSomePerformsNothingBeforeThose(
    startsAnew: Bool
  ) async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    try await Self.enqueue(1...1, replica)
    func set(_ depot: Int64) async throws {
      try await replica.enqueue {
        try $0.update("parcel", key: 1, set: ["depot": depot], ifRevision: .any)
      }
    }
    for depot in 2...20 as ClosedRange<Int64> { try await set(depot) }
    let other = InMemoryHub(tables: [Parcel.table], conditions: [:], seed: 0)
    let drain = Self.drain(replica, to: GatedSink(other, isOpen: true))
    var draining = Task { await drain.run() }
    func areAccepted() async throws -> Bool {
      try await replica.outbox().allSatisfy { $0.state == .accepted }
    }
    try await eventually("all are performed") { try await areAccepted() }
    Self.expectRow(20, in: other, revision: 20)
    if startsAnew {
      draining.cancel()
      await draining.value
    }
    other.restoreBackup(before: 2)
    Self.expectRow(18, in: other, revision: 18)
    try await set(21)
    if startsAnew { draining = Task { await drain.run() } }
    try await eventually("all are performed again") {
      let isLast = other.rows(of: "parcel").first?[1] == 21
      return try await areAccepted() && isLast
    }
    draining.cancel()
    await draining.value
    // Each once, and the last one last.
    Self.expectRow(21, in: other, revision: 21)
    #expect(replica.status.rejectedMutationCount == 0)
    try await replica.close()
  }

  @Test func largeEntriesDoNotGoTogether() async throws {
    let bench = try ReplicaBench()
    let replica = try await Self.open(bench)
    try await Self.disconnect(replica, bench)
    let large = String(repeating: "x", count: MutationBatchSize.byteLimit / 2)
    for id in 1...4 as ClosedRange<Int64> {
      try await replica.enqueue {
        try $0.insert(into: "parcel", values: ["id": id, "depot": 1, "state": large])
      }
    }
    let sizes = try await replica.store.read { transaction in
      try OutboxTables.next(16, in: transaction).count
    }
    #expect(sizes == 1)
    try await replica.close()
  }

  @Test func fileOfAnEarlierVersionGetsTheTable() async throws {
    let bench = try ReplicaBench()
    let first = try await Self.open(bench)
    try await first.store.write { try $0.execute("DROP TABLE \(OutboxClients.name)") }
    try await first.close()
    let second = try await Self.open(bench)
    try await Self.enqueue(1...2, second)
    try await eventually("the outbox is empty") { try await second.outbox().isEmpty }
    #expect(bench.hub.rows(of: "parcel").count == 2)
    try await second.close()
  }
}
