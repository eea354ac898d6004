#if Postgres
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  /// What is published for a replica must never stop those who write to the tables.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct PublicationTests {
    private static let sql = """
      CREATE TABLE parcel (id int PRIMARY KEY, depot int, state text);
      INSERT INTO parcel VALUES (1, 7, 'new');
      """
    private static let condition = TableSubscription("parcel", where: "depot = 7")
    private static let columns = TableSubscription("parcel", columns: ["id", "depot"])

    @Test func conditionThatWouldStopWritersHasNoSQL() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await described(Self.condition, hub, database)
      #expect(await code { _ = try await hub.publicationSQL(for: tables) } == .invalidSubscription)
      do {
        _ = try await hub.describe([Self.condition])
        Issue.record("it is described")
      } catch let error as HubError {
        #expect(error.message.contains("uses the column depot"))
        #expect(error.hint?.contains("\"parcel\" REPLICA IDENTITY FULL") == true)
      }
      #expect(try await database.run("SELECT count(*) FROM pg_publication") == [["0"]])
    }

    @Test(arguments: [true, false])
    func printedSQLFailsWhereItWouldStopWriters(isCondition: Bool) async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      let subscription = isCondition ? Self.condition : Self.columns
      let tables = try await described(subscription, hub, database)
      try await set(identity: isCondition ? "FULL" : "DEFAULT", database)
      let sql = try await hub.publicationSQL(for: tables)
      try await database.run(sql)
      try await database.run("UPDATE parcel SET depot = 7")
      // What was right when it was printed is not when it is run.
      try await database.run("DROP PUBLICATION \(sharedName(tables))")
      try await set(identity: isCondition ? "DEFAULT" : "FULL", database)
      await #expect(throws: PostgresError.self) { try await database.run(sql) }
      try await database.run("ROLLBACK")
      #expect(try await database.run("SELECT count(*) FROM pg_publication") == [["0"]])
      try await database.run("UPDATE parcel SET depot = 8; DELETE FROM parcel")
    }

    @Test(arguments: [true, false])
    func publicationThatStopsWritersIsNotTakenOver(isCondition: Bool) async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      let subscription = isCondition ? Self.condition : Self.columns
      let tables = try await described(subscription, hub, database)
      try await set(identity: isCondition ? "FULL" : "DEFAULT", database)
      try await database.run(try await hub.publicationSQL(for: tables))
      try await set(identity: isCondition ? "DEFAULT" : "FULL", database)
      #expect(await code { _ = try await hub.snapshot(of: tables) } == .invalidSubscription)
      let slots = try await database.run(
        "SELECT count(*) FROM pg_replication_slots WHERE database = current_database()")
      #expect(slots == [["0"]])
    }

    @Test func partitionsAreAskedForTheirIdentity() async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE ev (id int, day int, depot int, note text, PRIMARY KEY (id, day)) PARTITION BY LIST (day);
        CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1);
        CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2);
        INSERT INTO ev VALUES (1, 1, 7), (2, 2, 7);
        ALTER TABLE ev REPLICA IDENTITY FULL;
        """)
      let hub = try await database.hub(installing: ["ev"])
      let subscription = TableSubscription("ev", where: "depot = 7")
      let error = await #expect(throws: HubError.self) {
        _ = try await hub.describe([subscription])
      }
      let sql = "\"ev1\" REPLICA IDENTITY FULL; ALTER TABLE \"public\".\"ev2\""
      #expect(error?.hint?.contains(sql) == true)
      try await database.run(each: [
        "ALTER TABLE ev1 REPLICA IDENTITY FULL", "ALTER TABLE ev2 REPLICA IDENTITY FULL",
      ])
      let snapshot = try await hub.snapshot(of: try await hub.describe([subscription]))
      await snapshot.close()
      try await database.run("UPDATE ev SET depot = 8 WHERE id = 1; DELETE FROM ev WHERE id = 2")
      // A list of columns does not go with the identity of a single partition.
      try await database.run("ALTER TABLE ev1 REPLICA IDENTITY DEFAULT")
      #expect(
        await code {
          _ = try await hub.describe([TableSubscription("ev", columns: ["id", "day"])])
        } == .invalidSubscription)
      try await hub.detach()
    }

    @Test func publicationThatWasChangedIsMadeAgain() async throws {
      let database = try await TestDatabase(Self.sql + "CREATE TABLE other (id int PRIMARY KEY);")
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      await (try await hub.snapshot(of: tables)).close()
      let name = sharedName(tables)
      for change in [
        "SET (publish = 'insert')", "DROP TABLE parcel", "SET TABLE ONLY parcel WHERE (id > 5)",
        "ADD TABLE other", "SET (publish_via_partition_root = false)",
      ] {
        try await database.run("ALTER PUBLICATION \(name) \(change)")
        await (try await hub.snapshot(of: tables)).close()
        let found = try await database.run(
          "SELECT count(*), bool_and(prqual IS NULL), bool_and(pubdelete AND pubviaroot) "
            + "FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid")
        #expect(found == [["4", "t", "t"]], "\(change)")
      }
      try await hub.detach()
    }

    /// An owner's act is for all machines of a subscription, whatever their number.
    @Test func replicasOfEqualSubscriptionsShareAPublication() async throws {
      let database = try await TestDatabase(Self.sql)
      let role = "guest_\(database.name)"
      try await database.run("CREATE ROLE \(role) LOGIN")
      let owner = try await database.hub(installing: ["parcel"])
      try await owner.install(["parcel"], role: role)
      let tables = try await owner.describe([Self.columns])
      try await database.run(try await owner.publicationSQL(for: tables))
      let hubs = try await [
        database.hub("\(database.name)_a", user: role),
        database.hub("\(database.name)_b", user: role),
      ]
      for (number, hub) in hubs.enumerated() {
        var model = ReplicaModel(tables)
        let snapshot = try await hub.snapshot(of: tables)
        let token = snapshot.token
        try await model.read(snapshot)
        #expect(try await hub.validate(token) == .resume)
        try await database.run("UPDATE parcel SET depot = depot + 1")
        let stream = try await hub.stream(after: token, of: tables)
        try await model.follow(stream, to: try await owner.position())
        await stream.close()
        let depots = model.rows["parcel"]?.values.map { $0[1] }
        #expect(depots == [.integer(Int64(8 + number))])
      }
      #expect(try await publications(database) == [[Publication.sharedName(tables)]])
      // Another subscription needs another one.
      let others = try await hubs[0].describe(["parcel"])
      #expect(await code { _ = try await hubs[0].snapshot(of: others) } == .notPermitted)
      // What was made for them stays when the last one is gone.
      for hub in hubs + [owner] { try await hub.detach() }
      #expect(try await publications(database) == [[Publication.sharedName(tables)]])
    }

    @Test func replicasMakeOnePublicationAtOnceAndLeaveNone() async throws {
      let database = try await TestDatabase(Self.sql)
      let first = try await database.hub(installing: ["parcel"])
      let tables = try await first.describe(["parcel"])
      let hubs = try await [
        first, database.hub("\(database.name)_a"), database.hub("\(database.name)_b"),
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for hub in hubs {
          group.addTask {
            var model = ReplicaModel(tables)
            try await model.read(try await hub.snapshot(of: tables))
          }
        }
        try await group.waitForAll()
      }
      #expect(try await publications(database) == [[Publication.sharedName(tables)]])
      try await hubs[0].detach()
      try await hubs[1].detach()
      #expect(try await publications(database).count == 1)
      try await hubs[2].detach()
      #expect(try await publications(database).isEmpty)
    }

    /// As an earlier version made it.
    @Test func publicationOfAReplicasOwnIsFollowedAsLongAsItFits() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      let tables = try await hub.describe(["parcel"])
      let name = hub.objectName
      let sql = try await hub.pool.run { try Publication(name: name, tables: $0.known(tables)).sql }
      try await database.run(sql)
      var model = ReplicaModel(tables)
      let snapshot = try await hub.snapshot(of: tables)
      let token = snapshot.token
      try await model.read(snapshot)
      #expect(try await publications(database) == [[name]])
      #expect(try await hub.state(of: tables).definition == token.definition)
      #expect(try await hub.validate(token) == .resume)
      let fewer = try await hub.describe([Self.columns])
      await (try await hub.snapshot(of: fewer)).close()
      #expect(try await publications(database) == [[Publication.sharedName(fewer)]])
      try await hub.detach()
    }

    private func publications(_ database: TestDatabase) async throws -> [[String?]] {
      try await database.run("SELECT pubname FROM pg_publication ORDER BY pubname")
    }

    private func sharedName(_ tables: [SyncedTable]) -> String {
      "\"\(Publication.sharedName(tables))\""
    }

    /// The tables as they are described where the identity allows it, which it does not any more.
    private func described(
      _ subscription: TableSubscription, _ hub: PostgresHub, _ database: TestDatabase
    ) async throws -> [SyncedTable] {
      let isCondition = subscription.condition != nil
      try await set(identity: isCondition ? "FULL" : "DEFAULT", database)
      let tables = try await hub.describe([subscription])
      try await set(identity: isCondition ? "DEFAULT" : "FULL", database)
      return tables
    }

    private func set(identity: String, _ database: TestDatabase) async throws {
      try await database.run("ALTER TABLE parcel REPLICA IDENTITY \(identity)")
    }
  }

  extension Publication {
    fileprivate static func sharedName(_ tables: [SyncedTable]) -> String {
      sharedName(SyncedTable.fingerprint(of: tables))
    }
  }
#endif
