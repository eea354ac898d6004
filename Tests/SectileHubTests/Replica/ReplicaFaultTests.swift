import Foundation
import SectileCore
import SectileHub
import SectileStore
import SectileTestSupport
import Testing

/// What a replica does where something goes wrong between it and its hub.
@Suite(.timeLimit(.minutes(60))) struct ReplicaFaultTests {
  @Test func lostLogIsMadeUpForByWhatDiffers() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...100).map { Parcel.new($0) })
    let replica = try await bench.open()
    let results = try replica.store.results(of: Parcel.byDepot)
    let recorder = ChangeRecorder<Int64, Parcel>()
    results.delegate = recorder
    try await results.load()
    bench.hub.isReachable = false
    bench.hub.loseLog(of: "a", because: "wal_removed")
    try bench.hub.commit([Parcel.gone(5), Parcel.set(6, ["depot": 2]), Parcel.new(101)])
    bench.hub.isReachable = true
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    try await bench.catchUp(replica)
    let resync = try #require(bench.resyncs.last)
    #expect(resync.reason == .slotLost("wal_removed"))
    #expect((resync.deletedCount, resync.writtenCount) == (1, 2))
    #expect(recorder.changesets.count == 2)
    try recorder.check(against: results)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func fileThatWasPutBackIsFoundOut() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let first = try await bench.open()
    try await first.store.backup(to: bench.path + ".old")
    try bench.hub.commit((2...20).map { Parcel.new($0) })
    try await bench.catchUp(first)
    try await eventually("the hub has let go of what it sent") {
      first.status.commitCount > 0
    }
    try await first.close()
    try bench.putBack(from: bench.path + ".old")
    let second = try await bench.open()
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    guard case .behindSlot = bench.resyncs.last?.reason else {
      Issue.record("the reason is \(String(describing: bench.resyncs.last?.reason))")
      return
    }
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    try await second.close()
  }

  @Test func copyThatLacksTheLastCommitsTakesTheHubsPlace() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await bench.open()
    try bench.hub.commit([Parcel.new(2)])
    try bench.hub.commit([Parcel.gone(1)])
    try await bench.catchUp(replica)
    bench.hub.promoteCopy(lacking: 2)
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    #expect(bench.resyncs.last?.reason == .otherTimeline)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(try bench.rows(replica).count == 1)
    try await replica.close()
  }

  @Test func hubThatWasPutBackIsFoundOut() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await bench.open()
    try bench.hub.commit([Parcel.new(2)])
    try await bench.catchUp(replica)
    bench.hub.restoreBackup(before: 1)
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    guard case .aheadOfHub = bench.resyncs.last?.reason else {
      Issue.record("the reason is \(String(describing: bench.resyncs.last?.reason))")
      return
    }
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test(arguments: [
    "DELETE FROM parcel WHERE id = 1", "UPDATE parcel SET id = 9 WHERE id = 1",
    "INSERT INTO parcel (id) VALUES (3)",
  ])
  func rowsThatDoNotFitACommitAreMadeUpFor(_ statement: String) async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1), Parcel.new(2)])
    let replica = try await bench.open()
    try await replica.store.write { transaction in
      try transaction.execute("UPDATE sectile_replica SET is_open = 1")
      try transaction.execute(statement)
      try transaction.execute("UPDATE sectile_replica SET is_open = 0")
    }
    try bench.hub.commit([Parcel.set(1, ["depot": 2]), Parcel.new(3)])
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    guard case .diverged = bench.resyncs.last?.reason else {
      Issue.record("the reason is \(String(describing: bench.resyncs.last?.reason))")
      return
    }
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func unknownVersionOfTheSchemaIsNotApplied() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await bench.open { $0.schemaVersion = 3 }
    try bench.hub.commit([Parcel.new(2)])
    bench.hub.support(versions: 4...5)
    try bench.hub.commit([Parcel.new(3)])
    try await eventually("it has stopped") {
      if case .stopped(let error) = replica.status.phase {
        error.code == .schemaAhead
      } else {
        false
      }
    }
    #expect(try bench.rows(replica, columns: ["id"]) == [[.integer(1)], [.integer(2)]])
    bench.hub.support(versions: 3...5)
    try await replica.close()
    let upgraded = try await bench.open { $0.schemaVersion = 4 }
    try await bench.catchUp(upgraded)
    #expect(try bench.rows(upgraded) == bench.hub.rows(of: "parcel"))
    try await upgraded.close()
  }

  @Test func newColumnIsFetchedByWhomItIsAskedFor() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await bench.open()
    // Before it follows, it may have asked for the tables already, and not for the stream.
    try await eventually("it follows") {
      if case .following = replica.status.phase { true } else { false }
    }
    bench.hub.addColumn(.init("weight", .double, isNullable: true), to: "parcel", value: .real(2.5))
    bench.hub.breakConnections()
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    #expect(bench.resyncs.last?.reason == .tablesChanged)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func tablesComeAndGoWithTheirSubscriptions() async throws {
    let depot = SyncedTable(
      name: "depot", columns: [.init("name", .text), .init("city", .text)], key: ["name", "city"])
    let bench = try ReplicaBench(tables: [Parcel.table, depot])
    try bench.hub.commit([
      Parcel.new(1), .insert(table: "depot", values: ["name": .text("n"), "city": .text("c")]),
    ])
    let both = try await bench.open(["parcel", "depot"])
    #expect(try bench.rows(both, "depot") == [[.text("n"), .text("c")]])
    try await both.close()
    let one = try await bench.open(["depot"])
    try await eventually("all rows were compared") { bench.resyncs.count == 2 }
    #expect(throws: StoreError.self) { try bench.rows(one) }
    #expect(try bench.rows(one, "depot") == [[.text("n"), .text("c")]])
    try await one.close()
  }

  @Test func filledFileIsOpenedWithoutTheHub() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let first = try await bench.open()
    try await first.close()
    bench.hub.isReachable = false
    let second = try await bench.open()
    #expect(try bench.rows(second).count == 1)
    try await eventually("it waits for the hub") {
      if case .waiting = second.status.phase { true } else { false }
    }
    try bench.hub.commit([Parcel.new(2)])
    bench.hub.isReachable = true
    try await bench.catchUp(second)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    try await second.close()
  }

  @Test func newFileNeedsTheHub() async throws {
    let bench = try ReplicaBench()
    bench.hub.isReachable = false
    let error = await #expect(throws: HubError.self) { _ = try await bench.open() }
    #expect(error?.code == .unavailable)
    #expect(!FileManager.default.fileExists(atPath: bench.path))
    #expect(!FileManager.default.fileExists(atPath: bench.path + "-staged"))
  }

  @Test func brokenCopyLeavesNothingBehind() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...500).map { Parcel.new($0) })
    bench.hub.faults.brokenSnapshot = 1
    await #expect(throws: HubError.self) { _ = try await bench.open() }
    let left = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(left == ["replica.sqlite-replicator"])
    bench.hub.faults.brokenSnapshot = 0
    let replica = try await bench.open()
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }
}
