#if Postgres
  import SectileCore
  import SectileHub
  import SectileStore
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  /// The texts that a server and a replica make of one value.
  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct CanonicalTextTests {
    private static let types = """
      CREATE TYPE mood AS ENUM ('sad', 'very happy');
      CREATE DOMAIN positive AS int4 CHECK (VALUE > 0);
      CREATE DOMAIN nested AS positive CHECK (VALUE < 100);
      CREATE DOMAIN grid AS int4[];
      CREATE TYPE pair AS (a int, b text, c timestamptz);
      CREATE EXTENSION citext; CREATE EXTENSION hstore;
      """

    /// Values that a replica has as NULL.
    private static let withheld: [(type: String, values: [String])] = [
      ("float8", ["'NaN'"]), ("float4", ["'NaN'"]),
      ("date", ["'10000-01-01'", "'0001-12-31 BC'", "'5874897-12-31'"]),
      ("timestamptz", ["'10000-01-01Z'", "'0044-03-15 BC'"]),
      ("timestamp", ["'10000-01-01'", "'0044-03-15 BC'"]),
    ]

    @Test func eachTypeHasOneTextOnBothSides() async throws {
      let database = try await TestDatabase(Self.types)
      let all = PostgresValueTests.allValues + Self.withheld
      for (number, (type, values)) in all.enumerated() {
        let inserts = values.enumerated().map { place, value in
          "INSERT INTO t\(number) VALUES (\(place), \(value));"
        }
        try await database.run(
          "CREATE TABLE t\(number) (id int PRIMARY KEY, value \(type)); "
            + inserts.joined(separator: " "))
      }
      try await Self.expectEqual(database, all.indices.map { TableSubscription("t\($0)") }) {
        all[$0].type
      }
    }

    @Test func numbersOfOtherFormsHaveOneText() async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE t0 (id int PRIMARY KEY, units numeric, number numeric);
        INSERT INTO t0 SELECT row_number() OVER (), n, n FROM unnest(ARRAY[
          0, 0.00, -0.05, 12.3, 12.300, 12.345, 1e1000, -1e1000, 1e-1000, 1e308, 1.7976931348623159e308,
          92233720368547758.07, 92233720368547758.08, -92233720368547758.08, 5e-324, 'NaN', 'Infinity',
          '-Infinity', NULL, 0.1, 123456789012345678901234567890.123456789]::numeric[]) n;
        """)
      var subscription = TableSubscription("t0")
      subscription.numericForms = ["units": .decimal(scale: 2), "number": .real]
      try await Self.expectEqual(database, [subscription]) { _ in "numeric" }
    }

    @Test func tableOfManyColumnsIsCompared() async throws {
      let columns = (0..<120).map { "c\($0) int DEFAULT \($0)" }
      let database = try await TestDatabase(
        """
        CREATE TABLE t0 (id int PRIMARY KEY, \(columns.joined(separator: ", ")));
        INSERT INTO t0 (id) VALUES (1), (2);
        """)
      try await Self.expectEqual(database, ["t0"]) { _ in "int" }
    }

    /// Fails where a replica that was filled looks otherwise than its hub.
    private static func expectEqual(
      _ database: TestDatabase, _ subscriptions: [TableSubscription],
      _ type: (Int) -> String
    ) async throws {
      let bench = try await PostgresReplica(of: database, subscriptions)
      let replica = try await bench.open()
      let found = try await bench.hub.verify(replica)
      #expect(found.tables.count == subscriptions.count)
      for table in found.tables where !table.isEqual {
        let name = type(Int(table.name.dropFirst()) ?? 0)
        Issue.record("\(name): \(table.rows)")
      }
      try await replica.close()
      try await bench.hub.detach()
    }
  }
#endif
