#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct InstallationTests {
    private static let sql =
      "CREATE TABLE parcel (id int PRIMARY KEY, title text); INSERT INTO parcel VALUES (1, 'one');"

    @Test func installingTwiceIsInstallingOnce() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      try await hub.install(["parcel"])
      try await database.run(hub.installationSQL(for: ["parcel"]))
      #expect(try await database.run("SELECT sectile_rev FROM parcel") == [["0"]])
      try await database.run("UPDATE parcel SET title = 'two', sectile_rev = 1000")
      let first = try await database.run("SELECT sectile_rev FROM parcel")
      #expect(first == [["1"]])
      #expect(await code { try await hub.install(["nothing"]) } == .noSuchTable)
      // A trigger that is gone is made again.
      try await database.run("DROP TRIGGER sectile_revision ON parcel")
      try await hub.install(["parcel"])
      try await database.run("UPDATE parcel SET title = 'three'")
      #expect(try await database.run("SELECT sectile_rev FROM parcel") == [["2"]])
    }

    /// As a restore does it, and a hub that is a subscriber itself.
    @Test func changesThatReplicationWritesAreCounted() async throws {
      let database = try await TestDatabase(Self.sql)
      _ = try await database.hub(installing: ["parcel"])
      try await database.run(
        """
        BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE parcel SET title = 'two', sectile_rev = 1000; COMMIT
        """)
      #expect(try await database.run("SELECT title, sectile_rev FROM parcel") == [["two", "1"]])
      // One that an earlier version made is made to count them, too.
      try await database.run("ALTER TABLE parcel ENABLE TRIGGER sectile_revision")
      _ = try await database.hub(installing: ["parcel"])
      try await database.run(
        """
        BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE parcel SET title = 'three'; COMMIT
        """)
      #expect(try await database.run("SELECT title, sectile_rev FROM parcel") == [["three", "2"]])
    }

    /// Who comes later would wait behind whoever waits for the table, also to read it.
    @Test func tableInUseIsNotWaitedForLong() async throws {
      let database = try await TestDatabase(Self.sql + "CREATE TABLE other (id int PRIMARY KEY);")
      let hub = try await database.hub()
      let sql = hub.installationSQL(for: ["other", "parcel"])
      let reader = try await transaction(database, "SELECT * FROM parcel")
      let error = await #expect(throws: PostgresError.self) { try await database.run(sql) }
      // On a slow machine the time for the statement is over as soon as that for the lock.
      #expect(error?.isAboutWaiting == true)
      // Each table is changed by itself.
      let triggers = try await database.run(
        "SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = 'sectile_revision'")
      #expect(triggers == [["other"]])
      _ = try await reader.run { try $0.execute("COMMIT") }
      await reader.close()
      try await database.run(sql)
      #expect(try await database.run("SELECT sectile_rev FROM parcel") == [["0"]])
    }

    /// Behind a long transaction, other readers go on.
    @Test func readersDoNotWaitBehindTheInstallation() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub()
      let reader = try await transaction(database, "SELECT * FROM parcel")
      let installing = Task {
        while await code(of: { try await hub.install(["parcel"]) }) == .unavailable {}
      }
      try await soon("it waits for the table") {
        try await database.run(
          """
          SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE d.datname = current_database() AND NOT granted AND relation = 'parcel'::regclass
          """) != [["0"]]
      }
      #expect(try await database.run("SELECT count(*) FROM parcel") == [["1"]])
      _ = try await reader.run { try $0.execute("COMMIT") }
      await reader.close()
      await installing.value
      #expect(try await database.run("SELECT sectile_rev FROM parcel") == [["0"]])
    }

    @Test func tablesThatAreReadyAreNotWaitedFor() async throws {
      let database = try await TestDatabase(Self.sql + "CREATE TABLE other (id int PRIMARY KEY);")
      let hub = try await database.hub(installing: ["parcel"])
      let reader = try await transaction(database, "SELECT * FROM parcel")
      #expect(try await hub.install(["parcel", "other"]))
      await reader.close()
      #expect(try await !hub.install(["parcel", "other"]))
    }

    @Test func planSaysWhatWouldBeDone() async throws {
      let database = try await TestDatabase(
        Self.sql + "ALTER TABLE parcel ADD COLUMN at regclass;")
      let hub = try PostgresHub(connection: database.connection(), name: database.name)
      let plan = try await hub.installationPlan(for: ["parcel"])
      #expect(
        plan.steps.map(\.summary) == [
          "create the schema sectile with the hub's tables",
          "add the column sectile_rev and its trigger to public.parcel",
        ])
      #expect(
        plan.notes == [
          "The table parcel has columns that replicas do not have: at (regclass). "
            + "Subscribe to its other columns."
        ])
      #expect(try await hubCount(database) == [["0"]])
      // It is what is done.
      try await database.run(plan.sql)
      #expect(try await !hub.install(["parcel"]))
      #expect(try await hub.installationPlan(for: ["parcel"]).steps.isEmpty)
      // A partition that lost its trigger is seen.
      try await database.run(
        """
        CREATE TABLE ev (id int, day int, PRIMARY KEY (id, day)) PARTITION BY LIST (day);
        CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1);
        """)
      #expect(try await hub.install(["ev"]))
      #expect(try await !hub.install(["ev"]))
      try await database.run("ALTER TABLE ev1 DISABLE TRIGGER sectile_revision")
      #expect(try await hub.installationPlan(for: ["ev"]).steps.count == 1)
    }

    /// What cannot be had is found out before the first table is changed, by the SQL as well.
    @Test(arguments: [
      "CREATE VIEW other AS SELECT 1 AS id", "CREATE TABLE other (id int)",
      "CREATE UNLOGGED TABLE other (id int PRIMARY KEY)", "SELECT 1",
    ])
    func nothingIsChangedWhereOneTableCannotBeHad(_ sql: String) async throws {
      let database = try await TestDatabase(Self.sql + sql)
      let hub = try PostgresHub(connection: database.connection(), name: database.name)
      #expect(await code { try await hub.install(["parcel", "other"]) } != nil)
      await #expect(throws: PostgresError.self) {
        try await database.run(hub.installationSQL(for: ["parcel", "other"]))
      }
      #expect(try await hubCount(database) == [["0"]])
    }

    @Test func roleThatIsNotThereIsToldBefore() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try PostgresHub(connection: database.connection(), name: database.name)
      #expect(
        await code { try await hub.install(["parcel"], role: "nobody here") }
          == .invalidSubscription)
      await #expect(throws: PostgresError.self) {
        try await database.run(hub.installationSQL(for: ["parcel"], role: "nobody here"))
      }
      #expect(try await hubCount(database) == [["0"]])
    }

    /// It would get the column as well.
    @Test func heirOfSomebodyElseIsToldBefore() async throws {
      let database = try await TestDatabase(Self.sql)
      let owner = "owner_\(database.name)"
      try await database.run(
        """
        CREATE ROLE \(owner) LOGIN; GRANT CREATE ON DATABASE \(database.name) TO \(owner);
        CREATE TABLE child () INHERITS (parcel); ALTER TABLE parcel OWNER TO \(owner);
        """)
      let hub = try await database.hub(user: owner)
      #expect(await code { try await hub.install(["parcel"]) } == .notPermitted)
      #expect(try await hubCount(database) == [["0"]])
      try await database.run("ALTER TABLE child OWNER TO \(owner)")
      #expect(try await hub.install(["parcel"]))
    }

    private func hubCount(_ database: TestDatabase) async throws -> [[String?]] {
      try await database.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'sectile'")
    }

    /// A connection with an open transaction.
    private func transaction(
      _ database: TestDatabase, _ sql: String
    ) async throws -> PostgresConnection {
      let connection = try PostgresConnection(
        PostgresTarget(
          connection: database.connection(), applicationName: "test",
          connectTimeout: .seconds(10)), reconnects: false)
      _ = try await connection.run { try $0.execute("BEGIN; \(sql)") }
      return connection
    }

    @Test func failedInstallationLeavesNothing() async throws {
      let database = try await TestDatabase("CREATE VIEW parcel AS SELECT 1 AS id")
      let hub = try PostgresHub(connection: database.connection(), name: database.name)
      #expect(await code { try await hub.install(["parcel"]) } == .invalidSubscription)
      #expect(
        try await database.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'sectile'")
          == [["0"]])
    }

    @Test func roleWithoutRightsIsTold() async throws {
      let database = try await TestDatabase(Self.sql)
      let role = "guest_\(database.name)"
      try await database.run("CREATE ROLE \(role) LOGIN")
      let hub = try await database.hub(user: role)
      func hint(_ body: () async throws -> Void) async -> String? {
        do {
          try await body()
          return nil
        } catch {
          guard let error = error as? HubError, error.code == .notPermitted else { return nil }
          return error.hint
        }
      }
      let installing = await hint { try await hub.install(["parcel"]) }
      #expect(installing?.contains("CREATE SCHEMA IF NOT EXISTS sectile") == true)
      let describing = await hint { _ = try await hub.describe(["parcel"]) }
      #expect(describing?.contains("GRANT SELECT") == true)
      // Somebody who may runs what it says; the role follows and writes after that.
      try await database.run(hub.installationSQL(for: ["parcel"], role: role))
      try await hub.install(["parcel"])
      let tables = try await hub.describe(["parcel"])
      let publishing = await hint { _ = try await hub.snapshot(of: tables) }
      #expect(publishing?.contains("CREATE PUBLICATION") == true)
      try await database.run(try await hub.publicationSQL(for: tables))
      let snapshot = try await hub.snapshot(of: tables)
      var model = ReplicaModel(tables)
      try await model.read(snapshot)
      #expect(model.rows["parcel"]?.count == 1)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      let mutation = Mutation(
        id: MutationID(client: "guest", number: 1),
        changes: [.insert(table: "parcel", values: ["id": 2])])
      #expect(try await hub.perform(mutation) == .applied)
      try await hub.heartbeat()
      try await model.follow(stream, to: try await hub.position())
      #expect(model.rows["parcel"]?.count == 2)
      await stream.close()
      // What somebody else has made is shared, and not the role's to drop.
      try await hub.detach()
      #expect(try await database.run("SELECT count(*) FROM pg_publication") == [["1"]])
    }

    @Test func tableThatMayNotBeWrittenToIsARefusal() async throws {
      let database = try await TestDatabase(Self.sql + "CREATE TABLE closed (id int PRIMARY KEY);")
      let role = "guest_\(database.name)"
      let owner = try await database.hub(installing: ["parcel", "closed"])
      try await database.run("CREATE ROLE \(role) LOGIN")
      let hub = try await database.hub(user: role)
      let mutation = Mutation(
        id: MutationID(client: "guest", number: 1),
        changes: [.insert(table: "closed", values: ["id": 2])])
      #expect(await code { _ = try await hub.perform(mutation) } == .notPermitted)
      try await database.run(owner.installationSQL(for: ["parcel"], role: role))
      let outcome = try await hub.perform(mutation)
      guard case .rejected(let rejection) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      #expect(rejection.kind == .notPermitted)
      #expect(try await hub.perform(mutation) == outcome)
    }

    @Test func roleWithoutReplicationIsTold() async throws {
      let database = try await TestDatabase(Self.sql)
      let owner = try await database.hub(installing: ["parcel"])
      let role = "guest_\(database.name)"
      try await database.run("CREATE ROLE \(role) LOGIN")
      try await database.run(owner.installationSQL(for: ["parcel"], role: role))
      try await database.run("ALTER ROLE \(role) NOREPLICATION")
      let hub = try await database.hub(user: role)
      let tables = try await hub.describe(["parcel"])
      try await database.run(try await hub.publicationSQL(for: tables))
      do {
        _ = try await hub.snapshot(of: tables)
        Issue.record("a slot was made")
      } catch let error as HubError {
        #expect(error.code == .notPermitted, "\(error)")
        #expect(error.hint?.contains("ALTER ROLE \"\(role)\" REPLICATION") == true)
      }
    }
  }
#endif
