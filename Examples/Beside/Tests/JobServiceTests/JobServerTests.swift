import AsyncHTTPClient
import Foundation
import GRDB
import JobService
import NIOCore
import NIOHTTP1
import Sectile
import SectileFeedClient
import SectileHTTP
import Testing

@Suite(.timeLimit(.minutes(60))) struct JobServerTests {
  /// The server's own tables are in the same file, or in another one.
  @Test(arguments: ["jobs.sqlite", "visits.sqlite"])
  func feedTellsWhateverConnectionWrites(own: String) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "jobs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = folder.appending(path: "jobs.sqlite").path
    let ownPath = folder.appending(path: own).path
    let server = try await JobServer(database: database, own: ownPath)
    let (ports, running) = AsyncStream<Int>.makeStream()
    let task = Task {
      defer { running.finish() }
      try await server.run(port: 0) { running.yield($0) }
    }
    var iterator = ports.makeAsyncIterator()
    let first = await iterator.next()
    let port = try #require(first)
    let address = "http://127.0.0.1:\(port)"

    let transport = try FeedHTTPTransport(serviceURL: "\(address)/jobs/events")
    let jobs = FeedClient<Int64, Job>(name: "jobs", transport: transport)
    try await jobs.loadAndWait()
    #expect(try await Self.answer(.POST, "\(address)/jobs", "sweep") == "201 ")
    // A connection that the store does not know writes to the store's table.
    try await Self.write("INSERT INTO job (title) VALUES ('mop')", to: database)
    while try Self.titles(of: jobs) != ["sweep", "mop"] {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try await Self.answer(.GET, "\(address)/visits") == "200 2\n")
    #expect(try await Self.answer(.GET, "\(address)/nothing") == "404 ")

    jobs.cancel()
    try await server.close()
    task.cancel()
    _ = await task.result
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    // GRDB's pool closes its readers last, and SQLite then keeps the log of a file of its own.
    let rest = files.filter { !$0.hasSuffix("-lock") && !$0.hasPrefix("visits.sqlite-") }
    #expect(Set(rest) == ["jobs.sqlite", own])
    // Each side finds its own ledger, and what it has applied.
    try await JobServer(database: database, own: ownPath).close()
  }

  private static func answer(
    _ method: HTTPMethod, _ url: String, _ body: String = ""
  ) async throws -> String {
    var request = HTTPClientRequest(url: url)
    request.method = method
    if !body.isEmpty { request.body = .bytes(ByteBuffer(string: body)) }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(600))
    let text = String(buffer: try await response.body.collect(upTo: 1_000_000))
    return "\(response.status.code) \(text)"
  }

  private static func write(_ sql: String, to path: String) async throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    let pool = try DatabasePool(path: path, configuration: configuration)
    try await pool.write { try $0.execute(sql: sql) }
    try pool.close()
  }

  private static func titles(of jobs: FeedClient<Int64, Job>) throws -> [String] {
    try jobs.snapshot.materialized().sections.flatMap(\.rows).map(\.item.title)
  }
}
