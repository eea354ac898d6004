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
    func makeTables(rowCount: Int) throws {
      let columns = "(id bigint PRIMARY KEY, depot bigint NOT NULL, state text NOT NULL)"
      try psql(
        """
        CREATE TABLE parcel \(columns); CREATE TABLE large \(columns);
        INSERT INTO parcel SELECT n, n % 7, 'new' FROM generate_series(1, 10000) AS n;
        INSERT INTO large SELECT n, n % 7, 'waits at depot ' || n % 7 FROM generate_series(1, \(rowCount)) AS n
        """)
    }

    /// A replica's hub.
    func hub(_ name: String) throws -> PostgresHub {
      try PostgresHub(connection: connection, name: name)
    }

    func path(_ name: String) -> String { "\(folder)/\(name).sqlite" }

    /// Opens a replica, and waits until the hub's commits come.
    func open(_ name: String, of table: String, _ hub: PostgresHub) async throws -> Replica {
      var configuration = ReplicaConfiguration()
      configuration.offlineTables = [table]
      // A heartbeat would be taken for a commit that is timed.
      configuration.heartbeatInterval = nil
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

    /// Waits until a replica has what a mutation has written, or anybody's commits before it.
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
