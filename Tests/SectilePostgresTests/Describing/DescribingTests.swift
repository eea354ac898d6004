#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct DescribingTests {
    private static let sql = """
      CREATE SCHEMA other;
      CREATE TYPE mood AS ENUM ('sad', 'happy');
      CREATE DOMAIN positive AS int4 CHECK (VALUE > 0);
      CREATE TABLE parcel (
        depot int, number bigint, at timestamptz NOT NULL, day date, weight numeric(10, 2), mood mood,
        size positive, data bytea, info jsonb, tag uuid, ok bool, ratio float4, double int
        GENERATED ALWAYS AS (depot * 2) STORED, PRIMARY KEY (number, depot));
      CREATE TABLE other."Odd ""name" (id int PRIMARY KEY);
      CREATE TABLE keyless (id int);
      CREATE TABLE place (id int PRIMARY KEY, at regclass, note text);
      CREATE VIEW seen AS SELECT * FROM parcel;
      CREATE UNLOGGED TABLE unlogged (id int PRIMARY KEY);
      CREATE TABLE silent (id int PRIMARY KEY);
      ALTER TABLE silent REPLICA IDENTITY NOTHING;
      CREATE TABLE whole (id int PRIMARY KEY, a int, b int);
      ALTER TABLE whole REPLICA IDENTITY FULL;
      """

    @Test func tableIsDescribed() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub()
      let tables = try await hub.describe(["parcel", "other.Odd \"name"])
      #expect(
        tables[0]
          == SyncedTable(
            name: "parcel",
            columns: [
              .init("depot", .integer), .init("number", .integer), .init("at", .timestamp),
              .init("day", .date, isNullable: true), .init("weight", .numeric, isNullable: true),
              .init("mood", .text, isNullable: true), .init("size", .integer, isNullable: true),
              .init("data", .bytes, isNullable: true), .init("info", .json, isNullable: true),
              .init("tag", .uuid, isNullable: true), .init("ok", .boolean, isNullable: true),
              .init("ratio", .double, isNullable: true),
            ], key: ["number", "depot"]))
      #expect(tables[1].name == "other.Odd \"name")
      #expect(tables[1].key == ["id"])
      let some = TableSubscription(
        "parcel", columns: ["day", "number", "depot"], where: "depot = 7")
      let described = try await hub.describe([some])
      #expect(described[0].columns.map(\.name) == ["depot", "number", "day"])
      #expect(described[0].condition == "depot = 7")
    }

    static let wrong: [(TableSubscription, HubError.Code)] = [
      ("nothing", .noSuchTable), ("odd.parcel", .noSuchTable), ("Parcel", .noSuchTable),
      ("keyless", .noPrimaryKey), ("place", .unsupportedType), ("seen", .invalidSubscription),
      ("unlogged", .invalidSubscription), ("silent", .invalidSubscription),
      (TableSubscription("parcel", columns: ["number"]), .invalidSubscription),
      (TableSubscription("parcel", columns: ["number", "depot", "none"]), .invalidSubscription),
      (TableSubscription("parcel", columns: ["number", "depot", "double"]), .invalidSubscription),
      (TableSubscription("parcel", where: "depot ="), .invalidSubscription),
      (TableSubscription("parcel", where: "none = 1"), .invalidSubscription),
      (TableSubscription("parcel", where: "true); DROP TABLE keyless; --"), .invalidSubscription),
      (TableSubscription("whole", columns: ["id", "a"]), .invalidSubscription),
    ]

    @Test func whatCannotBeHadIsRefused() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub()
      for (subscription, expected) in Self.wrong {
        let found = await code { _ = try await hub.describe([subscription]) }
        #expect(found == expected, "\(subscription)")
      }
      #expect(
        await code { _ = try await hub.describe(["whole", "whole"]) } == .invalidSubscription)
      // The other columns can be had.
      #expect(
        try await hub.describe([TableSubscription("place", columns: ["id", "note"])])[0].columns
          .count
          == 2)
      #expect(try await database.run("SELECT count(*) FROM keyless") == [["0"]])
    }

    @Test func oneTableUnderTwoNamesIsRefused() async throws {
      let database = try await TestDatabase(
        "CREATE TABLE k (id int PRIMARY KEY); "
          + "CREATE TABLE ev (id int, day int, PRIMARY KEY (id, day)) PARTITION BY LIST (day); "
          + "CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1) PARTITION BY LIST (id); "
          + "CREATE TABLE ev11 PARTITION OF ev1 FOR VALUES IN (1)")
      let hub = try await database.hub()
      for names in [["k", "public.k"], ["ev", "ev1"], ["ev11", "ev"], ["ev", "public.ev11"]] {
        let found = await code { _ = try await hub.describe(names.map { TableSubscription($0) }) }
        #expect(found == .invalidSubscription, "\(names)")
      }
      #expect(try await hub.describe(["k", "ev11"]).count == 2)
    }

    @Test func unsupportedColumnIsNamed() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub()
      let error = await #expect(throws: HubError.self) { _ = try await hub.describe(["place"]) }
      #expect(
        error?.message
          == "the column at of the table place has the type regclass, which replicas do not have")
      #expect(error?.hint == "Name the other columns in the subscription: id,note")
    }

    @Test func columnThatCannotBeHadIsLeftOutWhereThatIsAskedFor() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub()
      var subscription = TableSubscription("place")
      subscription.omitsUnsupportedColumns = true
      #expect(try await hub.describe([subscription])[0].columns.map(\.name) == ["id", "note"])
      #expect(
        try await hub.omittedColumns(of: ["parcel", subscription]) == ["place.at (regclass)"])
      // An identity of whole rows has it.
      try await database.run("ALTER TABLE place REPLICA IDENTITY FULL")
      #expect(await code { _ = try await hub.describe([subscription]) } == .invalidSubscription)
    }

    @Test func uniqueIndexIsTheKeyWhereItIsTheIdentity() async throws {
      let database = try await TestDatabase(
        "CREATE TABLE tag (name text NOT NULL, parcel int NOT NULL, note text, UNIQUE (parcel, name));"
      )
      let hub = try await database.hub()
      #expect(await code { _ = try await hub.describe(["tag"]) } == .noPrimaryKey)
      #expect(await code { try await hub.install(["tag"]) } == .noPrimaryKey)
      try await database.run(
        "ALTER TABLE tag REPLICA IDENTITY USING INDEX tag_parcel_name_key; "
          + hub.installationSQL(for: ["tag"]))
      let tables = try await hub.describe(["tag"])
      #expect(tables[0].key == ["parcel", "name"])
      let insertion = RowMutation.insert(table: "tag", values: ["name": "a", "parcel": 1])
      let mutation = Mutation(id: MutationID(client: "c", number: 1), changes: [insertion])
      #expect(try await hub.perform(mutation) == .applied)
      #expect(
        try await hub.contents(of: tables, as: "\(hub.name)_x")["tag"]?.keys.first == [1, "a"])
    }

    @Test func dotInANameIsRefusedWithTheWayRound() async throws {
      let database = try await TestDatabase(#"CREATE TABLE "a.b" (id int PRIMARY KEY);"#)
      let hub = try await database.hub()
      let error = await #expect(throws: HubError.self) { _ = try await hub.describe(["a.b"]) }
      #expect(error?.code == .invalidSubscription)
      #expect(error?.hint?.contains(#"ALTER TABLE "a.b" RENAME TO "a_b";"#) == true)
      #expect(await code { try await hub.install(["a.b"]) } == .invalidSubscription)
    }

    @Test func formsOfNumbersAreThoseOfNumericColumns() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub()
      func described(
        _ column: String, _ form: TableSubscription.NumericForm
      ) async throws -> SyncedTable.Column? {
        var subscription = TableSubscription("parcel")
        subscription.numericForms[column] = form
        return try await hub.describe([subscription])[0].columns.first { $0.name == column }
      }
      #expect(
        try await described("weight", .decimal(scale: 2))
          == SyncedTable.Column("weight", .integer, isNullable: true, scale: 2))
      #expect(
        try await described("weight", .real)
          == SyncedTable.Column("weight", .double, isNullable: true))
      #expect(
        try await described("ratio", .real)
          == SyncedTable.Column("ratio", .double, isNullable: true))
      for (column, form) in [
        ("weight", .decimal(scale: 19)), ("weight", .decimal(scale: -1)), ("ratio", .text),
        ("number", .decimal(scale: 2)), ("nothing", .real),
      ] as [(String, TableSubscription.NumericForm)] {
        let found = await code { _ = try await described(column, form) }
        #expect(found == .invalidSubscription, "\(column) \(form)")
      }
    }

    @Test func conditionThatWouldStopWritersIsRefused() async throws {
      let database = try await TestDatabase(Self.sql)
      let hub = try await database.hub(installing: ["parcel"])
      let subscription = TableSubscription("parcel", where: "parcel.day > '2026-01-01'")
      #expect(await code { _ = try await hub.describe([subscription]) } == .invalidSubscription)
      // One that names the schema is found out when it is published.
      let tables = try await hub.describe([
        TableSubscription("parcel", where: "public.parcel.day > '2026-01-01'")
      ])
      #expect(await code { _ = try await hub.snapshot(of: tables) } == .invalidSubscription)
      // Nothing of it is left: rows can be changed.
      try await database.run(
        "INSERT INTO parcel VALUES (1, 1, now()); UPDATE parcel SET day = '2026-02-02'; DELETE FROM parcel"
      )
      #expect(try await database.run("SELECT count(*) FROM pg_publication") == [["0"]])
    }

    @Test(arguments: ["", "Upper", "a-b", "é", String(repeating: "a", count: 41)])
    func replicaNamesAreThoseOfSlots(_ name: String) {
      let error = #expect(throws: HubError.self) { _ = try PostgresHub(connection: "", name: name) }
      #expect(error?.code == .invalidSubscription)
    }
  }
#endif
