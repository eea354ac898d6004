#if Server
  import Sectile
  import SectileServer
  import SectileTestHelpers
  import Synchronization

  /// A server of a file of its own, which ends with the test.
  final class RunningServer: Sendable {
    let file: String
    let folder: TemporaryFolder
    /// Another connection to the file, as another process has one.
    let writer: Store
    let port: Int
    private let server: LiveServer
    private let running: Task<Void, any Error>

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - schema: Statements that make the file.
    ///   - change: Changes the options.
    /// - Throws: What the server throws.
    init(
      _ schema: [String] = RunningServer.packages(12),
      _ change: (inout ServingOptions) -> Void = { _ in }
    ) async throws {
      folder = try TemporaryFolder()
      file = folder.file("app.db")
      writer = try await Store.open(at: file)
      try await writer.write { transaction in
        for statement in schema { try transaction.execute(statement) }
      }
      var options = ServingOptions(file: file)
      options.port = 0
      options.programVersion = "0.0.0"
      change(&options)
      let (stream, addressed) = AsyncStream<String>.makeStream()
      let told = Reference<Mutex<[String]>>(Mutex([]))
      self.addresses = told
      let server = try LiveServer(options) { address in
        told.value.withLock { $0.append(address) }
        addressed.yield(address)
      }
      self.server = server
      running = Task.detached {
        defer { addressed.finish() }
        try await server.run()
      }
      var first: String?
      for await address in stream {
        first = address
        break
      }
      guard let first else {
        try await running.value
        throw HTTPMistake(description: "the server did not say where it is")
      }
      port = Self.port(of: first)
    }

    private let addresses: Reference<Mutex<[String]>>

    /// The addresses that were told so far.
    var addressesTold: [String] { addresses.value.withLock { $0 } }

    /// The token of the last one; empty where there is none.
    var token: String {
      addressesTold.last?.split(separator: "=").dropFirst().first.map(String.init) ?? ""
    }

    private static func port(of address: String) -> Int {
      let rest = address.split(separator: "/")[1]
      return rest.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    /// Begins a session, and returns its cookie as the header has it.
    func cookie() async throws -> String {
      let answer = try await get("/?token=\(token)")
      guard let header = answer.headers["set-cookie"]?.first else {
        throw HTTPMistake(description: "there is no cookie: \(answer.status)")
      }
      return String(header.prefix { $0 != ";" })
    }

    /// Asks, with a plain head of HTTP.
    func get(
      _ target: String, cookie: String? = nil, headers: [String] = [], method: String = "GET"
    ) async throws -> HTTPAnswer {
      var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
      if let cookie { head += "Cookie: \(cookie)\r\n" }
      for header in headers { head += header + "\r\n" }
      return try await send(head + "\r\n", isHead: method == "HEAD")
    }

    /// Sends bytes on a connection of its own, and reads the one answer.
    func send(_ text: String, isHead: Bool = false) async throws -> HTTPAnswer {
      try await RawConnection.with(port: port) { connection in
        try await connection.write(Array(text.utf8))
        return try await connection.answer(isHead: isHead)
      }
    }

    /// Asks for JSON.
    func json(_ target: String, cookie: String) async throws -> [String: Any] {
      let answer = try await get(target, cookie: cookie)
      guard answer.status == 200 else {
        throw HTTPMistake(description: "\(target): \(answer.status) \(answer.text)")
      }
      return try answer.object()
    }

    /// Waits until no stream is open, and returns how many are: none, but where they do not end.
    func streamsLeft(_ cookie: String) async throws -> Int? {
      var count: Int?
      _ = try await comesTrue {
        count = try await json("/api/stats", cookie: cookie)["streams"] as? Int
        return count == 0
      }
      return count
    }

    /// Ends the server, and waits for its end.
    func stop() async throws {
      await server.stop()
      try await running.value
    }

    /// A table of packages in seven sections.
    static func packages(_ count: Int) -> [String] {
      [
        """
        CREATE TABLE package (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, section TEXT, size INTEGER, note BLOB)
        """,
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO package SELECT i, 'name ' || i, 's' || (i % 7), i % 100, NULL FROM n
        """,
      ]
    }
  }

  /// Something that is shared.
  final class Reference<Value: ~Copyable & Sendable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }

  /// Runs a closure with a server, and ends it.
  func withServer<Value>(
    _ schema: [String] = RunningServer.packages(12),
    _ change: (inout ServingOptions) -> Void = { _ in },
    _ body: (RunningServer) async throws -> Value
  ) async throws -> Value {
    let server = try await RunningServer(schema, change)
    let result: Result<Value, any Error>
    do {
      result = .success(try await body(server))
    } catch {
      result = .failure(error)
    }
    try await server.stop()
    try await server.writer.close()
    return try result.get()
  }
#endif
