#if Postgres
  import SectileCore
  import SectileHub
  import SectileTestHelpers
  import SectileTestSupport
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct PostgresValueTests {
    /// Types of the server, and values in SQL.
    static let values: [(type: String, values: [String])] = [
      ("bool", ["true", "false", "NULL"]),
      ("int2", ["-32768", "0", "32767"]), ("int4", ["-2147483648", "2147483647"]),
      ("int8", ["'-9223372036854775808'", "9223372036854775807"]),
      ("float4", ["0.1", "-0", "'Infinity'", "'-Infinity'", "3.4028235e38", "1e-45", "16777217"]),
      (
        "float8",
        [
          "0.1", "1e308", "5e-324", "'-Infinity'", "'Infinity'", "'-0'", "123456789.123456789",
          "1e21",
        ]
      ),
      ("text", ["''", "'a'", "E'\\\\x \\n\\t\"'", "'é\u{1F680}'", "repeat('x', 100000)", "NULL"]),
      ("varchar(10)", ["'abc'"]), ("char(5)", ["'ab'", "''"]),
      (
        "bytea",
        ["''", "'\\x00ff10'", "convert_to('abc', 'UTF8')", "decode(repeat('00ff', 3000), 'hex')"]
      ),
      (
        "uuid",
        ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", "'00000000-0000-0000-0000-000000000000'"]
      ),
      (
        "timestamptz",
        [
          "'2026-11-26 03:20:01+00'", "'2026-11-26 03:20:01.000001+05:30'",
          "'1969-12-31 23:59:59.9Z'",
          "'0001-01-01 00:00:00Z'", "'0999-02-28 12:00Z'", "'9999-12-31 23:59:59.999999Z'",
          "'infinity'", "'-infinity'", "'2000-02-29Z'", "'1900-02-28 23:59:59.5Z'",
          "'1999-12-31 24:00Z'",
        ]
      ),
      (
        "date",
        [
          "'2026-11-26'", "'0001-01-01'", "'9999-12-31'", "'infinity'", "'-infinity'",
          "'1600-02-29'",
          "'1999-12-31'", "'2000-01-01'",
        ]
      ),
      ("jsonb", ["'{\"b\": [1, 2.50, null], \"a\": \"é\"}'", "'null'", "'\"\"'"]),
      ("json", ["'{\"b\":1,   \"a\":\"x\", \"a\": 2}'"]),
      (
        "numeric",
        [
          "0", "0.00", "1", "-1", "10000", "99999999", "0.0001", "0.00010", "-12345.678900",
          "'NaN'",
          "'Infinity'", "'-Infinity'", "1e30", "1e-30", "123456789012345678901234567890.123456789",
          "100000000.00000001", "0.1", "'1e1000'", "-0.5",
        ]
      ),
      ("mood", ["'sad'", "'very happy'"]), ("positive", ["1", "7"]), ("nested", ["2"]),
    ]

    static let allValues = values + PostgresValueExamples.values

    private static let types = """
      CREATE TYPE mood AS ENUM ('sad', 'very happy');
      CREATE DOMAIN positive AS int4 CHECK (VALUE > 0);
      CREATE DOMAIN nested AS positive CHECK (VALUE < 100);
      CREATE DOMAIN grid AS int4[];
      CREATE TYPE pair AS (a int, b text, c timestamptz);
      CREATE EXTENSION citext; CREATE EXTENSION hstore;
      """

    @Test func textsAndBytesAreTheSame() async throws {
      let database = try await TestDatabase(Self.types)
      for (number, (type, values)) in Self.allValues.enumerated() {
        try await database.run("CREATE TABLE t\(number) (id int PRIMARY KEY, value \(type))")
        for (id, value) in values.enumerated() {
          try await database.run("INSERT INTO t\(number) VALUES (\(id), \(value))")
        }
      }
      let names = Self.allValues.indices.map { "t\($0)" }
      let hub = try await database.hub(installing: names)
      let tables = try await hub.describe(names.map { TableSubscription($0) })
      let snapshot = try await hub.snapshot(of: tables)
      // Each row again, by the stream.
      var (copied, streamed) = (ReplicaModel(tables), ReplicaModel(tables))
      try await copied.read(snapshot)
      let stream = try await hub.stream(after: snapshot.token, of: tables)
      for name in names {
        try await database.run(
          "BEGIN; CREATE TEMP TABLE kept ON COMMIT DROP AS TABLE \(name); DELETE FROM \(name); "
            + "INSERT INTO \(name) TABLE kept; COMMIT")
      }
      streamed.rows = copied.rows
      try await streamed.follow(stream, to: try await hub.position())
      for table in tables {
        let (left, right) = (copied.rows[table.name] ?? [:], streamed.rows[table.name] ?? [:])
        #expect(left.count == right.count)
        for (key, row) in left {
          let other = try #require(right[key])
          // To the last bit: `==` holds -0 and 0 equal.
          #expect("\(row[1])" == "\(other[1])", "\(table.name)")
        }
      }
      await stream.close()
      try await hub.detach()
      try await expectOwnTexts(database, copied)
      try await expectWrittenBack(database, hub, copied)
    }

    /// Numbers, JSON and types of no form of their own are the server's own texts.
    private func expectOwnTexts(_ database: TestDatabase, _ model: ReplicaModel) async throws {
      let own = [
        "numeric", "jsonb", "json", "timetz", "interval", "inet", "cidr", "macaddr", "citext",
        "xml", "point", "pair", "jsonb[]", "box[]", "tstzrange", "numrange", "bit(3)",
      ]
      for (number, (type, _)) in Self.allValues.enumerated() where own.contains(type) {
        let rows = try await database.run(
          "SELECT id, CASE WHEN value IS DISTINCT FROM NULL THEN concat(value) END FROM t\(number)")
        for row in rows {
          let id = try #require(row[0].flatMap { Int64($0) })
          let expected = row[1].map { StoredValue.text($0) } ?? .null
          #expect(model.rows["t\(number)"]?[[.integer(id)]]?[1] == expected, "\(type)")
        }
      }
    }

    /// Every value can be written as a replica has it, and is the same at the hub.
    private func expectWrittenBack(
      _ database: TestDatabase, _ hub: PostgresHub, _ model: ReplicaModel
    ) async throws {
      for (number, (type, values)) in Self.allValues.enumerated() {
        let changes = try values.indices.map { id in
          let value = try #require(model.rows["t\(number)"]?[[.integer(Int64(id))]]?[1])
          return RowMutation.insert(
            table: "t\(number)", values: ["id": .integer(Int64(id) + 1000), "value": value])
        }
        let mutation = Mutation(
          id: MutationID(client: "back", number: Int64(number + 1)), changes: changes)
        #expect(try await hub.perform(mutation) == .applied, "\(type)")
        let others = try await database.run(
          """
          SELECT concat(a.value), concat(b.value) FROM t\(number) a LEFT JOIN t\(number) b ON b.id = a.id + 1000
          WHERE a.id < 1000 AND (concat(a.value) IS DISTINCT FROM concat(b.value)
            OR b.id IS NULL OR (a.value IS NULL) <> (b.value IS NULL))
          """)
        #expect(others == [], "\(type)")
      }
    }

    @Test(arguments: [
      ("float8", "'NaN'"), ("float4", "'NaN'"), ("date", "'10000-01-01'"),
      ("date", "'0001-01-01 BC'"),
      ("timestamptz", "'10000-01-01Z'"), ("timestamptz", "'0044-03-15 12:00Z BC'"),
    ])
    func valuesThatReplicasDoNotHaveAreRefusedInKeys(_ type: String, _ value: String) async throws {
      let database = try await TestDatabase("CREATE TABLE t (id int, value \(type) PRIMARY KEY)")
      let hub = try await database.hub(installing: ["t"])
      let tables = try await hub.describe(["t"])
      let empty = try await hub.snapshot(of: tables)
      #expect(try await empty.next() == nil)
      await empty.close()
      let stream = try await hub.stream(after: empty.token, of: tables)
      try await database.run("INSERT INTO t VALUES (1, \(value))")
      #expect(
        await code { while true { _ = try await stream.next(limit: 1) } } == .unsupportedValue)
      await stream.close()
      let snapshot = try await hub.snapshot(of: tables)
      #expect(await code { _ = try await snapshot.next() } == .unsupportedValue)
      await snapshot.close()
      try await hub.detach()
    }

    @Test(arguments: [
      ("float8", "'NaN'"), ("date", "'10000-01-01'"), ("timestamptz", "'10000-01-01Z'"),
      ("timestamp", "'10000-01-01'"), ("timestamp", "'0044-03-15 BC'"),
    ])
    func valuesThatReplicasDoNotHaveAreWithheld(_ type: String, _ value: String) async throws {
      let database = try await TestDatabase("CREATE TABLE t (id int PRIMARY KEY, value \(type))")
      let hub = try await database.hub(installing: ["t"])
      let tables = try await hub.describe(["t"])
      let empty = try await hub.snapshot(of: tables)
      #expect(try await empty.next() == nil)
      let stream = try await hub.stream(after: empty.token, of: tables)
      await empty.close()
      try await database.run(each: [
        "INSERT INTO t VALUES (1, \(value))", "UPDATE t SET id = 2", "DELETE FROM t",
        "INSERT INTO t VALUES (3, \(value))",
      ])
      var transactions: [HubTransaction] = []
      while transactions.count < 4 {
        for case .transaction(let transaction) in try await stream.next(limit: 10) {
          transactions.append(transaction)
        }
      }
      await stream.close()
      let withheld = try #require(transactions.first?.controlRecords.withheld.first)
      #expect((withheld.table, withheld.column) == ("t", "value"))
      #expect(transactions.map(\.controlRecords.withheld.count) == [1, 1, 0, 1])
      guard case .insert(_, let row)? = transactions[0].changes.first else {
        Issue.record("\(transactions[0])")
        return
      }
      #expect(row[1] == .null)
      let snapshot = try await hub.snapshot(of: tables)
      let batch = try #require(try await snapshot.next())
      #expect(batch.rows.map { $0[1] } == [.null])
      #expect(batch.withheld == [withheld])
      await snapshot.close()
      try await hub.detach()
    }

    @Test(arguments: [
      ("float8", "NaN"), ("date", "10000-01-01"), ("timestamptz", "10000-01-01 00:00Z"),
      ("timestamp", "10000-01-01 00:00"),
    ])
    func mutationsOfValuesThatReplicasDoNotHaveAreRefused(
      _ type: String, _ value: String
    ) async throws {
      let database = try await TestDatabase(
        "CREATE TABLE t (id int PRIMARY KEY, text text, value \(type)); "
          + "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS "
          + "'BEGIN NEW.value := NEW.text; RETURN NEW; END'; "
          + "CREATE TRIGGER f BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f(); ")
      let hub = try await database.hub(installing: ["t"])
      // Whatever brings the value about: here a trigger of the hub's.
      let changes: [RowMutation] = [
        .insert(table: "t", values: ["id": 1, "text": .text(value)]),
        .update(table: "t", key: [2], revision: nil, values: ["text": .text(value)]),
      ]
      try await database.run("INSERT INTO t VALUES (2)")
      for (number, change) in changes.enumerated() {
        let mutation = Mutation(
          id: MutationID(client: "a", number: Int64(number + 1)), changes: [change])
        guard case .rejected(let rejection) = try await hub.perform(mutation) else {
          Issue.record("\(change) was performed")
          continue
        }
        #expect(rejection.kind == .constraint)
        #expect(rejection.message.contains("replicas cannot have it"))
      }
      #expect(try await database.run("SELECT id, value FROM t") == [["2", nil]])
    }

    @Test func textsOfTimeSortAsTimeDoes() async throws {
      let database = try await TestDatabase()
      let texts = try await database.run(
        """
        SELECT t::text FROM (
          SELECT '0001-01-01Z'::timestamptz + random() * interval '9998 years' AS t
          FROM generate_series(1, 300) UNION ALL VALUES ('infinity'::timestamptz), ('-infinity')) x
        ORDER BY x.t
        """
      ).compactMap { $0[0] }
      let values = try texts.map {
        try PostgresValue.decode(text: ArraySlice(Array($0.utf8)), as: .timestamptz)
      }
      #expect(values == values.sorted())
      #expect(values.count == 302)
    }

    @Test(arguments: SeededRandom.batches())
    func brokenBytesAreReadOrRefused(_ seeds: Range<UInt64>) {
      func expectRefusal(_ error: HubError, _ note: String) {
        #expect([.malformedMessage, .unsupportedValue].contains(error.code), "\(note)")
      }
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        for type in PostgresType.allCases {
          let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          do {
            _ = try PostgresValue.decode(binary: bytes[...], as: type)
          } catch {
            expectRefusal(error, "\(random): \(type)")
          }
          let letters = Array("0123456789-:. +BCinfty\\xabe{}[],\"=>NUL$".utf8)
          let text = bytes.map { letters[Int($0) % letters.count] }
          do {
            _ = try PostgresValue.decode(text: text[...], as: type)
          } catch {
            expectRefusal(error, "\(random): \(type)")
          }
        }
      }
    }
  }
#endif
