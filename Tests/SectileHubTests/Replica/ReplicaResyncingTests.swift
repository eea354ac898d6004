import SectileCore
import SectileHub
import SectileStore
import SectileTestSupport
import Testing

/// What a replica does where somebody asks it to compare all rows.
@Suite(.timeLimit(.minutes(60))) struct ReplicaResyncingTests {
  /// Changes rows of a replica behind the hub's back.
  private func spoil(_ replica: Replica, _ sql: String) async throws {
    try await replica.store.write { transaction in
      try transaction.execute("UPDATE sectile_replica SET is_open = 1")
      try transaction.execute(sql)
      try transaction.execute("UPDATE sectile_replica SET is_open = 0")
    }
  }

  @Test func whatDiffersIsWrittenWhileTheReplicaFollows() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...10).map { Parcel.new($0) })
    let replica = try await bench.open()
    try await eventually("the replica follows") {
      if case .following(elsewhere: false) = replica.status.phase { true } else { false }
    }
    try await spoil(replica, "DELETE FROM parcel WHERE id < 3")
    try await spoil(replica, "UPDATE parcel SET depot = 9 WHERE id = 4")
    try await spoil(replica, "INSERT INTO parcel VALUES (99, 1, NULL, 1)")
    let results = try replica.store.results(of: Parcel.byDepot)
    let recorder = ChangeRecorder<Int64, Parcel>()
    results.delegate = recorder
    try await results.load()
    let resync = try await replica.resync()
    #expect(resync.reason == .requested)
    #expect((resync.rowCount, resync.deletedCount, resync.writtenCount) == (10, 1, 3))
    #expect(bench.resyncs.last == resync)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(recorder.changesets.count == 2)
    try recorder.check(against: results)
    // It follows on.
    try bench.hub.commit([Parcel.new(11)])
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(try await replica.resync().writtenCount == 0)
    try await replica.close()
  }

  @Test func eachOfManyRequestsIsAnswered() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...10).map { Parcel.new($0) })
    let replica = try await bench.open()
    let answers = try await withThrowingTaskGroup(of: ReplicaResync.self) { group in
      for number in 11...30 as ClosedRange<Int64> {
        group.addTask { try await replica.resync() }
        try bench.hub.commit([Parcel.new(number)])
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 20)
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func hubThatCannotBeReachedIsTold() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    bench.hub.isReachable = false
    let error = await #expect(throws: HubError.self) { try await replica.resync() }
    #expect(error?.code == .unavailable)
    bench.hub.isReachable = true
    try bench.hub.commit([Parcel.new(1)])
    try await bench.catchUp(replica)
    // The request was answered: nobody compares rows for it later.
    #expect(bench.resyncs.map(\.reason) == [.firstTime])
    try await replica.close()
  }

  @Test func processThatDoesNotFollowRefuses() async throws {
    let bench = try ReplicaBench()
    let first = try await bench.open()
    try await eventually("the first one is elected") {
      bench.events.contains { $0.kind == .elected }
    }
    let second = try await bench.open()
    let error = await #expect(throws: HubError.self) { try await second.resync() }
    #expect(error?.code == .notReplicator)
    #expect(error?.hint?.contains("Replica.resync") == true)
    try await first.resync()
    try await first.close()
    try await eventually("the second one follows") {
      if case .following(elsewhere: false) = second.status.phase { true } else { false }
    }
    #expect(try await second.resync().reason == .requested)
    try await second.close()
    let closed = await #expect(throws: HubError.self) { try await second.resync() }
    #expect(closed?.code == .replicaClosed)
  }

  @Test func closingAnswersWhoeverWaits() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    let waiting = (1...4).map { _ in Task { try await replica.resync() } }
    try await replica.close()
    for task in waiting {
      // Whoever was fast has the comparison; the others are told, and nobody waits for ever.
      if case .failure(let error) = await task.result {
        #expect((error as? HubError)?.code == .replicaClosed)
      }
    }
  }

  @Test func cancelledTaskDoesNotWait() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    let task = Task {
      // The task is cancelled before it asks.
      while !Task.isCancelled { await Task.yield() }
      return try await replica.resync()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await replica.close()
  }

  @Test func progressOfTheCopyIsTold() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...250).map { Parcel.new($0) })
    let replica = try await bench.open()
    let counts = bench.events.filter { $0.kind == .copied }.compactMap(\.rowCount)
    #expect(counts.first == 0)
    #expect(counts.last == 250)
    #expect(counts == counts.sorted())
    try await replica.close()
  }
}
