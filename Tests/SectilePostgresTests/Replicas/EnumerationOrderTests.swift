#if Postgres
  import SectileCore
  import SectileHub
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  /// Rows in the order that an enumeration of the hub has, by an expression that the hub writes.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct EnumerationOrderTests {
    private struct Job: Entity, Hashable {
      static let schema = EntitySchema<Job>(
        "job", primaryKey: "id", attributes: .init("id", \.id), .init("state", \.state))

      var id: Int64
      var state: String?

      init(row: inout RowReader) throws { (id, state) = try (row.next(), row.next()) }

      func write(to row: inout RowWriter) throws {
        try row.append(id)
        try row.append(state)
      }
    }

    /// As it stands in Hub.md.
    private static let writing = """
      SELECT 'CASE "job"."state" '
        || string_agg(format('WHEN ''%s'' THEN %s', replace(label::text, '''', ''''''), place), ' ' ORDER BY place)
        || ' ELSE ' || count(*) + 1 || ' END'
      FROM unnest(enum_range(NULL::job_state)) WITH ORDINALITY AS state(label, place);
      """

    /// The request whose order the hub tells at this moment.
    private func request(_ database: TestDatabase) async throws -> FetchRequest<Job> {
      let found = try await database.run(Self.writing)
      let order = try #require(found.first?.first ?? nil)
      return FetchRequest<Job>()
        .sort(by: { _ in FieldExpression<Int>(SQLFragment(order)) }).sort(by: \.id)
    }

    @Test func rowsHaveTheOrderOfTheLabels() async throws {
      let database = try await TestDatabase(
        """
        CREATE TYPE job_state AS ENUM ('waiting', 'it''s running', 'done', 'archived');
        CREATE TABLE job (id int PRIMARY KEY, state job_state);
        INSERT INTO job VALUES (1, 'archived'), (2, 'done'), (3, NULL), (4, 'waiting'),
          (5, 'it''s running'), (6, 'waiting');
        """)
      let bench = try await PostgresReplica(of: database, ["job"])
      let replica = try await bench.open()
      try await bench.follows(replica)
      let first = try await request(database)
      let results = try replica.store.results(of: first)
      let recorder = ChangeRecorder<Int64, Job>()
      results.delegate = recorder
      try await results.load()
      let ids = try await replica.store.read { try $0.fetchAll(first).map(\.id) }
      #expect(ids == [4, 6, 5, 2, 1, 3])
      try await database.run("UPDATE job SET state = 'done' WHERE id = 4")
      try await bench.catchUp(replica)
      let moved = try await replica.store.read { try $0.fetchAll(first).map(\.id) }
      #expect(moved == [6, 5, 2, 4, 1, 3])
      try recorder.check(against: results)
      #expect(recorder.changesets.last?.moves.count == 1)
      // A label that the expression does not know comes behind those that it knows, as NULL does.
      try await database.run(each: [
        "ALTER TYPE job_state ADD VALUE 'paused' BEFORE 'done'",
        "INSERT INTO job VALUES (7, 'paused')",
      ])
      try await bench.catchUp(replica)
      let unknown = try await replica.store.read { try $0.fetchAll(first).map(\.id) }
      #expect(unknown == [6, 5, 2, 4, 1, 3, 7])
      let second = try await request(database)
      let known = try await replica.store.read { try $0.fetchAll(second).map(\.id) }
      #expect(known == [6, 5, 7, 2, 4, 1, 3])
      try await replica.close()
      try await bench.hub.detach()
    }
  }
#endif
