#if Postgres
  import Foundation
  import Glibc
  import SectileTestHelpers
  import Synchronization

  /// A way to a server on which is counted how often somebody waits for the server.
  final class CountingRelay: Sendable {
    private struct State {
      var turnCount = 0
      var isClosed = false
      var holdsAnswers = false
      var cutCount = 0
    }

    private let folder: TemporaryFolder
    private let server: String
    private let listener: Int32
    private let state = Mutex(State())

    /// Opens a way to the server of a database.
    init(to database: TestDatabase) throws {
      folder = try TemporaryFolder()
      let words = database.connection().split(separator: " ")
      let host = words.first { $0.hasPrefix("host=") }?.dropFirst("host=".count) ?? ""
      server = "\(host)/.s.PGSQL.5432"
      listener = Self.makeSocket()
      let isListening =
        Self.withAddress("\(folder.path)/.s.PGSQL.5432") { bind(listener, $0, $1) } == 0
        && listen(listener, 16) == 0
      guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      Thread.detachNewThread { [self] in acceptAll() }
    }

    /// A connection by this way.
    func connection(_ database: TestDatabase) -> String {
      // Of a word that stands twice the last one counts.
      database.connection() + " host=\(folder.path)"
    }

    /// How often somebody waited until the server was ready again: so many round trips it takes.
    var turnCount: Int { state.withLock { $0.turnCount } }

    /// Has answers get lost from now on, or no more.
    func holdAnswers(_ holds: Bool) { state.withLock { $0.holdsAnswers = holds } }

    /// Ends all connections that there are.
    func cut() { state.withLock { $0.cutCount += 1 } }

    /// Ends the way.
    func end() {
      state.withLock { $0.isClosed = true }
      shutdown(listener, Int32(SHUT_RDWR))
    }

    // MARK: - Threads

    private func acceptAll() {
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { break }
        Thread.detachNewThread { [self] in relay(client) }
      }
      _ = close(listener)
    }

    private func relay(_ client: Int32) {
      let other = Self.makeSocket()
      defer {
        _ = close(client)
        _ = close(other)
      }
      guard Self.withAddress(server, { connect(other, $0, $1) }) == 0 else { return }
      let first = state.withLock { $0.cutCount }
      var turns = TurnCounter()
      while state.withLock({ !$0.isClosed && $0.cutCount == first }) {
        var ready = [
          pollfd(fd: client, events: Int16(POLLIN), revents: 0),
          pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ready, 2, 5) > 0 else { continue }
        if ready[0].revents != 0 {
          guard let bytes = Self.take(from: client) else { return }
          let count = turns.count(in: bytes)
          state.withLock { $0.turnCount += count }
          guard Self.pass(bytes, to: other) else { return }
        }
        if ready[1].revents != 0 {
          guard let bytes = Self.take(from: other) else { return }
          let isLost = state.withLock { $0.holdsAnswers }
          guard isLost || Self.pass(bytes, to: client) else { return }
        }
      }
    }

    /// Takes what has come; nil where nothing will come any more.
    private static func take(from source: Int32) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(source, &bytes, bytes.count)
      return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Passes on what has come; returns whether that was possible.
    private static func pass(_ bytes: [UInt8], to target: Int32) -> Bool {
      var start = 0
      while start < bytes.count {
        let written = bytes.withUnsafeBytes { buffer in
          send(
            target, buffer.baseAddress.map { $0 + start }, buffer.count - start,
            Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return false }
        start += written
      }
      return true
    }

    private static func makeSocket() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }

    private static func withAddress(
      _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { target in
        for (place, byte) in path.utf8.prefix(target.count - 1).enumerated() {
          target[place] = byte
        }
      }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
      }
    }
  }

  /// Reads what a client sends, to count the messages after which it waits: a query of the simple
  /// protocol, and the end of statements of the other one.
  private struct TurnCounter {
    private var rest: [UInt8] = []
    /// Whether the first message has come, which has no letter.
    private var hasBegun = false

    mutating func count(in bytes: [UInt8]) -> Int {
      rest += bytes
      var (count, start) = (0, 0)
      while true {
        let lead = hasBegun ? 1 : 0
        guard rest.count - start >= lead + 4 else { break }
        let length = rest[(start + lead)..<(start + lead + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard rest.count - start >= lead + length else { break }
        if hasBegun, [UInt8(ascii: "S"), UInt8(ascii: "Q")].contains(rest[start]) { count += 1 }
        hasBegun = true
        start += lead + length
      }
      rest.removeFirst(start)
      return count
    }
  }
#endif
