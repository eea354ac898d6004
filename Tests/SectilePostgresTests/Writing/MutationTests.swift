#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct MutationTests {
    private static let sql = """
      CREATE TABLE depot (id int PRIMARY KEY);
      CREATE TABLE parcel (
        id bigint PRIMARY KEY, depot int REFERENCES depot DEFERRABLE INITIALLY DEFERRED,
        title varchar(20), weight numeric CHECK (weight > 0), code text UNIQUE, data bytea);
      INSERT INTO depot VALUES (1), (2);
      INSERT INTO parcel VALUES (1, 1, 'one', 1.50, 'a', '\\x00ff'), (2, 2, 'two', 2, 'b', NULL);
      """

    private let database: TestDatabase
    private let hub: PostgresHub

    init() async throws {
      database = try await TestDatabase(Self.sql)
      hub = try await database.hub(installing: ["parcel", "depot"])
    }

    private func revision(_ id: Int = 1) async throws -> Int64 {
      let rows = try await database.run("SELECT sectile_rev FROM parcel WHERE id = \(id)")
      return try #require(rows.first?[0].flatMap { Int64($0) })
    }

    private func perform(
      _ number: Int64, client: String = "c", _ changes: RowMutation...
    ) async throws -> MutationResult {
      try await hub.perform(
        Mutation(id: MutationID(client: client, number: number), changes: changes))
    }

    private func title(_ id: Int = 1) async throws -> String? {
      try await database.run("SELECT title FROM parcel WHERE id = \(id)").first?[0]
    }

    @Test func changesAreAppliedAsAWhole() async throws {
      let outcome = try await perform(
        1,
        .insert(
          table: "parcel",
          values: [
            "id": 3, "depot": 1, "title": "it's", "weight": "0.10", "data": .blob([1, 0, 255]),
            "sectile_rev": 99,
          ]),
        .update(
          table: "parcel", key: [1], revision: try await revision(), values: ["title": "new"]),
        .delete(table: "parcel", key: [2], revision: nil))
      #expect(outcome == .applied)
      let rows = try await database.run(
        "SELECT id, title, weight, data, sectile_rev > 0 AND sectile_rev < 99 FROM parcel ORDER BY id"
      )
      #expect(
        rows == [
          ["1", "new", "1.50", "\\x00ff", "t"], ["3", "it's", "0.10", "\\x0100ff", "t"],
        ])
    }

    @Test func sameNumberAgainIsNotAppliedAgain() async throws {
      let change = RowMutation.update(
        table: "parcel", key: [1], revision: try await revision(), values: ["title": "once"])
      #expect(try await perform(1, change) == .applied)
      let after = try await revision()
      #expect(try await perform(1, change) == .applied)
      #expect(try await revision() == after)
    }

    @Test func refusalThatIsAskedForAgainIsTheSame() async throws {
      let stale = RowMutation.update(
        table: "parcel", key: [1], revision: -1, values: ["title": "stale"])
      let first = try await perform(1, stale)
      guard case .rejected(let rejection) = first else {
        Issue.record("\(first)")
        return
      }
      #expect(rejection.kind == .conflict)
      #expect(rejection.change == 0)
      #expect(
        rejection.current == [
          "id": 1, "depot": 1, "title": "one", "weight": "1.50", "code": "a",
          "data": .blob([0, 255]),
          "sectile_rev": .integer(try await revision()),
        ])
      try await database.run("UPDATE parcel SET title = 'later'")
      #expect(try await perform(1, stale) == first)
      // The number is used up, and the next one is free.
      #expect(
        try await perform(
          2, .update(table: "parcel", key: [1], revision: nil, values: ["title": "last"]))
          == .applied)
      #expect(try await title() == "last")
    }

    @Test func numbersComeInOrder() async throws {
      let change = RowMutation.delete(table: "parcel", key: [1], revision: nil)
      let other = RowMutation.delete(table: "parcel", key: [2], revision: nil)
      #expect(await code { _ = try await perform(2, change) } == .mutationOutOfOrder)
      #expect(await code { _ = try await perform(0, change) } == .mutationOutOfOrder)
      #expect(try await perform(1, change) == .applied)
      #expect(await code { _ = try await perform(1, other) } == .mutationReused)
      #expect(await code { _ = try await perform(3, other) } == .mutationOutOfOrder)
      #expect(try await perform(2, other) == .applied)
      // A client that lost its count is another client.
      #expect(await code { _ = try await perform(1, change) } == .mutationReused)
      #expect(await code { _ = try await perform(1, client: "a\0b", change) } == .mutationReused)
    }

    @Test func conflictsSayWhatIsThere() async throws {
      let gone = try await perform(
        1, .update(table: "parcel", key: [99], revision: nil, values: ["title": "x"]))
      #expect(rejection(gone)?.kind == .conflict)
      #expect(rejection(gone)?.current == nil)
      let there = try await perform(2, .insert(table: "parcel", values: ["id": 2, "title": "x"]))
      #expect(rejection(there)?.kind == .conflict)
      #expect(rejection(there)?.current?["title"] == "two")
      #expect(
        rejection(try await perform(3, .delete(table: "parcel", key: [99], revision: 1)))?.kind
          == .conflict)
      // Who wants it gone has what they wanted.
      #expect(try await perform(4, .delete(table: "parcel", key: [99], revision: nil)) == .applied)
      let empty = RowMutation.update(table: "parcel", key: [1], revision: 77, values: [:])
      #expect(rejection(try await perform(5, empty))?.kind == .conflict)
      let seen = RowMutation.update(
        table: "parcel", key: [1], revision: try await revision(), values: [:])
      #expect(try await perform(6, seen) == .applied)
    }

    private func rejection(_ outcome: MutationResult) -> MutationRejection? {
      if case .rejected(let rejection) = outcome { rejection } else { nil }
    }

    @Test(arguments: [
      RowMutation.update(table: "parcel", key: [1], revision: nil, values: ["weight": -1]),
      .update(table: "parcel", key: [1], revision: nil, values: ["code": "b"]),
      .update(
        table: "parcel", key: [1], revision: nil, values: ["title": "longer than twenty characters"]
      ),
      .update(table: "parcel", key: [1], revision: nil, values: ["weight": "heavy"]),
      .update(table: "parcel", key: [1], revision: nil, values: ["depot": "one"]),
      .update(table: "parcel", key: [1], revision: nil, values: ["depot": 99_999_999_999]),
      .update(table: "parcel", key: [1], revision: nil, values: ["title": "zero\0byte"]),
      .update(table: "parcel", key: [1], revision: nil, values: ["nothing": 1]),
      .update(table: "parcel", key: [1, 2], revision: nil, values: ["depot": 1]),
      .insert(table: "nothing", values: [:]), .insert(table: "parcel", values: [:]),
    ])
    func whatTheTablesForbidIsRefused(_ change: RowMutation) async throws {
      let outcome = try await perform(
        1, .update(table: "parcel", key: [2], revision: nil, values: ["title": "never"]), change)
      #expect(rejection(outcome)?.kind == .constraint)
      #expect(rejection(outcome)?.change == 1)
      #expect(try await title(2) == "two")
      #expect(
        try await perform(2, .delete(table: "parcel", key: [2], revision: nil)) == .applied)
    }

    @Test func ruleThatIsCheckedAtTheEndIsRefused() async throws {
      let change = RowMutation.update(
        table: "parcel", key: [1], revision: nil, values: ["depot": 77])
      let outcome = try await perform(1, change)
      #expect(rejection(outcome)?.kind == .constraint)
      #expect(rejection(outcome)?.change == nil)
      #expect(try await perform(1, change) == outcome)
    }

    @Test func textIsNeverSQL() async throws {
      let text = "'); DROP TABLE parcel; --"
      let outcome = try await perform(
        1, client: text,
        .update(table: "parcel", key: [1], revision: nil, values: ["code": .text(text)]))
      #expect(outcome == .applied)
      #expect(try await database.run("SELECT code FROM parcel WHERE id = 1") == [[text]])
    }

    @Test func revisionOfARowThatCameAgainIsAnother() async throws {
      let seen = try await revision()
      try await database.run(
        "DELETE FROM parcel WHERE id = 1; INSERT INTO parcel VALUES (1, 1, 'another')")
      let outcome = try await perform(
        1, .update(table: "parcel", key: [1], revision: seen, values: ["title": "mine"]))
      #expect(rejection(outcome)?.current?["title"] == "another")
    }

    @Test func tableThatChangedIsLookedUpAgain() async throws {
      #expect(
        try await perform(
          1, .update(table: "parcel", key: [1], revision: nil, values: ["title": "x"]))
          == .applied)
      try await database.run("ALTER TABLE parcel ADD COLUMN extra text")
      #expect(
        try await perform(
          2, .update(table: "parcel", key: [1], revision: nil, values: ["extra": "y"]))
          == .applied)
      try await database.run("ALTER TABLE parcel RENAME COLUMN extra TO more")
      #expect(
        rejection(
          try await perform(
            3, .update(table: "parcel", key: [1], revision: nil, values: ["extra": "z"])))?
          .kind == .constraint)
    }

    @Test func twoClientsOfOneRow() async throws {
      let hub = hub
      func race(_ client: String) async throws -> (applied: Int, refused: Int) {
        var counts = (applied: 0, refused: 0)
        var current = try await revision()
        for number in 1...50 {
          let outcome = try await hub.perform(
            Mutation(
              id: MutationID(client: client, number: Int64(number)),
              changes: [
                .update(
                  table: "parcel", key: [1], revision: current,
                  values: ["title": .text("\(client) \(number)")])
              ]))
          switch outcome {
          case .applied:
            counts.applied += 1
            current = try await revision()
          case .rejected(let rejection):
            counts.refused += 1
            #expect(rejection.kind == .conflict)
            if case .integer(let number)? = rejection.current?["sectile_rev"] { current = number }
          }
        }
        return counts
      }
      async let left = race("left")
      async let right = race("right")
      let counts = try await (left, right)
      #expect(counts.0.applied + counts.0.refused == 50)
      #expect(counts.1.applied + counts.1.refused == 50)
      #expect(counts.0.applied > 0 && counts.1.applied > 0)
    }

    @Test func sameMutationFromTwoSidesIsAppliedOnce() async throws {
      let change = RowMutation.update(
        table: "parcel", key: [1], revision: nil, values: ["title": "x"])
      for number in 1...20 {
        async let left = perform(Int64(number), change)
        async let right = perform(Int64(number), change)
        let outcomes = try await (left, right)
        #expect(outcomes.0 == .applied && outcomes.1 == .applied)
      }
      #expect(try await database.run("SELECT last_mid FROM sectile.client") == [["20"]])
    }

    @Test func outcomesComeWithTheCommits() async throws {
      let tables = try await hub.describe(["parcel"])
      _ = try await perform(1, client: "old", .delete(table: "parcel", key: [2], revision: nil))
      let snapshot = try await hub.snapshot(of: tables)
      #expect(
        snapshot.controlRecords.outcomes == [
          MutationReceipt(MutationID(client: "old", number: 1), isApplied: true)
        ])
      var model = ReplicaModel(tables)
      try await model.read(snapshot)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      _ = try await perform(
        1, .update(table: "parcel", key: [1], revision: nil, values: ["title": "x"]))
      _ = try await perform(
        2, .update(table: "parcel", key: [1], revision: -1, values: ["title": "y"]))
      try await model.follow(stream, to: try await hub.position())
      #expect(
        model.outcomes.dropFirst() == [
          MutationReceipt(MutationID(client: "c", number: 1), isApplied: true),
          MutationReceipt(MutationID(client: "c", number: 2), isApplied: false),
        ])
      await stream.close()
      try await hub.detach()
    }

    @Test func hubThatIsNotSetUpSaysSo() async throws {
      let empty = try await TestDatabase("CREATE TABLE t (id int PRIMARY KEY)")
      let hub = try PostgresHub(connection: empty.connection(), name: "r")
      let mutation = Mutation(
        id: MutationID(client: "c", number: 1), changes: [.insert(table: "t", values: ["id": 1])])
      #expect(await code { _ = try await hub.perform(mutation) } == .noSuchTable)
      #expect(await code { try await hub.heartbeat() } == .noSuchTable)
    }
  }
#endif
