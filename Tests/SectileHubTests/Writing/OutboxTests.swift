import SectileCore
import SectileStore
import SectileTestSupport
import Testing

@testable import SectileHub

/// Changes that do not wait for the hub.
@Suite(.timeLimit(.minutes(60))) struct OutboxTests {
  private static func open(_ bench: ReplicaBench) async throws -> Replica {
    try await bench.open { $0.offlineTables = ["parcel"] }
  }

  private static func outboxIsEmpty(_ replica: Replica) async throws {
    for _ in 0..<10_000 {
      if try await replica.outbox().isEmpty { return }
      try await Task.sleep(for: .milliseconds(2))
    }
    Issue.record("the outbox is not empty: \(try await replica.outbox())")
  }

  @Test func changeIsSeenAtOnceAndComesBackWithoutAFlicker() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1), Parcel.new(2)])
    let replica = try await Self.open(bench)
    let results = try replica.store.results(of: Parcel.byDepot)
    let recorder = ChangeRecorder<Int64, Parcel>()
    results.delegate = recorder
    try await results.load()
    try recorder.expect(["insert section 1", "insert 1/0", "insert 1/1"])
    bench.hub.isReachable = false
    try await replica.enqueue { changes in
      try changes.update("parcel", key: 1, set: ["state": "sent"])
      try changes.insert(into: "parcel", values: ["id": 3, "depot": 1])
      try changes.delete(from: "parcel", key: 2)
    }
    try await eventually("the results have it") { recorder.changesets.count == 2 }
    try recorder.expect(["delete 1/1", "insert 1/1", "update 1/0"])
    #expect(
      try bench.rows(replica, columns: ["id", "state"]) == [
        [.integer(1), .text("sent")], [.integer(3), .null],
      ])
    #expect(try await replica.outbox().map(\.state) == [.waiting])
    bench.hub.isReachable = true
    try await Self.outboxIsEmpty(replica)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    // The hub has counted the changes of both rows: nothing else has changed, and no row was away.
    try await eventually("the results have the hub's rows") { recorder.changesets.count == 3 }
    try recorder.expect(["update 1/0", "update 1/1"])
    try await replica.close()
  }

  @Test func refusedChangeIsParkedAndNotShownAnyMore() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1, state: "new")])
    let replica = try await Self.open(bench)
    bench.hub.isReachable = false
    let id = try await replica.enqueue { try $0.update("parcel", key: 1, set: ["state": "mine"]) }
    #expect(try bench.rows(replica, columns: ["state"]) == [[.text("mine")]])
    try bench.hub.commit([Parcel.set(1, ["state": .text("theirs")])])
    bench.hub.isReachable = true
    try await eventually("the application was told") {
      bench.events.contains { $0.entry?.id == id }
    }
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica, columns: ["state"]) == [[.text("theirs")]])
    let parked = try #require(try await replica.outbox().first)
    guard case .parked(let rejection) = parked.state else {
      Issue.record("it is \(parked.state)")
      return
    }
    #expect(rejection.kind == .conflict)
    // The hub's row is told when it refuses; the file does not keep it.
    let told = bench.events.compactMap { event -> MutationRejection? in
      if case .parked(let rejection)? = event.entry?.state { rejection } else { nil }
    }
    #expect(told.map { $0.current?["state"] } == [.text("theirs")])
    #expect(rejection.current == nil)
    #expect(replica.status.rejectedMutationCount == 1)
    #expect(try await replica.discard(parked.id))
    #expect(try await replica.outbox().isEmpty)
    #expect(try await !replica.discard(parked.id))
    try await replica.close()
  }

  @Test func whatOthersCommitMeanwhileIsSeenBeneath() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1, state: "new"), Parcel.new(2)])
    let replica = try await Self.open(bench)
    bench.hub.faults.lostMutation = 1
    try await replica.enqueue { changes in
      try changes.update("parcel", key: 1, set: ["state": "mine"], ifRevision: .any)
    }
    try bench.hub.commit([Parcel.set(1, ["depot": 5, "state": .text("theirs")]), Parcel.gone(2)])
    try await bench.catchUp(replica)
    #expect(
      try bench.rows(replica, columns: ["id", "depot", "state"]) == [
        [.integer(1), .integer(5), .text("mine")]
      ])
    bench.hub.faults.lostMutation = 0
    try await Self.outboxIsEmpty(replica)
    #expect(bench.hub.rows(of: "parcel").first?[2] == .text("mine"))
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func entryThatDoesNotFitIsShownAsAWholeOrNotAtAll() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...3).map { Parcel.new($0) })
    let replica = try await Self.open(bench)
    bench.hub.faults.lostMutation = 1
    // The second has a row in common with the first, and one with the third.
    for (ids, state) in [([1, 2], "a"), ([2, 3], "b"), ([3], "c")] as [([Int64], String)] {
      try await replica.enqueue { changes in
        for id in ids {
          try changes.update("parcel", key: id, set: ["state": state], ifRevision: .any)
        }
      }
    }
    #expect(try bench.rows(replica, columns: ["state"]) == ["a", "b", "c"].map { [.text($0)] })
    try bench.hub.commit([Parcel.gone(2)])
    try await bench.catchUp(replica)
    #expect(
      try bench.rows(replica, columns: ["id", "state"]) == [
        [.integer(1), .null], [.integer(3), .text("c")],
      ])
    // Both fit again.
    try bench.hub.commit([Parcel.new(2)])
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica, columns: ["state"]) == ["a", "b", "c"].map { [.text($0)] })
    bench.hub.faults.lostMutation = 0
    try await Self.outboxIsEmpty(replica)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func onlyEntriesThatHangTogetherWithACommitAreShownAnew() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...9).map { Parcel.new($0) })
    let replica = try await Self.open(bench)
    bench.hub.isReachable = false
    var entries: [Int64?] = []
    for ids in [[1], [2, 3], [3, 4], [4, 5], [6]] as [[Int64]] {
      entries.append(
        try await replica.enqueue { changes in
          for id in ids { try changes.update("parcel", key: id, set: ["state": "mine"]) }
        })
    }
    func takenBack(by changes: [HubChange]) async throws -> [Int64?] {
      try await replica.store.write { transaction in
        try ReplicaTables.open(in: transaction)
        let outbox = Outbox(try ReplicaTables.syncedTables(in: transaction))
        let entries = try outbox.takeBack(touching: changes, [], in: transaction)
        try outbox.show(entries, in: transaction)
        try ReplicaTables.shut(in: transaction)
        return entries
      }
    }
    func gone(_ id: Int64) -> HubChange { .delete(table: "parcel", key: [.integer(id)]) }
    #expect(try await takenBack(by: [gone(9)]) == [])
    #expect(try await takenBack(by: [gone(6)]) == [entries[4]])
    #expect(try await takenBack(by: [gone(5)]) == Array(entries[1...3]))
    #expect(
      try await takenBack(by: [
        .update(
          table: "parcel", key: [.integer(9)], row: [.integer(1), .integer(1), nil, .integer(2)])
      ]) == [entries[0]])
    #expect(try await takenBack(by: [.truncate(table: "parcel")]) == entries)
    #expect(try await takenBack(by: [.truncate(table: "depot")]) == [])
    try await replica.close()
  }

  @Test func entriesOutliveTheProcessAndAreSentInOrder() async throws {
    let bench = try ReplicaBench()
    let first = try await Self.open(bench)
    bench.hub.isReachable = false
    for id in 1...20 as ClosedRange<Int64> {
      try await first.enqueue { try $0.insert(into: "parcel", values: ["id": id, "depot": 1]) }
      try await first.enqueue { try $0.update("parcel", key: id, set: ["state": "s\(id)"]) }
    }
    try await first.close()
    bench.hub.isReachable = true
    bench.hub.faults.lostAnswer = 0.5
    bench.hub.faults.lostMutation = 0.2
    let second = try await Self.open(bench)
    #expect(try bench.rows(second).count == 20)
    try await Self.outboxIsEmpty(second)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    #expect(bench.hub.rows(of: "parcel").map { $0[2] } == (1...20).map { .text("s\($0)") })
    #expect(second.status.rejectedMutationCount == 0)
    try await second.close()
  }

  @Test func hubThatLostWhatItHadAcceptedGetsItAgain() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await Self.open(bench)
    try await replica.enqueue { try $0.insert(into: "parcel", values: ["id": 2, "depot": 1]) }
    try await Self.outboxIsEmpty(replica)
    bench.hub.isReachable = false
    try await replica.enqueue { try $0.insert(into: "parcel", values: ["id": 3, "depot": 1]) }
    bench.hub.promoteCopy(lacking: 1)
    bench.hub.isReachable = true
    try await Self.outboxIsEmpty(replica)
    // What had come back was the hub's to keep; what had not is sent again.
    #expect(bench.hub.rows(of: "parcel").map { $0[0] } == [.integer(1), .integer(3)])
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func fileThatWasPutBackSendsUnderAnotherName() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let first = try await Self.open(bench)
    bench.hub.isReachable = false
    try await first.enqueue {
      try $0.update("parcel", key: 1, set: ["state": "a"], ifRevision: .any)
    }
    try await first.store.backup(to: bench.path + ".old")
    bench.hub.isReachable = true
    try await Self.outboxIsEmpty(first)
    try await first.enqueue {
      try $0.update("parcel", key: 1, set: ["state": "b"], ifRevision: .any)
    }
    try await Self.outboxIsEmpty(first)
    try await first.close()
    try bench.putBack(from: bench.path + ".old")
    let second = try await Self.open(bench)
    try await Self.outboxIsEmpty(second)
    try await bench.catchUp(second)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    try await second.close()
  }

  @Test func fileThatWasPutBackAsksForWhatTheHubHas() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let first = try await Self.open(bench)
    try await first.enqueue { try $0.insert(into: "parcel", values: ["id": 2, "depot": 1]) }
    try await Self.outboxIsEmpty(first)
    bench.hub.isReachable = false
    try await first.enqueue { try $0.insert(into: "parcel", values: ["id": 3, "depot": 1]) }
    try await first.store.backup(to: bench.path + ".old")
    bench.hub.isReachable = true
    try await Self.outboxIsEmpty(first)
    try await first.close()
    try bench.putBack(from: bench.path + ".old")
    // It is sent under the number that it had, and answered as it was; its row came with the
    // comparison.
    let second = try await Self.open(bench)
    try await Self.outboxIsEmpty(second)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    #expect(bench.hub.rows(of: "parcel").count == 3)
    try await second.close()
  }

  @Test func whatCannotWaitIsRefusedAtOnce() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await Self.open(bench)
    let strict = try await bench.open(at: bench.path)
    func code(_ replica: Replica, _ body: @Sendable (inout MutationDraft) throws -> Void) async
      -> HubError.Code?
    {
      do {
        try await replica.enqueue(body)
        return nil
      } catch {
        return (error as? HubError)?.code
      }
    }
    #expect(await code(strict) { try $0.delete(from: "parcel", key: 1) } == .notOffline)
    #expect(
      await code(replica) { try $0.insert(into: "parcel", values: ["id": 2]) }
        == .invalidSubscription)
    let none: Int64? = nil
    #expect(
      await code(replica) { try $0.insert(into: "parcel", values: ["id": none, "depot": 1]) }
        == .invalidSubscription)
    #expect(
      await code(replica) { try $0.update("parcel", key: 1, set: ["depot": none]) }
        == .invalidSubscription)
    #expect(
      await code(replica) { try $0.insert(into: "parcel", values: ["id": "one", "depot": 1]) }
        == .rejected)
    #expect(
      await code(replica) { try $0.insert(into: "parcel", values: ["id": 1, "depot": 1]) }
        == .rejected)
    #expect(
      await code(replica) { try $0.update("parcel", key: 9, set: ["depot": 1], ifRevision: .any) }
        == .rejected)
    #expect(
      await code(replica) { try $0.update("parcel", key: 1, set: ["state": "a\u{0}"]) }
        == .unsupportedValue)
    #expect(try await replica.outbox().isEmpty)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(try await replica.enqueue { _ in } == nil)
    try await strict.close()
    try await replica.close()
  }
}
