#if Postgres
  import Foundation
  import SectileCore
  import SectileHub
  import SectilePostgres
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  /// Replicas of a PostgreSQL with which nothing is wrong.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct PostgresReplicaTests {
    @Test func eachCommitIsAnExactChangeset() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let replica = try await bench.open()
      let results = try replica.store.results(of: PostgresParcel.byDepot)
      let recorder = ChangeRecorder<Int64, PostgresParcel>()
      results.delegate = recorder
      try await results.load()
      #expect(recorder.contents.count == 9)
      try await database.run(
        "BEGIN; UPDATE parcel SET depot = 2 WHERE id = 1; DELETE FROM parcel WHERE id = 2; "
          + "INSERT INTO parcel VALUES (100, 1, 'x'); COMMIT")
      try await bench.catchUp(replica)
      #expect(recorder.changesets.count == 2)
      try recorder.check(against: results)
      try await bench.expectEqual(replica)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func writesAreSeenWhenTheyReturnAndConflictsAreTold() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let other = try await PostgresReplica(of: database, named: "\(database.name)_b")
      let (first, second) = (try await bench.open(), try await other.open())
      try await first.write { try $0.update("parcel", key: 1, set: ["title": "first"]) }
      #expect(try await title(1, in: first) == .text("first"))
      // The other may not have it yet: what it saw is not what the hub has.
      let error = await #expect(throws: HubError.self) {
        try await second.write { changes in
          try changes.update("parcel", key: 1, set: ["title": "second"], ifRevision: .exactly(0))
        }
      }
      #expect(error?.rejection?.kind == .conflict)
      #expect(error?.rejection?.current?["title"] == .text("first"))
      try await other.catchUp(second)
      try await second.write { try $0.update("parcel", key: 1, set: ["title": "second"]) }
      try await bench.catchUp(first)
      #expect(try await title(1, in: first) == .text("second"))
      try await first.close()
      try await second.close()
      try await bench.hub.detach()
      try await other.hub.detach()
    }

    @Test func unusualTransactionsArrive() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let replica = try await bench.open()
      try await database.run(each: [
        "INSERT INTO parcel SELECT n, n % 7, md5(n::text) FROM generate_series(1000, 101000) n",
        "UPDATE parcel SET id = id + 1000000 WHERE id % 10 = 3",
        "UPDATE parcel SET title = (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 600) n) WHERE id = 1",
        "UPDATE parcel SET depot = 8 WHERE id = 1", "UPDATE parcel SET id = -1 WHERE id = 1",
        "BEGIN; DELETE FROM parcel WHERE id = 2; INSERT INTO parcel VALUES (2, 3, NULL); COMMIT",
      ])
      try await bench.catchUp(replica)
      try await bench.expectEqual(replica)
      #expect(bench.resyncs.count == 1)
      try await database.run(each: ["TRUNCATE parcel", "INSERT INTO parcel VALUES (1, 1, 'again')"])
      try await bench.catchUp(replica)
      try await bench.expectEqual(replica)
      // A table that was emptied as a whole is told, but looks like one that was emptied in part:
      // rows are compared.
      try await soon("rows were compared") { bench.resyncs.count == 2 }
      #expect(bench.resyncs.last?.reason == .tablesChanged)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func rowsOfAConditionComeAndGo() async throws {
      let database = try await TestDatabase(
        PostgresParcel.sql + "CREATE UNIQUE INDEX by_depot ON parcel (id, depot); "
          + "ALTER TABLE parcel REPLICA IDENTITY USING INDEX by_depot;")
      let bench = try await PostgresReplica(
        of: database, [TableSubscription("parcel", columns: ["id", "depot"], where: "depot = 1")])
      let replica = try await bench.open()
      try await database.run("UPDATE parcel SET depot = 3 - depot WHERE depot IN (1, 2)")
      try await bench.catchUp(replica)
      try await bench.expectEqual(replica)
      let rows = try await replica.store.read {
        try $0.query("SELECT * FROM parcel ORDER BY id").map(\.values)
      }
      #expect(rows.map { $0[0] } == [2, 5, 8])
      let columns = try await replica.store.read {
        try $0.query("SELECT name FROM pragma_table_info('parcel')").compactMap(\.values.first)
      }
      #expect(!columns.contains("title"))
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func heartbeatsTellHowLateAReplicaIs() async throws {
      let database = try await TestDatabase(PostgresParcel.sql)
      let bench = try await PostgresReplica(of: database)
      let start = Date()
      let replica = try await bench.open { $0.heartbeatInterval = .milliseconds(20) }
      try await soon("heartbeats come") { replica.status.measuredLag != nil }
      let lag = try #require(replica.status.lag())
      // No heartbeat was before the start; with a second for clocks that are set meanwhile.
      #expect(lag < .seconds(Date().timeIntervalSince(start) + 1))
      #expect(replica.status.token?.heartbeat != nil)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func outboxIsSentWhenTheServerIsBack() async throws {
      let server = try PostgresServer()
      let database = try await TestDatabase(PostgresParcel.sql, on: server)
      let bench = try await PostgresReplica(of: database)
      let replica = try await bench.open { $0.offlineTables = ["parcel"] }
      try server.kill9()
      for id in 1...5 as ClosedRange<Int64> {
        try await replica.enqueue { try $0.update("parcel", key: id, set: ["title": "offline"]) }
      }
      try await replica.enqueue { changes in
        try changes.update("parcel", key: 6, set: ["title": "late"], ifRevision: .exactly(1))
      }
      #expect(try await title(3, in: replica) == .text("offline"))
      try server.start()
      try await soon("all but the last are there") {
        let left = try await replica.outbox()
        return left.count == 1 && left[0].isParked
      }
      try await bench.catchUp(replica)
      try await bench.expectEqual(replica)
      #expect(try await title(5, in: replica) == .text("offline"))
      try await replica.close()
    }

    private func title(_ id: Int64, in replica: Replica) async throws -> StoredValue? {
      try await replica.store.read {
        try $0.query("SELECT title FROM parcel WHERE id = ?", id).first?.values.first
      }
    }
  }

  extension OutboxEntry {
    var isParked: Bool { if case .parked = state { true } else { false } }
  }

  /// A row of the table that replicas have.
  struct PostgresParcel: Entity, Hashable {
    static let schema = EntitySchema<PostgresParcel>(
      "parcel", primaryKey: "id",
      attributes: .init("id", \.id), .init("depot", \.depot), .init("title", \.title))

    /// Nine of them in three depots.
    static let sql = """
      CREATE TABLE parcel (id bigint PRIMARY KEY, depot int NOT NULL, title text);
      INSERT INTO parcel SELECT n, n % 3, 'parcel ' || n FROM generate_series(1, 9) n;
      """

    static let byDepot = FetchRequest<PostgresParcel>().sectioned(by: \.depot).sort(by: \.id)

    var id: Int64
    var depot: Int64
    var title: String?

    init(row: inout RowReader) throws {
      (id, depot, title) = try (row.next(), row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(depot)
      try row.append(title)
    }
  }
#endif
