#if Postgres
  import Foundation
  import SectileCore
  import SectileHub
  import SectilePostgres
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Synchronization
  import Testing

  /// How much was done by tasks beside each other.
  private final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func add() { value.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Replicas of a PostgreSQL where something goes wrong.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"), .timeLimit(.minutes(60))
  )
  struct PostgresFaultTests {
    @Test func serverIsKilledWhileTwoReplicasWrite() async throws {
      let server = try PostgresServer()
      let database = try await TestDatabase(PostgresParcel.sql, on: server)
      let bench = try await PostgresReplica(of: database)
      let other = try await PostgresReplica(of: database, named: "\(database.name)_b")
      let (first, second) = (try await bench.open(), try await other.open())
      let results = try first.store.results(of: PostgresParcel.byDepot)
      let recorder = ChangeRecorder<Int64, PostgresParcel>()
      results.delegate = recorder
      try await results.load()
      let written = Counter()
      try await withThrowingTaskGroup { group in
        for (replica, start) in [(first, 1000), (second, 2000)] as [(Replica, Int64)] {
          group.addTask {
            for id in start..<start + 150 {
              try await replica.write(until: id % 3 == 0 ? .local : .hub) { changes in
                try changes.insert(into: "parcel", values: ["id": id, "depot": id % 4])
              }
              written.add()
            }
          }
        }
        for _ in 0..<2 {
          let count = written.count
          try await soon("more is written") {
            written.count > count + 40
          }
          try server.kill9()
          try server.start()
        }
        try await group.waitForAll()
      }
      // None was refused: one that was answered late was not performed twice.
      #expect(written.count == 300)
      for (bench, replica) in [(bench, first), (other, second)] {
        try await bench.catchUp(replica)
        try await bench.expectEqual(replica)
        #expect(bench.resyncs.count == 1)
      }
      try recorder.check(against: results)
      #expect(recorder.contents.count == 309)
      try await first.close()
      try await second.close()
    }

    @Test func lostSlotIsMadeUpForByWhatDiffers() async throws {
      let server = try PostgresServer(settings: [
        "fsync": "off", "max_slot_wal_keep_size": "1MB", "max_wal_size": "32MB",
        "min_wal_size": "32MB",
      ])
      let database = try await TestDatabase(PostgresParcel.sql, on: server)
      let bench = try await PostgresReplica(of: database)
      try await bench.open().close()
      try await database.run(each: [
        "DELETE FROM parcel WHERE id IN (1, 2)", "UPDATE parcel SET title = 'other' WHERE id = 3",
        "INSERT INTO parcel VALUES (50, 1, 'new')",
      ])
      for _ in 0..<6 {
        try await database.run(each: [
          "SELECT pg_switch_wal()", "CREATE TABLE IF NOT EXISTS a (b int)",
          "INSERT INTO a VALUES (1)",
        ])
      }
      try await database.run("CHECKPOINT")
      let replica = try await bench.open()
      try await soon("rows were compared") { bench.resyncs.count == 2 }
      let resync = try #require(bench.resyncs.last)
      guard case .slotLost = resync.reason else {
        Issue.record("the reason is: \(resync.reason)")
        return
      }
      #expect((resync.deletedCount, resync.writtenCount, resync.rowCount) == (2, 2, 8))
      try await bench.expectEqual(replica)
      try await replica.close()
    }

    @Test func fileThatWasPutBackIsFoundOut() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let first = try await bench.open()
      try await first.store.backup(to: bench.path + ".old")
      for id in 100..<150 { try await database.run("INSERT INTO parcel VALUES (\(id), 1, 'x')") }
      try await bench.catchUp(first)
      try await soon("the server has let go of what it sent") {
        try await bench.hub.status().confirmedPosition == first.status.token?.position
      }
      try await first.close()
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: bench.path + suffix)
      }
      try FileManager.default.moveItem(atPath: bench.path + ".old", toPath: bench.path)
      let second = try await bench.open()
      try await soon("rows were compared") { bench.resyncs.count == 2 }
      guard case .behindSlot? = bench.resyncs.last?.reason else {
        Issue.record("the reason is: \(String(describing: bench.resyncs.last?.reason))")
        return
      }
      try await bench.expectEqual(second)
      try await second.close()
      try await bench.hub.detach()
    }

    @Test(arguments: [true, false])
    func serverThatWasPutBackIsFoundOut(goesOn: Bool) async throws {
      let server = try PostgresServer()
      let database = try await TestDatabase(PostgresParcel.sql, on: server)
      let bench = try await PostgresReplica(of: database)
      let first = try await bench.open()
      try await bench.catchUp(first)
      try server.keepCopy()
      try await database.run("UPDATE parcel SET title = 'will be lost' WHERE id < 4")
      try await bench.catchUp(first)
      try await bench.expectEqual(first)
      try await first.close()
      try server.putBackCopy()
      if goesOn {
        // Beyond where the replica is: its position alone says nothing.
        try await database.run(
          "INSERT INTO parcel SELECT n, 1, md5(n::text) FROM generate_series(100, 20000) n")
        #expect(try await bench.hub.position() > first.status.token?.position ?? .zero)
      }
      let second = try await bench.open()
      try await soon("rows were compared") { bench.resyncs.count == 2 }
      switch bench.resyncs.last?.reason {
      case .heartbeatUnknown? where goesOn, .aheadOfHub? where !goesOn: break
      default: Issue.record("the reason is: \(String(describing: bench.resyncs.last?.reason))")
      }
      try await bench.catchUp(second)
      try await bench.expectEqual(second)
      try await second.close()
    }

    @Test func standbyThatLacksCommitsIsPromoted() async throws {
      let server = try PostgresServer()
      let database = try await TestDatabase(PostgresParcel.sql, on: server)
      let standby = try PostgresServer(standbyOf: server)
      let bench = try await PostgresReplica(of: database)
      let hub = try PostgresHub(
        connection: server.connection(database.name, orAt: standby), name: bench.hub.name,
        options: .impatient)
      let moving = PostgresReplica(bench, following: hub)
      let replica = try await moving.open()
      let results = try replica.store.results(of: PostgresParcel.byDepot)
      let recorder = ChangeRecorder<Int64, PostgresParcel>()
      results.delegate = recorder
      try await results.load()
      try standby.cutOff()
      try await database.run("INSERT INTO parcel VALUES (50, 1, 'the standby never gets it')")
      try await moving.catchUp(replica)
      try server.kill9()
      try standby.promote()
      try await soon("rows were compared") { moving.resyncs.count == 2 }
      #expect(moving.resyncs.last?.reason == .otherTimeline)
      #expect(moving.resyncs.last?.deletedCount == 1)
      try await replica.write { try $0.update("parcel", key: 1, set: ["title": "after"]) }
      try await moving.expectEqual(replica)
      try recorder.check(against: results)
      #expect(recorder.contents.count == 9)
      try await replica.close()
    }

    @Test func serverThatIsFrozenIsNoticedAndWritesThrow() async throws {
      let server = try PostgresServer()
      let database = try await TestDatabase(PostgresParcel.sql, on: server)
      var options = PostgresHubOptions.impatient
      options.contactLimit = .milliseconds(500)
      options.answerLimit = .milliseconds(500)
      options.connectTimeout = .seconds(1)
      let bench = try await PostgresReplica(of: database, options: options)
      let replica = try await bench.open { $0.writeTimeout = .seconds(2) }
      try await bench.follows(replica)
      try server.freeze()
      let error = await #expect(throws: HubError.self) {
        try await replica.write { try $0.update("parcel", key: 1, set: ["title": "x"]) }
      }
      #expect(error?.code == .unavailable)
      try await soon("the replica waits") {
        if case .waiting = replica.status.phase { true } else { false }
      }
      let count = try await replica.store.read {
        try $0.query("SELECT count(*) FROM parcel").first?.values.first
      }
      #expect(count == 9)
      try server.thaw()
      try await bench.catchUp(replica)
      try await bench.expectEqual(replica)
      #expect(bench.resyncs.count == 1)
      try await replica.close()
    }

    @Test func columnsComeAndGo() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let replica = try await bench.open()
      try await bench.follows(replica)
      try await database.run(each: [
        "ALTER TABLE parcel ADD COLUMN weight float8", "UPDATE parcel SET weight = id / 2.0",
      ])
      try await bench.catchUp(replica)
      // It has the columns that it was opened with, until it connects again.
      #expect(bench.resyncs.count == 1)
      try await database.run("ALTER TABLE parcel DROP COLUMN title")
      try await database.run("DELETE FROM parcel WHERE id = 1")
      try await soon("rows were compared") { bench.resyncs.count == 2 }
      #expect(bench.resyncs.last?.reason == .tablesChanged)
      try await bench.catchUp(replica)
      try await bench.expectEqual(replica)
      let columns = try await replica.store.read {
        try $0.query("SELECT name FROM pragma_table_info('parcel')").compactMap(\.values.first)
      }
      #expect(Set(columns) == ["id", "depot", "sectile_rev", "weight"])
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func unknownVersionStopsAReplicaInItsPlace() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let replica = try await bench.open { $0.schemaVersion = 3 }
      try await bench.follows(replica)
      try await database.run(each: [
        "UPDATE parcel SET title = 'before' WHERE id = 1",
        "BEGIN; ALTER TABLE parcel ADD COLUMN kind int; \(PostgresHub.schemaVersionsSQL(4...5)) COMMIT",
        "UPDATE parcel SET title = 'after' WHERE id = 2",
      ])
      try await soon("it has stopped") {
        if case .stopped(let error) = replica.status.phase {
          error.code == .schemaAhead
        } else {
          false
        }
      }
      let titles = try await replica.store.read {
        try $0.query("SELECT title FROM parcel WHERE id < 3 ORDER BY id").compactMap(\.values.first)
      }
      #expect(titles == ["before", "parcel 2"])
      try await replica.close()
      let upgraded = try await bench.open { $0.schemaVersion = 4 }
      try await bench.catchUp(upgraded)
      try await bench.expectEqual(upgraded)
      try await upgraded.close()
      try await bench.hub.detach()
    }
  }
#endif
