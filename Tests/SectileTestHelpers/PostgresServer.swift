internal import Foundation

/// A server of PostgreSQL for tests, in a folder of its own, that nobody else can reach: it listens
/// on a socket in the folder.
///
/// A shell watches over it, and ends it when this process ends, however it does.
package final class PostgresServer: Sendable {
  package struct CannotStart: Error, CustomStringConvertible {
    package let description: String
  }

  /// A server that all tests share which do not stop theirs: each has a database of its own.
  package static let shared = Result { try PostgresServer(settings: ["fsync": "off"]) }

  /// Whether tests with a server run: where PostgreSQL is installed, and in continuous integration,
  /// where they fail without.
  package static let isExpected: Bool = {
    if programs != nil || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    FileHandle.standardError.write(
      Data(
        "SKIPPED: tests with PostgreSQL, which is not here. Run: scripts/setup --postgres\n".utf8)
    )
    return false
  }()

  /// Where the server's programs are: those of the newest release.
  package static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let releases = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let folders =
      releases.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
      + paths.map(String.init)
    return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  private let folder: TemporaryFolder
  private let programs: String
  private let watcher: Watcher

  /// Makes a server, and starts it.
  ///
  /// - Parameters:
  ///   - settings: What differs from a small one for tests.
  ///   - making: The words that make its data, from where the programs are and where the data shall
  ///     be.
  /// - Throws: `CannotStart`.
  package init(
    settings: [String: String] = [:],
    making: (_ programs: String, _ data: String) -> [String] = { programs, data in
      ["\(programs)/initdb", "-D", data, "-A", "trust", "-U", "app"]
        + ["--no-sync", "-E", "UTF8", "--locale=C"]
    }
  ) throws {
    guard let programs = Self.programs else {
      throw CannotStart(description: "PostgreSQL is not installed; run scripts/setup --postgres")
    }
    folder = try TemporaryFolder()
    self.programs = programs
    let path = folder.path
    let data = "\(path)/data"
    if getuid() == 0 { try Self.run(["chown", "postgres", path]) }
    try Self.run(Self.asUser + making(programs, data))
    let all = [
      "wal_level": "logical", "max_replication_slots": "80", "max_wal_senders": "80",
      "max_connections": "300", "max_slot_wal_keep_size": "1GB", "wal_sender_timeout": "20s",
      "listen_addresses": "", "port": "5432", "unix_socket_directories": path,
      "shared_buffers": "32MB", "autovacuum": "off",
    ].merging(settings) { $1 }
    let text = all.map { "\($0.key) = '\($0.value)'\n" }.joined()
    let file = try FileHandle(forWritingTo: URL(filePath: "\(data)/postgresql.conf"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    let stop = Self.asUser + ["\(programs)/pg_ctl", "-D", data, "-m", "immediate", "stop"]
    watcher = try Watcher(
      [
        "sh", "-c",
        "trap '' INT HUP TERM; read -r line && exit; folder=$1; shift; \"$@\"; rm -rf \"$folder\"",
      ]
        + ["sh", path] + stop)
    try start()
  }

  deinit {
    stop()
    watcher.end()
  }

  /// What runs a program as somebody whom the server accepts: it refuses to run as root.
  private static var asUser: [String] {
    getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
  }

  /// Words and values by which a database of the server is connected to.
  package func connection(_ database: String, user: String = "app") -> String {
    "host=\(folder.path) port=5432 user=\(user) dbname=\(database)"
  }

  private func control(_ words: String...) throws {
    try Self.run(Self.asUser + ["\(programs)/pg_ctl", "-D", "\(folder.path)/data"] + words)
  }

  /// Starts the server, and waits until it takes connections.
  package func start() throws {
    let log = folder.file("log")
    for attempt in 1...100 {
      do {
        return try control("-w", "-l", log, "start")
      } catch  where attempt < 100 {
        // After a kill, what the old server's children hold is free only when they have noticed.
        usleep(100_000)
      } catch {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw CannotStart(description: "\(error) \(text.suffix(2000))")
      }
    }
  }

  private var serverNumber: pid_t? {
    let path = "\(folder.path)/data/postmaster.pid"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").first.flatMap { pid_t($0) }
  }

  private func runningNumber() throws -> pid_t {
    guard let serverNumber else { throw CannotStart(description: "the server does not run") }
    return serverNumber
  }

  /// Kills the server: it does not end in order, and its children find out by themselves.
  package func kill9() throws {
    kill(try runningNumber(), SIGKILL)
  }

  // MARK: - Faults

  private var data: String { "\(folder.path)/data" }

  /// Keeps what the server's disk has, as an image of the disk does.
  package func keepCopy() throws {
    stop()
    try Self.run(["cp", "-a", data, data + ".kept"])
    try start()
  }

  /// Puts the server's disk back to what it had.
  package func putBackCopy() throws {
    stop()
    try Self.run(["rm", "-rf", data])
    try Self.run(["mv", data + ".kept", data])
    try start()
  }

  /// Makes a server that follows another as its standby, without waiting.
  package convenience init(standbyOf primary: PostgresServer) throws {
    try self.init(settings: [:]) { programs, data in
      ["\(programs)/pg_basebackup", "-h", primary.folder.path, "-p", "5432", "-U", "app"]
        + ["-D", data, "-R", "-X", "stream", "-c", "fast"]
    }
  }

  /// Has a standby follow nobody any more.
  package func cutOff() throws {
    let waiting = """
      DO $$ BEGIN
        WHILE EXISTS (SELECT FROM pg_stat_wal_receiver) LOOP
          PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
        END LOOP;
      END $$
      """
    try Self.run(
      Self.asUser + ["\(programs)/psql", "-qX", "-v", "ON_ERROR_STOP=1"]
        + ["-d", connection("postgres"), "-c", "ALTER SYSTEM SET primary_conninfo = ''"]
        + ["-c", "SELECT pg_reload_conf()", "-c", waiting])
  }

  /// Has a standby take the place of the server that it followed.
  package func promote() throws { try control("-w", "promote") }

  /// Words and values by which a database is connected to at whichever of two servers takes writes.
  package func connection(_ database: String, orAt other: PostgresServer) -> String {
    "host=\(folder.path),\(other.folder.path) port=5432,5432 user=app dbname=\(database) "
      + "target_session_attrs=read-write"
  }

  /// Stops all processes of the server where they are.
  package func freeze() throws { try signal(SIGSTOP) }

  /// Has them go on.
  package func thaw() throws { try signal(SIGCONT) }

  private func signal(_ signal: Int32) throws {
    let number = try runningNumber()
    let children = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap {
      pid_t($0)
    }
    .filter { child in
      // The parent's number stands behind the name in parentheses, and a letter.
      let stat = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      return stat?.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap {
        pid_t($0)
      } == number
    }
    for process in [number] + children { kill(process, signal) }
  }

  /// Ends the server in order.
  package func stop() { try? control("-m", "fast", "stop") }

  /// Runs a program to its end, without input.
  private static func run(_ words: [String]) throws {
    let status = try Child(words, input: nil).wait()
    guard status == 0 else {
      throw CannotStart(description: "\(words.joined(separator: " ")) ended with \(status)")
    }
  }
}
