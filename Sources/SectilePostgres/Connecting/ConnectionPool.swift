#if Postgres
  internal import Synchronization

  /// A few connections for calls that are short: each goes to the one with the fewest before it.
  final class ConnectionPool: Sendable {
    private let connections: [PostgresConnection]
    /// How many calls each connection has, not yet done.
    private let loads: Mutex<[Int]>

    init(_ target: PostgresTarget, count: Int) throws {
      connections = try (0..<count).map { _ in try PostgresConnection(target, reconnects: true) }
      loads = Mutex([Int](repeating: 0, count: count))
    }

    /// Runs a closure with one of the sessions.
    func run<Result: Sendable>(
      _ body: @escaping @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
      let chosen = loads.withLock { loads in
        // The first of the least: a second connection is made only where two are of use.
        let chosen = loads.indices.min { loads[$0] < loads[$1] } ?? 0
        loads[chosen] += 1
        return chosen
      }
      defer { loads.withLock { $0[chosen] -= 1 } }
      return try await connections[chosen].run(body)
    }

    func close() async {
      for connection in connections { await connection.close() }
    }
  }
#endif
