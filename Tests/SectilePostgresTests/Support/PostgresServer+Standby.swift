#if Postgres
  import Testing

  @testable import SectilePostgres

  extension PostgresServer {
    /// Has a standby follow nobody any more.
    func cutOff() async throws {
      let connection = try PostgresConnection(
        PostgresTarget(
          connection: connection("postgres"), applicationName: "test", connectTimeout: .seconds(10)),
        reconnects: false)
      _ = try await connection.run { session in
        _ = try session.execute("ALTER SYSTEM SET primary_conninfo = ''")
        return try session.execute("SELECT pg_reload_conf()")
      }
      try await soon("the standby is on its own") {
        try await connection.run {
          try $0.execute("SELECT count(*) FROM pg_stat_wal_receiver").rows
        } == [["0"]]
      }
      await connection.close()
    }
  }
#endif
