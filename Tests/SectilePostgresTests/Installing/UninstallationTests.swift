#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct UninstallationTests {
    private static let tables = ["parcel", "ev", "child"]
    private static let sql = """
      CREATE TABLE parcel (id int PRIMARY KEY, title text); INSERT INTO parcel VALUES (1, 'one');
      CREATE TABLE ev (id int, day int, PRIMARY KEY (id, day)) PARTITION BY LIST (day);
      CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1);
      CREATE TABLE child () INHERITS (parcel); ALTER TABLE child ADD PRIMARY KEY (id);
      """
    /// What there is of a hub in a database, counted.
    private static let traces = """
      SELECT (SELECT count(*) FROM pg_publication),
        (SELECT count(*) FROM pg_replication_slots WHERE database = current_database()),
        (SELECT count(*) FROM pg_trigger WHERE tgname = 'sectile_revision'),
        (SELECT count(*) FROM pg_attribute WHERE attname = 'sectile_rev' AND NOT attisdropped),
        (SELECT count(*) FROM pg_namespace WHERE nspname = 'sectile'),
        (SELECT count(*) FROM pg_proc WHERE proname = 'next_revision')
      """
    private static let none: [[String?]] = [["0", "0", "0", "0", "0", "0"]]

    @Test func everythingIsTakenBack() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: Self.tables)
      let tables = try await hub.describe(["parcel", "ev"])
      var model = ReplicaModel(tables)
      let snapshot = try await hub.snapshot(of: tables)
      let token = snapshot.token
      try await model.read(snapshot)
      let stream = try await hub.stream(after: token, of: tables)
      // One that somebody made for machines without rights.
      let other = try await database.hub("\(database.name)_b")
      let parcels = try await other.describe(["parcel"])
      try await database.run(try await other.publicationSQL(for: parcels))
      let before = try await database.run(Self.traces)
      #expect(before == [["2", "1", "4", "4", "1", "1"]])

      let plan = try await hub.uninstallationPlan()
      #expect(try await database.run(Self.traces) == before)
      #expect(plan.steps.count == 6)
      #expect(plan.notes.isEmpty)
      #expect(try await hub.uninstall() == plan)
      #expect(try await database.run(Self.traces) == Self.none)
      #expect(try await database.run("SELECT * FROM ONLY parcel") == [["1", "one"]])
      await #expect(throws: HubError.self) {
        while true { _ = try await stream.next(limit: 10) }
      }
      await stream.close()
      // Nothing makes it anew, and whoever wants it does.
      #expect(await code { _ = try await hub.snapshot(of: parcels) } != nil)
      #expect(try await hub.uninstall().steps.isEmpty)
      try await hub.detach()
      #expect(try await database.run(Self.traces) == Self.none)
      #expect(try await hub.install(["parcel"]))
      let again = try await hub.describe(["parcel"])
      await (try await hub.snapshot(of: again)).close()
      try await hub.uninstall()
      #expect(try await database.run(Self.traces) == Self.none)
    }

    @Test func rolesThatAreNamedLoseTheirRights() async throws {
      let database = try await TestDatabase(Self.sql)
      let role = "guest_\(database.name)"
      try await database.run("CREATE ROLE \(role) LOGIN")
      let hub = try await database.hub()
      try await hub.install(["parcel"], role: role)
      let rights = """
        SELECT rolreplication, has_table_privilege(rolname, 'parcel', 'SELECT'),
          has_table_privilege(rolname, 'parcel', 'DELETE') FROM pg_roles WHERE rolname = '\(role)'
        """
      #expect(try await database.run(rights) == [["t", "t", "t"]])
      #expect(
        try await hub.uninstallationPlan().notes
          == ["The role \(role) keeps REPLICATION and its rights on the tables."])
      #expect(
        await code { try await hub.uninstall(revoking: [role, "nobody here"]) }
          == .invalidSubscription)
      #expect(try await database.run(rights) == [["t", "t", "t"]])
      // The owner of a table keeps what is its own.
      let plan = try await hub.uninstall(revoking: [role, "app"])
      #expect(plan.notes.isEmpty)
      #expect(plan.steps.last?.summary == "take REPLICATION from the role \(role)")
      #expect(try await database.run(rights) == [["f", "f", "f"]])
      #expect(try await database.run("SELECT title FROM parcel") == [["one"]])
      let owner = try await database.run(
        "SELECT rolreplication, has_table_privilege('parcel', 'SELECT') FROM pg_roles WHERE rolname = 'app'"
      )
      #expect(owner == [["t", "t"]])
    }

    @Test func whoMayNotIsGivenTheSQL() async throws {
      let database = try await TestDatabase(Self.sql)
      let role = "guest_\(database.name)"
      try await database.run("CREATE ROLE \(role) LOGIN")
      _ = try await database.hub(installing: ["parcel"])
      let before = try await database.run(Self.traces)
      let hub = try await database.hub(user: role)
      // It may look.
      #expect(try await hub.uninstallationPlan().steps.count == 3)
      let error = await #expect(throws: HubError.self) { try await hub.uninstall() }
      #expect(error?.code == .notPermitted)
      #expect(try await database.run(Self.traces) == before)
      let sql = try #require(error?.hint?.split(separator: ": ", maxSplits: 1).last)
      try await database.run(String(sql))
      #expect(try await database.run(Self.traces) == Self.none)
    }

    /// Who owns the tables may still not end streams, and not take REPLICATION from a role.
    @Test func whatAnOwnerMayNotDoIsToldBeforeAnythingIsDone() async throws {
      let database = try await TestDatabase("CREATE TABLE parcel (id int PRIMARY KEY)")
      let (role, owner) = ("guest_\(database.name)", "owner_\(database.name)")
      try await database.run(
        """
        CREATE ROLE \(role) LOGIN; CREATE ROLE \(owner) LOGIN;
        GRANT CREATE ON DATABASE \(database.name) TO \(owner); ALTER TABLE parcel OWNER TO \(owner);
        """)
      let hub = try await database.hub(user: owner)
      #expect(
        await code { try await hub.install(["parcel"], role: role) } == .notPermitted)
      #expect(try await database.run(Self.traces) == Self.none)
      try await database.run("ALTER ROLE \(role) REPLICATION")
      try await hub.install(["parcel"], role: role)
      let before = try await database.run(Self.traces)

      #expect(await code { try await hub.uninstall(revoking: [role]) } == .notPermitted)
      #expect(try await database.run(Self.traces) == before)
      let slot = "sectile_\(database.name)_0011aabb"
      try await database.run("SELECT pg_create_logical_replication_slot('\(slot)', 'pgoutput')")
      let error = await #expect(throws: HubError.self) { try await hub.uninstall() }
      #expect(error?.code == .notPermitted)
      #expect(error?.message.hasSuffix("the user may not drop the slot \(slot)") == true)
      #expect(try await database.run("SELECT count(*) FROM sectile.client") == [["0"]])
      try await database.run("SELECT pg_drop_replication_slot('\(slot)')")
      try await hub.uninstall()
      #expect(try await database.run(Self.traces) == Self.none)
    }

    @Test func viewsAreAskedForBefore() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      try await database.run("CREATE VIEW all_of_it AS SELECT * FROM parcel")
      let before = try await database.run(Self.traces)
      let error = await #expect(throws: HubError.self) { try await hub.uninstall() }
      #expect(
        error?.message == "the view all_of_it reads the column sectile_rev of parcel")
      #expect(try await database.run(Self.traces) == before)
      try await database.run("DROP VIEW all_of_it; CREATE VIEW few AS SELECT id FROM parcel")
      try await hub.uninstall()
      #expect(try await database.run("SELECT * FROM few") == [["1"]])
    }

    /// What others have put into the schema is theirs, and so are columns without the trigger.
    @Test func whatOthersMadeStays() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel", "ev"])
      try await database.run("DROP TRIGGER sectile_revision ON ev")
      try await database.run("CREATE TABLE sectile.notes (text text)")
      #expect(
        try await hub.uninstallationPlan().notes
          == ["The table ev keeps its column sectile_rev: it has no trigger of the hub."])
      #expect(await code { try await hub.uninstall() } == .invalidSubscription)
      #expect(try await database.run("SELECT count(*) FROM sectile.notes") == [["0"]])
      try await database.run("DROP TABLE sectile.notes")
      // It goes on where it was.
      #expect(try await hub.uninstall().steps.count == 2)
      #expect(try await database.run("SELECT sectile_rev FROM ev").isEmpty)
      #expect(
        try await database.run("SELECT count(*) FROM pg_namespace WHERE nspname = 'sectile'")
          == [["0"]])
    }
  }
#endif
