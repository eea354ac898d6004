#if Postgres
  import SectileHub
  import SectileStore
  import SectileTestHelpers
  import Testing

  /// What is done to tables at the hub without a commit that tells it.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct DefinitionTests {
    /// Something that is done to the tables.
    struct Deed: CustomTestStringConvertible, Sendable {
      let testDescription: String
      let statements: [String]

      init(_ name: String, _ statements: String...) {
        (testDescription, self.statements) = (name, statements)
      }
    }

    private static let sql = """
      CREATE TYPE mood AS ENUM ('sad', 'happy');
      CREATE DOMAIN feeling AS mood;
      CREATE TYPE tone AS ENUM ('low', 'high');
      CREATE TYPE pair AS (a int, b tone);
      CREATE TABLE p (id int PRIMARY KEY, a int DEFAULT 1, t text, n numeric(12, 4), m feeling,
        s tone[] DEFAULT '{low}', c pair DEFAULT '(1,high)');
      INSERT INTO p SELECT i, i, 'text ' || i, 1.2345, 'sad' FROM generate_series(1, 9) i;
      CREATE TABLE ev (id int, day int, PRIMARY KEY (id, day)) PARTITION BY LIST (day);
      CREATE TABLE ev1 PARTITION OF ev FOR VALUES IN (1);
      CREATE TABLE ev2 PARTITION OF ev FOR VALUES IN (2);
      INSERT INTO ev SELECT i, 1 + i % 2 FROM generate_series(1, 9) i;
      """

    static let deeds: [Deed] = [
      Deed("truncate a partition", "TRUNCATE ev1"), Deed("drop a partition", "DROP TABLE ev1"),
      Deed("detach a partition", "ALTER TABLE ev DETACH PARTITION ev1"),
      Deed(
        "detach and attach it again", "ALTER TABLE ev DETACH PARTITION ev1",
        "DELETE FROM ev1 WHERE id < 5", "ALTER TABLE ev ATTACH PARTITION ev1 FOR VALUES IN (1)",
        "TRUNCATE ev1"),
      Deed(
        "attach a partition with rows", "CREATE TABLE ev3 (LIKE ev INCLUDING ALL)",
        "INSERT INTO ev3 VALUES (100, 3)", "ALTER TABLE ev ATTACH PARTITION ev3 FOR VALUES IN (3)"),
      Deed(
        "another type of the same family",
        "ALTER TABLE p ALTER COLUMN t TYPE varchar USING upper(t)"),
      Deed("a larger integer", "ALTER TABLE p ALTER COLUMN a TYPE bigint USING a * 100"),
      Deed("the same type", "ALTER TABLE p ALTER COLUMN t TYPE text USING upper(t)"),
      Deed("fewer digits", "ALTER TABLE p ALTER COLUMN n TYPE numeric(10, 1)"),
      Deed("another name of a value", "ALTER TYPE mood RENAME VALUE 'sad' TO 'blue'"),
      Deed("another name of a value in arrays", "ALTER TYPE tone RENAME VALUE 'low' TO 'deep'"),
      Deed(
        "another name of a value in composite values",
        "ALTER TYPE tone RENAME VALUE 'high' TO 'shrill'"),
      Deed("one more attribute", "ALTER TYPE pair ADD ATTRIBUTE c int"),
      Deed(
        "another column of the name",
        "BEGIN; ALTER TABLE p DROP COLUMN a; ALTER TABLE p ADD COLUMN a int DEFAULT 5; COMMIT"),
      Deed(
        "another table of the name", "CREATE TABLE p_new (LIKE p INCLUDING ALL)",
        "INSERT INTO p_new SELECT id + 50, a, t, n, m FROM p",
        "BEGIN; ALTER TABLE p RENAME TO p_old; ALTER TABLE p_new RENAME TO p; COMMIT"),
      Deed(
        "another table of the name, and the old one is gone",
        "CREATE TABLE p_new (LIKE p INCLUDING ALL)",
        "BEGIN; DROP TABLE p; ALTER TABLE p_new RENAME TO p; COMMIT"),
      Deed("a table is not published any more", "ALTER PUBLICATION REPLICA DROP TABLE ONLY p"),
      Deed(
        "some rows are published",
        "ALTER PUBLICATION REPLICA SET TABLE ONLY p WHERE (id > 5), ev"),
      Deed("inserts are published", "ALTER PUBLICATION REPLICA SET (publish = 'insert')"),
    ]

    @Test(arguments: deeds)
    func replicaIsTheHubAtTheNextHeartbeat(_ deed: Deed) async throws {
      let (database, bench) = try await Self.bench()
      let replica = try await bench.open { $0.heartbeatInterval = .milliseconds(50) }
      try await bench.follows(replica)
      try await bench.catchUp(replica)
      #expect(bench.resyncs.count == 1)
      try await Self.run(deed, database)
      try await soon("rows were compared") { bench.resyncs.count > 1 }
      // Everybody may write, and it arrives.
      try await database.run(
        "UPDATE p SET t = 'after'; DELETE FROM ev WHERE id = 8; INSERT INTO p (id) VALUES (1000)")
      try await replica.catchUp()
      try await bench.expectEqual(replica)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test(arguments: deeds)
    func replicaIsTheHubWhenItConnects(_ deed: Deed) async throws {
      let (database, bench) = try await Self.bench()
      try await bench.open().close()
      try await Self.run(deed, database)
      let replica = try await bench.open()
      try await replica.catchUp()
      #expect(bench.resyncs.count == 2)
      try await bench.expectEqual(replica)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func tableThatIsMovedIsTold() async throws {
      let (database, bench) = try await Self.bench()
      let replica = try await bench.open { $0.heartbeatInterval = .milliseconds(50) }
      try await bench.follows(replica)
      try await database.run("CREATE SCHEMA elsewhere; ALTER TABLE p SET SCHEMA elsewhere")
      try await soon("it is told") {
        if case .waiting(let error as HubError, _) = replica.status.phase {
          error.code == .noSuchTable
        } else {
          false
        }
      }
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func whatChangesNothingIsNoReasonToCompare() async throws {
      let (database, bench) = try await Self.bench()
      let replica = try await bench.open()
      try await bench.follows(replica)
      try await database.run(each: [
        "CREATE INDEX ON p (t)", "ANALYZE", "VACUUM", "ALTER TABLE p ADD COLUMN other int",
        "ALTER TABLE p ADD CHECK (id > 0)", "CREATE TABLE p2 (id int PRIMARY KEY)",
        "UPDATE p SET t = 'x'", "DELETE FROM p WHERE id = 3",
      ])
      for _ in 0..<3 { try await replica.catchUp() }
      #expect(bench.resyncs.count == 1)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func fileWithoutADefinitionIsComparedOnce() async throws {
      let (_, bench) = try await Self.bench()
      let first = try await bench.open()
      try await first.catchUp()
      try await first.close()
      // As an earlier version left it.
      let store = try await Store.open(at: bench.path)
      try await store.write { transaction in
        try transaction.execute(
          "UPDATE sectile_replica SET token = substr(token, 1, length(token) - 17)")
      }
      try await store.close()
      for _ in 0..<2 {
        let replica = try await bench.open()
        try await replica.catchUp()
        #expect(bench.resyncs.count == 2)
        try await replica.close()
      }
      #expect(bench.resyncs.last?.reason == .tablesChanged)
      try await bench.hub.detach()
    }

    private static func bench() async throws -> (TestDatabase, PostgresReplica) {
      let database = try await TestDatabase(sql)
      return (database, try await PostgresReplica(of: database, ["p", "ev"]))
    }

    private static func run(_ deed: Deed, _ database: TestDatabase) async throws {
      let found = try await database.run("SELECT quote_ident(pubname) FROM pg_publication")
      let row = try #require(found.first)
      let name = try #require(row[0])
      try await database.run(each: deed.statements.map { $0.replacing("REPLICA", with: name) })
    }
  }
#endif
