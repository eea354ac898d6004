import Foundation
import SectileCore
import SectileHub
import SectileStore
import SectileTestSupport
import Testing

/// What a replica shows of its hub when nothing goes wrong.
@Suite(.timeLimit(.minutes(60))) struct ReplicaTests {
  @Test func newReplicaHasTheRowsOfTheHub() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...250).map { Parcel.new($0, depot: $0 % 3) })
    let replica = try await bench.open()
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(bench.resyncs.map(\.reason) == [.firstTime])
    #expect(bench.resyncs.first?.rowCount == 250)
    #expect(!FileManager.default.fileExists(atPath: bench.path + "-staged"))
    try await replica.close()
  }

  @Test func eachCommitOfTheHubIsAnExactChangeset() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1), Parcel.new(2, depot: 2)])
    let replica = try await bench.open()
    let results = try replica.store.results(of: Parcel.byDepot)
    let recorder = ChangeRecorder<Int64, Parcel>()
    results.delegate = recorder
    try await results.load()
    try recorder.expect(["insert section 1", "insert section 2", "insert 1/0", "insert 2/0"])
    try bench.hub.commit([
      Parcel.set(1, ["depot": 2]), Parcel.new(3, depot: 2), Parcel.gone(2),
    ])
    try await bench.catchUp(replica)
    #expect(recorder.changesets.count == 2)
    try recorder.check(against: results)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func conditionsAndColumnsAreKept() async throws {
    let bench = try ReplicaBench(conditions: ["depot = 1": { $0[1] == .integer(1) }])
    try bench.hub.commit([Parcel.new(1), Parcel.new(2, depot: 2)])
    let replica = try await bench.open([
      TableSubscription("parcel", columns: ["id", "depot"], where: "depot = 1")
    ])
    #expect(try bench.rows(replica) == [[.integer(1), .integer(1)]])
    try bench.hub.commit([Parcel.set(2, ["depot": 1]), Parcel.set(1, ["depot": 2])])
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica) == [[.integer(2), .integer(1)]])
    try await replica.close()
  }

  @Test func truncatedTableIsEmpty() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1), Parcel.new(2)])
    let replica = try await bench.open()
    bench.hub.truncate("parcel")
    try bench.hub.commit([Parcel.new(3)])
    try await bench.catchUp(replica)
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func onlyTheReplicatorWritesToTablesOfTheHub() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let replica = try await bench.open()
    for statement in [
      "INSERT INTO parcel (id) VALUES (2)", "INSERT OR REPLACE INTO parcel (id) VALUES (1)",
      "UPDATE parcel SET depot = 2", "DELETE FROM parcel", "REPLACE INTO parcel (id) VALUES (1)",
    ] {
      let error = await #expect(throws: StoreError.self) {
        try await replica.store.write { try $0.execute(statement) }
      }
      #expect(
        error?.message.contains("parcel belongs to the hub: write with Replica.write") == true)
    }
    try await replica.store.write {
      try $0.execute("CREATE TABLE own (a); INSERT INTO own VALUES (1)")
    }
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    try await replica.close()
  }

  @Test func replicaGoesOnWhereItStood() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let first = try await bench.open()
    try bench.hub.commit([Parcel.new(2)])
    try await bench.catchUp(first)
    try await first.close()
    try bench.hub.commit([Parcel.new(3), Parcel.gone(1)])
    let second = try await bench.open()
    try await bench.catchUp(second)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    #expect(bench.resyncs.count == 1)
    try await second.close()
  }

  @Test func fileOfTheProgramBecomesAReplica() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let store = try await Store.open(at: bench.path)
    try await store.write { try $0.execute("CREATE TABLE own (a); INSERT INTO own VALUES (7)") }
    try await store.close()
    let replica = try await bench.open()
    #expect(try bench.rows(replica) == bench.hub.rows(of: "parcel"))
    #expect(try bench.rows(replica, "own") == [[.integer(7)]])
    try await replica.close()
  }

  @Test func tableOfTheProgramIsNotTakenAway() async throws {
    let bench = try ReplicaBench()
    let store = try await Store.open(at: bench.path)
    try await store.write {
      try $0.execute("CREATE TABLE parcel (a); INSERT INTO parcel VALUES (7)")
    }
    try await store.close()
    let error = await #expect(throws: HubError.self) { _ = try await bench.open() }
    #expect(error?.code == .hubOwned)
    let again = try await Store.open(at: bench.path)
    #expect(try await again.read { try $0.query("SELECT a FROM parcel") }.count == 1)
    try await again.close()
  }

  /// They are found out before anything is made at the hub or here.
  @Test(arguments: [
    (["order", "Order"], "order and Order"), (["person"], "name and Name"),
    (["SQLite_log"], "SQLite_log"),
  ])
  func namesThatAFileCannotHaveAreRefused(names: [String], told: String) async throws {
    let bench = try ReplicaBench(tables: Self.oddlyNamed)
    let error = await #expect(throws: HubError.self) {
      _ = try await bench.open(names.map { TableSubscription($0) })
    }
    #expect(error?.code == .invalidSubscription)
    #expect(error?.message.contains(told) == true)
    #expect(!FileManager.default.fileExists(atPath: bench.path))
    // Of what differs by case, one can be had.
    let replica = try await bench.open([
      "Order", TableSubscription("person", columns: ["id", "Name"]),
    ])
    #expect(try bench.rows(replica, "person").isEmpty)
    try await replica.close()
  }

  private static let oddlyNamed = [
    SyncedTable(name: "order", columns: [.init("id", .integer)], key: ["id"]),
    SyncedTable(name: "Order", columns: [.init("id", .integer)], key: ["id"]),
    SyncedTable(
      name: "person",
      columns: [.init("id", .integer), .init("name", .text), .init("Name", .text)], key: ["id"]),
    SyncedTable(name: "SQLite_log", columns: [.init("id", .integer)], key: ["id"]),
  ]

  @Test func secondReplicaOfAFileTakesOverWhereTheFirstEnds() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit([Parcel.new(1)])
    let first = try await bench.open()
    let second = try await bench.open()
    try await eventually("the second one waits") {
      if case .following(elsewhere: true) = second.status.phase { true } else { false }
    }
    try bench.hub.commit([Parcel.new(2)])
    try await bench.catchUp(first)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    try await first.close()
    try bench.hub.commit([Parcel.new(3)])
    try await bench.catchUp(second)
    #expect(try bench.rows(second) == bench.hub.rows(of: "parcel"))
    #expect(bench.resyncs.count == 1)
    try await second.close()
  }

  @Test func statusTellsHowOldTheRowsAre() async throws {
    let bench = try ReplicaBench()
    let replica = try await bench.open()
    #expect(replica.status.lag() == nil)
    let beat = Date(timeIntervalSinceNow: -5)
    bench.hub.beat(at: beat)
    try await bench.catchUp(replica)
    let lag = try #require(replica.status.lag())
    // With a second for clocks that are set meanwhile.
    #expect(lag >= .seconds(5) && lag < .seconds(Date().timeIntervalSince(beat) + 1))
    #expect(replica.status.measuredLag.map { $0 >= .seconds(5) } == true)
    #expect(replica.status.lastContact != nil)
    try await replica.close()
  }
}
