#if Postgres
  import SectileCore
  import SectileHub
  import SectileStore
  import SectileTestHelpers
  import Testing

  /// Columns of `numeric` that sort and add up in a replica.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct NumericFormTests {
    private let database: TestDatabase
    private let bench: PostgresReplica

    init() async throws {
      database = try await TestDatabase(
        """
        CREATE TABLE invoice (id int PRIMARY KEY, total numeric(12, 2), rate numeric);
        INSERT INTO invoice VALUES (1, 12.30, 0.5), (2, -0.05, NULL), (3, NULL, 'NaN'), (4, 9, 1e3);
        """)
      var subscription = TableSubscription("invoice")
      subscription.numericForms = ["total": .decimal(scale: 2), "rate": .real]
      bench = try await PostgresReplica(of: database, [subscription])
    }

    private func rows(_ replica: Replica) async throws -> [[StoredValue]] {
      try await replica.store.read { transaction in
        try transaction.query("SELECT id, total, rate FROM invoice ORDER BY id").map(\.values)
      }
    }

    @Test func numbersAreUnitsAndBinaryNumbers() async throws {
      let replica = try await bench.open()
      try await bench.follows(replica)
      #expect(
        try await rows(replica) == [
          [1, 1230, .real(0.5)], [2, -5, .null], [3, .null, .null], [4, 900, .real(1000)],
        ])
      try await database.run("UPDATE invoice SET total = 0.1, rate = '-Infinity' WHERE id = 1")
      try await database.run("INSERT INTO invoice VALUES (5, 9999999999.99, 'NaN')")
      try await bench.catchUp(replica)
      #expect(try await rows(replica).first == [1, 10, .real(-.infinity)])
      #expect(try await rows(replica).last == [5, 999_999_999_999, .null])
      try await bench.expectEqual(replica)
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func unitsAreWrittenAsNumbers() async throws {
      let replica = try await bench.open { $0.offlineTables = ["invoice"] }
      try await bench.follows(replica)
      try await replica.write { changes in
        try changes.update("invoice", key: 1, set: ["total": 1999, "rate": 0.25])
        try changes.insert(into: "invoice", values: ["id": 6, "total": -7])
      }
      #expect(
        try await database.run("SELECT total, rate FROM invoice WHERE id IN (1, 6) ORDER BY id")
          == [["19.99", "0.25"], ["-0.07", nil]])
      try await replica.enqueue { try $0.update("invoice", key: 4, set: ["total": 5]) }
      #expect(try await rows(replica).first(where: { $0[0] == 4 }) == [4, 5, .real(1000)])
      try await soon("the entry is at the hub") {
        try await database.run("SELECT total FROM invoice WHERE id = 4") == [["0.05"]]
      }
      try await bench.catchUp(replica)
      #expect(try await rows(replica).first(where: { $0[0] == 4 }) == [4, 5, .real(1000)])
      // What a refusal shows is what the replica has.
      let error = await #expect(throws: HubError.self) {
        try await replica.write {
          try $0.update("invoice", key: 1, set: ["total": 0], ifRevision: .exactly(-1))
        }
      }
      #expect(error?.rejection?.current?["total"] == 1999)
      #expect(error?.rejection?.current?["rate"] == .real(0.25))
      try await replica.close()
      try await bench.hub.detach()
    }

    @Test func numberThatDoesNotFitTheScaleIsWithheld() async throws {
      try await database.run("ALTER TABLE invoice ALTER COLUMN total TYPE numeric")
      let replica = try await bench.open()
      try await bench.follows(replica)
      try await database.run("UPDATE invoice SET total = 1.005 WHERE id = 1")
      try await database.run("UPDATE invoice SET total = 1.500 WHERE id = 2")
      try await database.run("UPDATE invoice SET total = 1e30 WHERE id = 4")
      try await bench.catchUp(replica)
      #expect(try await rows(replica).map { $0[1] } == [.null, 150, .null, .null])
      try await replica.close()
      try await bench.hub.detach()
    }
  }
#endif
