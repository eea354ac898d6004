#if Postgres
  import SectileCore
  import SectileHub
  import SectileStore
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  /// Rows of a replica and of its hub, compared by their digests.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct VerificationTests {
    private let database: TestDatabase
    private let bench: PostgresReplica

    init() async throws {
      database = try await TestDatabase(
        """
        CREATE TABLE parcel (id int, depot text, state text, PRIMARY KEY (depot, id));
        INSERT INTO parcel SELECT n, 'north|;' || n % 3, 'new' FROM generate_series(1, 2500) n;
        CREATE TABLE depot (id int PRIMARY KEY, name text);
        INSERT INTO depot VALUES (1, 'a|'), (2, ''), (3, NULL);
        """)
      bench = try await PostgresReplica(of: database, ["parcel", "depot"])
    }

    /// Changes the file's rows behind the hub's back.
    private func spoil(_ replica: Replica, _ statements: String...) async throws {
      try await replica.store.write { transaction in
        try transaction.execute("UPDATE sectile_replica SET is_open = 1")
        for statement in statements { try transaction.execute(statement) }
        try transaction.execute("UPDATE sectile_replica SET is_open = 0")
      }
    }

    private func end(_ replica: Replica) async throws {
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func replicaThatFollowsIsEqual() async throws {
      let replica = try await bench.open()
      try await database.run("UPDATE parcel SET state = 'sent' WHERE id < 1200")
      let found = try await bench.hub.verify(replica)
      #expect(found.isEqual)
      #expect(found.tables.map(\.name) == ["depot", "parcel"])
      #expect(found.tables.map(\.hubRowCount) == [3, 2500])
      #expect(found.tables.map(\.replicaRowCount) == [3, 2500])
      #expect(found.position > .zero)
      // Nothing is left at the server.
      try await soon("the slot is gone") {
        let slots = try await database.run(
          "SELECT FROM pg_replication_slots WHERE temporary AND database = current_database()")
        return slots.isEmpty
      }
      try await end(replica)
    }

    @Test func rowsThatDifferAreNamed() async throws {
      let replica = try await bench.open()
      try await bench.follows(replica)
      try await spoil(
        replica, "DELETE FROM parcel WHERE id = 7", "UPDATE parcel SET state = 'lost' WHERE id = 8",
        "INSERT INTO parcel VALUES (9000, 'x', NULL, 0)", "UPDATE depot SET name = '' WHERE id = 3")
      let found = try await bench.hub.verify(replica)
      #expect(!found.isEqual)
      let depot = try #require(found.tables.first)
      #expect(depot.changedCount == 1)
      #expect(depot.rows.map(\.key) == [[.integer(3)]])
      let parcel = try #require(found.tables.last)
      #expect(
        [parcel.missingCount, parcel.surplusCount, parcel.changedCount, parcel.uncomparedCount]
          == [1, 1, 1, 0])
      let keys = Dictionary(
        parcel.rows.map { ($0.difference, $0.key) }, uniquingKeysWith: { first, _ in first })
      #expect(keys[.missing] == [.text("north|;1"), .integer(7)])
      #expect(keys[.changed] == [.text("north|;2"), .integer(8)])
      #expect(keys[.surplus] == [.text("x"), .integer(9000)])
      try await replica.resync()
      #expect(try await bench.hub.verify(replica).isEqual)
      try await end(replica)
    }

    @Test func noMoreAreNamedThanAskedFor() async throws {
      let replica = try await bench.open()
      try await bench.follows(replica)
      try await spoil(replica, "UPDATE parcel SET state = 'lost'")
      let found = try await bench.hub.verify(replica, namingAtMost: 5)
      let parcel = try #require(found.tables.last)
      #expect(parcel.changedCount == 2500)
      #expect(parcel.rows.count == 5)
      try await end(replica)
    }

    @Test func rowsThatChangeMeanwhileAreNotJudged() async throws {
      let replica = try await bench.open()
      try await bench.follows(replica)
      let writing = Task {
        var round = 0
        while !Task.isCancelled {
          round += 1
          try await database.run(
            """
            UPDATE parcel SET state = 'round \(round)' WHERE id % 5 = \(round % 5);
            DELETE FROM parcel WHERE id = \(round);
            INSERT INTO parcel VALUES (\(round + 5000), 'west', 'new');
            """)
        }
      }
      for _ in 0..<3 {
        let found = try await bench.hub.verify(replica)
        #expect(found.isEqual, "\(found)")
      }
      // A row that nobody touches is found all the same.
      try await spoil(replica, "UPDATE depot SET name = 'lost' WHERE id = 1")
      let found = try await bench.hub.verify(replica)
      #expect(found.tables.first?.changedCount == 1)
      #expect(found.tables.last?.isEqual == true)
      writing.cancel()
      _ = await writing.result
      try await end(replica)
    }

    @Test func textsWhoseOrderIgnoresCaseAreComparedByTheirBytes() async throws {
      try await database.run(
        """
        CREATE COLLATION caseless
          (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
        ALTER TABLE depot ALTER name TYPE text COLLATE caseless;
        """)
      let replica = try await bench.open()
      try await bench.follows(replica)
      #expect(try await bench.hub.verify(replica).isEqual)
      try await spoil(replica, "UPDATE depot SET name = 'A|' WHERE id = 1")
      let found = try await bench.hub.verify(replica)
      #expect(found.tables.first?.rows.map(\.key) == [[.integer(1)]])
      try await end(replica)
    }

    @Test func someRowsAndColumnsAreComparedAlone() async throws {
      let some = try await PostgresReplica(
        of: database,
        [TableSubscription("parcel", columns: ["id", "depot"], where: "depot LIKE '%1'")],
        named: "\(database.name)_some")
      let replica = try await some.open()
      let found = try await some.hub.verify(replica)
      #expect(found.isEqual)
      #expect(found.tables.first?.hubRowCount == 834)
      try await replica.close()
      try await some.hub.detach()
    }

    @Test func replicaOfAnotherHubIsRefused() async throws {
      let other = try await TestDatabase("", on: PostgresServer(settings: ["fsync": "off"]))
      try await other.run("CREATE TABLE parcel (id int, depot text, state text)")
      try await other.run("ALTER TABLE parcel ADD PRIMARY KEY (depot, id)")
      try await other.run("CREATE TABLE depot (id int PRIMARY KEY, name text)")
      let hub = try await other.hub(bench.hub.name, installing: ["parcel", "depot"])
      let replica = try await bench.open()
      try await bench.follows(replica)
      let refusal = await code { _ = try await hub.verify(replica) }
      #expect(refusal == .invalidSubscription)
      try await end(replica)
    }

    @Test func replicasAreListed() async throws {
      let replica = try await bench.open()
      try await bench.follows(replica)
      try await bench.catchUp(replica)
      let listed = try await bench.hub.replicas()
      let own = try #require(listed.first)
      #expect(listed.map(\.name) == [bench.hub.name])
      #expect(own.status.isActive)
      #expect(own.behindByteCount != nil)
      try await soon("the server has heard of it") {
        try await bench.hub.replicas().first?.lastSeen != nil
      }
      try await replica.close()
      try await soon("the stream has ended") {
        try await bench.hub.replicas().first?.status.isActive == false
      }
      try await bench.hub.detach()
      #expect(try await bench.hub.replicas().isEmpty)
    }
  }
#endif
