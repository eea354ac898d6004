import Foundation
import SectileCore
import SectileStore
import SectileTestSupport
import Testing

@testable import SectileHub

/// Whether a replica has what the hub has, and says so.
@Suite(.timeLimit(.minutes(60))) struct ReplicaCatchingUpTests {
  @Test func catchingUpIsHavingWhatWasCommittedBefore() async throws {
    let bench = try ReplicaBench()
    try await bench.open().close()
    for round in 1...10 as ClosedRange<Int64> {
      try bench.hub.commit([Parcel.new(round), Parcel.new(100 + round)])
      let position = bench.hub.position
      let replica = try await bench.open()
      #expect(try await replica.catchUp() >= position)
      #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
      // Where nothing is to come, nothing is waited for.
      try await replica.catchUp()
      try await replica.close()
    }
    #expect(bench.resyncs.count == 1)
  }

  @Test func hubThatIsAwayOrAheadIsToldToWhomWantsToCatchUp() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open { $0.schemaVersion = 1 }
    bench.hub.isReachable = false
    let away = await #expect(throws: HubError.self) { try await replica.catchUp() }
    #expect(away?.code == .unavailable)
    bench.hub.isReachable = true
    bench.hub.support(versions: 2...2)
    let ahead = await #expect(throws: HubError.self) { try await replica.catchUp() }
    #expect(ahead?.code == .schemaAhead)
    try await replica.close()
    let closed = await #expect(throws: HubError.self) { try await replica.catchUp() }
    #expect(closed?.code == .replicaClosed)
  }

  @Test func secondReplicaOfAFileCatchesUpByTheFirst() async throws {
    let bench = try ReplicaBench()
    let (first, second) = (try await bench.open(), try await bench.open())
    try bench.hub.commit([Parcel.new(1)])
    try await second.catchUp()
    #expect(try bench.rows(second).count == 1)
    try await second.close()
    try await first.close()
  }

  @Test func versionThatTheHubTookBackDoesNotStopAReplica() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open { $0.schemaVersion = 3 }
    try await replica.catchUp()
    bench.hub.support(versions: 4...4)
    try bench.hub.commit([Parcel.new(1)])
    try await eventually("it has stopped") {
      if case .stopped = replica.status.phase { true } else { false }
    }
    #expect(try bench.rows(replica).isEmpty)
    bench.hub.support(versions: 3...4)
    try bench.hub.commit([Parcel.new(2)])
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica).count == 2)
    #expect(bench.resyncs.count == 1)
    try await replica.close()
  }

  @Test func tableThatIsDefinedAnewIsComparedAtTheNextHeartbeat() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...4).map { Parcel.new($0, state: "old") })
    let replica = try await bench.open()
    try await replica.catchUp()
    bench.hub.redefine("parcel") { row in
      row[0] == 1 ? nil : [row[0], row[1], "new", row[3]]
    }
    bench.hub.beat()
    try await eventually("rows were compared") { bench.resyncs.count == 2 }
    #expect(bench.resyncs.last?.reason == .tablesChanged)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
    bench.hub.redefine("parcel") { $0[0] == 2 ? nil : $0 }
    let again = try await bench.open()
    try await again.catchUp()
    #expect(try bench.rows(again) == bench.hub.rows(of: "parcel"))
    // One that is for an older version does not compare with tables of the new one.
    try await again.close()
    let old = try await bench.open { $0.schemaVersion = 1 }
    try bench.hub.commit([Parcel.new(9)])
    bench.hub.redefine("parcel") { $0[0] == 3 ? nil : $0 }
    bench.hub.support(versions: 2...2)
    try await eventually("it has stopped") {
      if case .stopped = old.status.phase { true } else { false }
    }
    #expect(try bench.rows(old, columns: ["id"]) == [[3], [4], [9]])
    try await old.close()
  }

  @Test func hubThatDoesNotTellDefinitionsIsNotFoundOut() async throws {
    let bench = try ReplicaBench()
    bench.hub.tellsDefinitions = false
    try bench.hub.commit([Parcel.new(1, state: "old")])
    let replica = try await bench.open()
    bench.hub.redefine("parcel") { [$0[0], $0[1], "new", $0[3]] }
    try await replica.catchUp()
    #expect(try bench.rows(replica, columns: ["state"]) == [["old"]])
    try await replica.close()
  }

  @Test func fileTellsItsAgeWithoutTheHub() async throws {
    let bench = try ReplicaBench()
    let first = try await bench.open()
    bench.hub.beat(at: Date(timeIntervalSinceNow: -600))
    try await bench.catchUp(first)
    try await first.close()
    bench.hub.isReachable = false
    let second = try await bench.open()
    try await eventually("it has looked for the hub") {
      if case .waiting = second.status.phase { true } else { false }
    }
    #expect(second.status.token != nil)
    #expect(try #require(second.status.lag()) >= .seconds(599))
    guard second.status.health().kind == .behind else {
      Issue.record("it is \(second.status.health())")
      return
    }
    try await second.close()
  }

  @Test func clockThatIsBehindDoesNotMakeRowsCurrent() {
    var status = ReplicaStatus()
    status.token = HubToken(system: "a", timeline: 1, slot: "s", tables: "t", position: .zero)
    // The hub's clock is an hour ahead of this machine's.
    status.heartbeat = Date(timeIntervalSinceNow: 3600)
    status.heartbeatArrival = .now - .seconds(50)
    #expect(status.lag() ?? .zero >= .seconds(50))
    guard status.health().kind == .behind else {
      Issue.record("it is \(status.health())")
      return
    }
    status.heartbeatArrival = .now
    #expect(status.health() == .current)
  }

  @Test func commitThatCannotBeAppliedIsNotTriedAllTheTime() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open {
      $0.retryDelays = .milliseconds(1)...Duration.seconds(60)
    }
    try await replica.catchUp()
    // The file refuses the row, as one does whose disk is full.
    try await replica.store.write { transaction in
      try transaction.execute(
        "CREATE TRIGGER full BEFORE INSERT ON parcel BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    }
    try bench.hub.commit([Parcel.new(1)])
    func delays() -> [Duration] {
      bench.events.compactMap(\.retryDelay)
    }
    try await eventually("it was tried a few times") { delays().count >= 5 }
    #expect(delays().suffix(2).allSatisfy { $0 > .milliseconds(4) }, "\(delays())")
    let health = replica.status.health(lagLimit: .zero)
    guard health.kind == .behind, let reason = health.reason else {
      Issue.record("it is \(replica.status.health())")
      return
    }
    #expect(reason.contains("disk full"))
    try await replica.store.write { try $0.execute("DROP TRIGGER full") }
    try await bench.catchUp(replica)
    try await replica.close()
  }

  @Test func indexesAndTriggersOfTheApplicationOutliveAnotherDefinition() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let columns = ["id", "depot", "state", "sectile_rev"]
    let first = try await bench.open([TableSubscription("parcel", columns: columns)])
    try await first.store.write { transaction in
      try transaction.execute("CREATE INDEX by_depot ON parcel (depot)")
      try transaction.execute("CREATE INDEX by_state ON parcel (state)")
      try transaction.execute(
        "CREATE TRIGGER by_update AFTER UPDATE ON parcel BEGIN SELECT NEW.depot; END")
    }
    try await first.close()
    func objects(_ replica: Replica) throws -> [[StoredValue]] {
      let table = "sqlite_master WHERE name GLOB 'by_*'"
      return try bench.rows(replica, table, columns: ["name"])
    }
    // A column goes, and its index with it.
    let second = try await bench.open([
      TableSubscription("parcel", columns: ["id", "depot", "sectile_rev"])
    ])
    try await second.catchUp()
    #expect(try objects(second) == [["by_depot"], ["by_update"]])
    // A table that somebody has broken is made anew.
    try await second.store.write { try $0.execute("DROP TRIGGER sectile_replica_parcel_insert") }
    try await second.resync()
    #expect(try objects(second) == [["by_depot"], ["by_update"]])
    try await second.close()
  }
}
