internal import Foundation
internal import Synchronization

/// A server of NATS with JetStream for tests, in a folder of its own, that listens on this machine
/// alone.
///
/// A shell watches over it, and ends it when this process ends, however it does.
package final class NATSServer: Sendable {
  package struct CannotStart: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether tests with a server run: where one is installed, and in continuous integration, where
  /// they fail without.
  package static let isExpected: Bool = {
    if program != nil || ProcessInfo.processInfo.environment["CI"] == "true" { return true }
    FileHandle.standardError.write(
      Data("SKIPPED: tests with NATS, which is not here. Run: scripts/setup --nats\n".utf8))
    return false
  }()

  /// Where the server's program is.
  private static let program: String? = {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return (paths.map(String.init) + ["/usr/sbin"]).map { "\($0)/nats-server" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  private let folder: TemporaryFolder
  private let program: String
  private let port: UInt16
  private let watcher: Watcher

  // MARK: - Mutable state
  //
  // - `child`: guarded by its mutex; nil while the server does not run.
  private let child = Mutex<Child?>(nil)

  /// Starts a server.
  ///
  /// - Throws: `CannotStart`.
  package init() throws {
    guard let program = Self.program else {
      throw CannotStart(description: "NATS is not installed; run scripts/setup --nats")
    }
    folder = try TemporaryFolder()
    self.program = program
    port = try Self.freePort()
    watcher = try Watcher([
      "sh", "-c",
      "trap '' INT HUP TERM; read -r line && exit; kill -9 \"$(cat \"$1/pid\")\"; rm -rf \"$1\"",
      "sh", folder.path,
    ])
    try start()
  }

  deinit {
    kill9()
    watcher.end()
  }

  /// Where it listens.
  package var address: String { "nats://127.0.0.1:\(port)" }

  /// Starts the server, and waits until it takes connections.
  package func start() throws {
    let log = folder.file("log")
    try? FileManager.default.removeItem(atPath: log)
    let started = try Child(
      [
        program, "--jetstream", "--store_dir", folder.file("data"), "--addr", "127.0.0.1",
        "--port", "\(port)", "--log", log, "--pid", folder.file("pid"),
      ], input: nil)
    child.withLock { $0 = started }
    let isReady = waitedUntil {
      (try? String(contentsOfFile: log, encoding: .utf8))?.contains("Server is ready") ?? false
    }
    guard isReady else {
      let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      throw CannotStart(description: "nats-server does not start. \(text.suffix(2000))")
    }
  }

  /// Kills the server, which does not end in order.
  package func kill9() {
    let running = child.withLock { child in
      let running = child
      child = nil
      return running
    }
    guard let running else { return }
    kill(running.number, SIGKILL)
    _ = running.wait()
  }

  /// Removes all that a server has kept that does not run.
  package func loseData() throws {
    try FileManager.default.removeItem(atPath: folder.file("data"))
  }

  /// A port that nobody listens on.
  private static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { throw CannotStart(description: "there is no socket") }
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(number, general, length) == 0 ? getsockname(number, general, &length) : -1
      }
    }
    guard result == 0 else { throw CannotStart(description: "there is no free port") }
    return UInt16(bigEndian: address.sin_port)
  }
}
