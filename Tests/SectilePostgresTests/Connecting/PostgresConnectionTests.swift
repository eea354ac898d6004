#if Postgres
  import SectileHub
  import SectileTestHelpers
  import Testing

  @testable import SectilePostgres

  @Suite(
    .enabled(if: PostgresServer.isExpected, "PostgreSQL is not installed"),
    .timeLimit(.minutes(60)))
  struct PostgresConnectionTests {
    private func connection(
      _ text: String, reconnects: Bool = true
    ) throws -> PostgresConnection {
      try PostgresConnection(
        PostgresTarget(connection: text, applicationName: "test", connectTimeout: .seconds(5)),
        reconnects: reconnects)
    }

    @Test(arguments: [
      "host=/nowhere dbname=x", "host=127.0.0.1 port=1 dbname=x", "host=", "odd = 'text",
    ])
    func serverThatIsNotThereIsUnavailable(_ text: String) async throws {
      let connection = try connection(text)
      #expect(
        await code { _ = try await connection.run { try $0.query("SELECT 1") } } == .unavailable)
      await connection.close()
    }

    @Test func settingsAreThoseOfValues() async throws {
      let database = try await TestDatabase("ALTER ROLE app SET DateStyle = 'SQL, DMY'")
      let connection = try connection(database.connection())
      let rows = try await connection.run {
        try $0.query("SELECT '2026-11-26 03:20:01.5+02'::timestamptz, '\\x00'::bytea, 0.1::float8")
          .rows
      }
      #expect(rows == [["2026-11-26 01:20:01.5+00", "\\x00", "0.1"]])
      try await database.run("ALTER ROLE app RESET ALL")
    }

    /// Has the server sleep for a task, and returns when it does.
    private func sleep(
      on connection: PostgresConnection, of database: TestDatabase
    ) async throws -> Task<Void, any Error> {
      let task = Task {
        _ = try await connection.run { try $0.query("SELECT pg_sleep(1000)") }
      }
      while try await database.run(
        "SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND datname = current_database()"
      ).isEmpty {}
      return task
    }

    @Test func cancelledTaskDoesNotWaitForTheServer() async throws {
      let database = try await TestDatabase()
      let connection = try connection(database.connection())
      let task = try await sleep(on: connection, of: database)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // The next call has another session.
      #expect(try await connection.run { try $0.query("SELECT 1").rows } == [["1"]])
      await connection.close()
    }

    @Test func closingEndsWhatWaits() async throws {
      let database = try await TestDatabase()
      let connection = try connection(database.connection())
      let task = try await sleep(on: connection, of: database)
      await connection.close()
      #expect(await code { try await task.value } == .unavailable)
      #expect(
        await code { _ = try await connection.run { try $0.query("SELECT 1") } } == .unavailable)
    }

    @Test func lostSessionIsFollowedByAnother() async throws {
      let database = try await TestDatabase()
      let connection = try connection(database.connection())
      let number = try await connection.run { try $0.query("SELECT pg_backend_pid()").rows[0][0] }
      try await database.run("SELECT pg_terminate_backend(\(number ?? "0"), 5000)")
      #expect(try await connection.run { try $0.query("SELECT 1").rows } == [["1"]])
      await connection.close()
    }

    @Test func errorsOfTheServerHaveTheirState() async throws {
      let database = try await TestDatabase()
      let connection = try connection(database.connection())
      let error = await #expect(throws: PostgresError.self) {
        _ = try await connection.run { try $0.query("SELECT 1 / 0") }
      }
      #expect(error?.state == "22012")
      await connection.close()
    }
  }
#endif
