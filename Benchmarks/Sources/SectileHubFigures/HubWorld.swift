#if Postgres
  internal import Foundation
  internal import Sectile
  internal import SectileHub
  internal import SectilePostgres

  /// A server with tables, and files that follow it.
  struct HubWorld: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let connection: String
    let data: String
    let folder: String

    /// Makes two tables of parcels, a large one and one for single rows, and what the hub needs.
    func makeTables(parcelCount: Int, rowCount: Int) throws {
      let columns = "(id bigint PRIMARY KEY, depot bigint NOT NULL, state text NOT NULL)"
      try psql(
        """
        CREATE TABLE parcel \(columns); CREATE TABLE large \(columns);
        INSERT INTO parcel SELECT n, n % 7, 'new' FROM generate_series(1, \(parcelCount)) AS n;
        INSERT INTO large SELECT n, n % 7, 'waits at depot ' || n % 7 FROM generate_series(1, \(rowCount)) AS n
        """)
      // Now, and not while something is measured.
      try psql("VACUUM (ANALYZE)")
    }

    /// A replica's hub.
    func hub(_ name: String) throws -> PostgresHub {
      try PostgresHub(connection: connection, name: name)
    }

    func path(_ name: String) -> String { "\(folder)/\(name).sqlite" }

    /// Opens a replica, and waits until the hub's commits come.
    func open(_ name: String, of table: String, _ hub: PostgresHub) async throws -> Replica {
      var configuration = ReplicaConfiguration()
      // A heartbeat would be taken for a commit that is timed; and a position without one is waited
      // for.
      configuration.heartbeatInterval = nil
      configuration.idleInterval = .milliseconds(20)
      let replica = try await Replica.open(
        at: path(name), following: hub, tables: [TableSubscription(table)],
        configuration: configuration)
      while true {
        switch replica.status.phase {
        case .following: return replica
        case .stopped(let error): throw error
        default: try await Task.sleep(for: .milliseconds(1))
        }
      }
    }

    /// Opens a replica that was filled before, and cannot reach its hub.
    func openWithoutHub(_ name: String, of table: String) async throws -> Replica {
      var configuration = ReplicaConfiguration()
      configuration.offlineTables = [table]
      return try await Replica.open(
        at: path(name), following: PostgresHub(connection: "host=\(folder)/nowhere", name: name),
        tables: [TableSubscription(table)], configuration: configuration)
    }

    /// Changes a parcel as somebody who is no replica.
    func change(_ parcel: Int, to state: String, by client: String, _ hub: PostgresHub) async throws
    {
      let change = RowMutation.update(
        table: "parcel", key: [.integer(Int64(parcel))], revision: nil,
        values: ["state": .text(state)])
      let outcome = try await hub.perform(
        Mutation(id: MutationID(client: client, number: Int64(parcel)), changes: [change]))
      guard outcome == .applied else { throw Failure(description: "it is refused: \(outcome)") }
    }

    /// Waits until a replica stands at a position.
    func wait(for replica: Replica, toReach position: HubPosition) async throws {
      while replica.status.token?.position ?? .zero < position {
        try await Task.sleep(for: .milliseconds(1))
      }
    }

    /// Closes a replica, and takes it off the hub.
    func end(_ replica: Replica, _ hub: PostgresHub) async throws {
      try await replica.close()
      try await hub.detach()
      await hub.close()
    }

    /// Runs SQL with psql.
    func psql(_ sql: String) throws {
      try shell(#"psql -Xq -v ON_ERROR_STOP=1 "$1" -c "$2""#, connection, sql)
    }

    /// Runs a program of the shell, whose `$1` and so on are the words.
    func shell(_ program: String, _ words: String...) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/bash")
      process.arguments = ["-o", "pipefail", "-ec", program, "bash"] + words
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: "it fails with \(process.terminationStatus): \(program)")
      }
    }

    /// The processor time of the server and all that it has started, in seconds.
    func serverTime() throws -> Double {
      let pid =
        try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
        .split(separator: "\n").first.map(String.init) ?? ""
      var ticks = 0
      for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
        guard let fields = Self.fields(of: process) else { continue }
        // Numbers as in proc_pid_stat(5), less the two before the closing parenthesis.
        let own = [11, 12].compactMap { Int(fields[$0]) }.reduce(0, +)
        let ended = [13, 14].compactMap { Int(fields[$0]) }.reduce(0, +)
        if process == pid { ticks += own + ended } else if fields[1] == pid { ticks += own }
      }
      return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func fields(of process: String) -> [String]? {
      guard Int(process) != nil,
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let rest = text.split(separator: ")").last
      else { return nil }
      let fields = rest.split(separator: " ").map(String.init)
      return fields.count > 14 ? fields : nil
    }
  }
#endif
