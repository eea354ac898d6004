#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  /// How often a mutation waits for the server, and what becomes of those that are sent at once.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct RoundTripTests {
    private static let sql = """
      CREATE TABLE depot (id int PRIMARY KEY);
      CREATE TABLE parcel (
        id bigint PRIMARY KEY, depot int REFERENCES depot DEFERRABLE INITIALLY DEFERRED,
        title text, due timestamptz, day date, weight float8);
      INSERT INTO depot VALUES (1);
      INSERT INTO parcel
        SELECT n, 1, 'new', '2026-11-30', 'infinity', 1.5 FROM generate_series(1, 40) AS n;
      """

    private let database: TestDatabase
    private let relay: CountingRelay
    private let hub: PostgresHub

    init() async throws {
      database = try await TestDatabase(Self.sql)
      _ = try await database.hub(installing: ["parcel", "depot"])
      relay = try CountingRelay(to: database)
      hub = try PostgresHub(
        connection: relay.connection(database), name: database.name, options: .impatient)
      // The session is there, and the tables are known.
      _ = try await hub.perform([
        mutation("warm", Self.title(40, "warm")),
        mutation("warm2", .insert(table: "depot", values: ["id": 2])),
      ])
    }

    private func end() async {
      await hub.close()
      relay.end()
    }

    private static func title(
      _ id: Int, _ title: String, revision: Int64? = nil
    ) -> RowMutation {
      .update(
        table: "parcel", key: [.integer(Int64(id))], revision: revision,
        values: ["title": .text(title)])
    }

    private func mutation(
      _ client: String, _ changes: RowMutation..., number: Int64 = 1
    ) -> Mutation {
      Mutation(id: MutationID(client: client, number: number), changes: changes)
    }

    private func titles(_ ids: ClosedRange<Int>) async throws -> [String?] {
      let range = "\(ids.lowerBound) AND \(ids.upperBound)"
      return try await database.run(
        "SELECT title FROM parcel WHERE id BETWEEN \(range) ORDER BY id"
      ).map { $0[0] }
    }

    @Test func mutationIsOneRoundTrip() async throws {
      let before = relay.turnCount
      for number in 1...10 {
        let outcome = try await hub.perform(
          mutation(
            "c", Self.title(number, "once"),
            .insert(table: "parcel", values: ["id": .integer(Int64(100 + number)), "depot": 1]),
            .delete(table: "parcel", key: [.integer(Int64(20 + number))], revision: nil),
            number: Int64(number)))
        #expect(outcome == .applied)
      }
      #expect(relay.turnCount - before == 10)
      #expect(try await titles(1...10) == [String?](repeating: "once", count: 10))
      await end()
    }

    @Test func mutationsThatAreSentTogetherAreOneRoundTrip() async throws {
      let before = relay.turnCount
      let mutations = (1...30).map { mutation("c\($0)", Self.title($0, "together")) }
      #expect(
        try await hub.perform(mutations) == [MutationResult](repeating: .applied, count: 30))
      #expect(relay.turnCount - before == 1)
      #expect(try await titles(1...30) == [String?](repeating: "together", count: 30))
      // Each is a transaction of its own.
      let transactions = try await database.run(
        "SELECT count(DISTINCT xmin::text) FROM parcel WHERE title = 'together'")
      #expect(transactions == [["30"]])
      await end()
    }

    @Test func mutationOfManyStatementsIsOneRoundTrip() async throws {
      let changes = (1...30).map { Self.title($0, "many") }
      let before = relay.turnCount
      let many = Mutation(id: MutationID(client: "m", number: 1), changes: changes)
      #expect(try await hub.perform(many) == .applied)
      #expect(relay.turnCount - before == 1)
      #expect(try await titles(1...30) == [String?](repeating: "many", count: 30))
      await end()
    }

    @Test func refusedOneIsFoundOutAndThoseBehindItAreNotPerformedBefore() async throws {
      let stale = mutation("b", Self.title(1, "stale", revision: -1))
      let mutations = [
        mutation("a", Self.title(1, "first")), stale, mutation("c", Self.title(1, "last")),
      ]
      let results = try await hub.perform(mutations)
      #expect(results.count == 2)
      #expect(results.first == .applied)
      guard case .rejected(let rejection)? = results.last else {
        Issue.record("the second is \(String(describing: results.last))")
        return
      }
      #expect(rejection.kind == .conflict)
      #expect(rejection.current?["title"] == "first")
      #expect(try await titles(1...1) == ["first"])
      #expect(try await hub.perform(Array(mutations.dropFirst(2))) == [.applied])
      #expect(try await titles(1...1) == ["last"])
      // The refusal stands, and the session is as it was.
      #expect(try await hub.perform([stale]) == [.rejected(rejection)])
      await end()
    }

    @Test func ruleThatIsCheckedAtTheEndStopsThoseBehindIt() async throws {
      let orphan = RowMutation.update(
        table: "parcel", key: [1], revision: nil, values: ["depot": 77])
      let results = try await hub.perform([
        mutation("a", Self.title(2, "first")), mutation("b", orphan),
        mutation("c", Self.title(2, "last")),
      ])
      #expect(results.count == 2)
      guard case .rejected(let rejection)? = results.last else {
        Issue.record("the second is \(String(describing: results.last))")
        return
      }
      #expect(rejection.kind == .constraint)
      #expect(rejection.change == nil)
      #expect(try await titles(2...2) == ["first"])
      await end()
    }

    @Test func whatIsOnlyOddIsAppliedStepByStep() async throws {
      // It deletes nothing, and leaves a date at the end of what replicas can have.
      let gone = RowMutation.delete(table: "parcel", key: [99], revision: nil)
      let late = RowMutation.update(
        table: "parcel", key: [3], revision: nil, values: ["day": "9999-12-31"])
      #expect(try await hub.perform(mutation("a", gone)) == .applied)
      #expect(try await hub.perform(mutation("b", late)) == .applied)
      let never = RowMutation.update(
        table: "parcel", key: [3], revision: nil, values: ["day": "infinity"])
      let before = relay.turnCount
      #expect(try await hub.perform(mutation("c", never)) == .applied)
      #expect(relay.turnCount - before == 1)
      await end()
    }

    @Test func answersThatAreLostAreAskedForByName() async throws {
      let mutations = (1...5).map { mutation("c\($0)", Self.title($0, "once")) }
      relay.holdAnswers(true)
      let hub = hub
      let performing = Task { try await hub.perform(mutations) }
      try await soon("the last one is committed") {
        try await database.run("SELECT FROM sectile.client WHERE client_id = 'c5'").count == 1
      }
      relay.cut()
      let error = await #expect(throws: HubError.self) { try await performing.value }
      #expect(error?.code == .unavailable)
      relay.holdAnswers(false)
      let counted = "SELECT sum(sectile_rev) FROM parcel"
      let revisions = try await database.run(counted)
      var results: [MutationResult] = []
      while results.count < mutations.count {
        results += try await hub.perform(Array(mutations.dropFirst(results.count)))
      }
      #expect(results == [MutationResult](repeating: .applied, count: 5))
      #expect(try await database.run(counted) == revisions)
      await end()
    }

    @Test func serverThatEndsTheSessionHasDoneWhatItSaid() async throws {
      try await database.run(
        """
        CREATE FUNCTION ends() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
        CREATE TRIGGER ends BEFORE UPDATE ON parcel FOR EACH ROW WHEN (NEW.title = 'end')
          EXECUTE FUNCTION ends();
        """)
      let mutations = [
        mutation("a", Self.title(1, "first")), mutation("b", Self.title(2, "end")),
        mutation("c", Self.title(3, "last")),
      ]
      #expect(try await hub.perform(mutations) == [.applied])
      try await database.run("DROP TRIGGER ends ON parcel")
      // Whoever sends the rest hears that there was an end, whatever server answers by now.
      let rest = Array(mutations.dropFirst())
      #expect(await code { _ = try await hub.perform(rest) } == .unavailable)
      #expect(try await hub.perform(rest) == [.applied, .applied])
      #expect(try await titles(1...3) == ["first", "end", "last"])
      await end()
    }

    @Test func commitWaitsForTheDiskWhateverTheServersSettings() async throws {
      try await database.run(
        """
        ALTER ROLE app IN DATABASE \(database.name) SET synchronous_commit = 'off';
        CREATE TABLE seen (setting text);
        CREATE FUNCTION notes() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
        CREATE TRIGGER notes BEFORE UPDATE ON parcel FOR EACH ROW EXECUTE FUNCTION notes();
        """)
      let other = try PostgresHub(connection: database.connection(), name: "other")
      #expect(try await other.perform(mutation("a", Self.title(1, "x"))) == .applied)
      #expect(try await database.run("SELECT setting FROM seen") == [["on"]])
      await other.close()
      await end()
    }
  }
#endif
