internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Sectile
internal import SectileFeed

/// A server of swift-nio alone, which streams a live list and keeps tables of its own beside it.
public struct JobServer: Sendable {
  private typealias Client = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  private let store: Store
  private let jobs: SectionedResults<Job>
  private let feed: Feed<SectionedResults<Job>, Void>
  private let visits: Visits

  /// Opens the file of the jobs, and that of the server's own tables: the same, or another one.
  public init(database: String, own: String) async throws {
    store = try await Store.open(at: database, migrations: Job.migrations)
    visits = try Visits(at: own)
    // Commits of other connections are then followed row by row, and at once. All tables are in
    // the log: after a commit that it does not name, everything would be read again.
    try store.changeLog.enable()
    jobs = try store.results(of: FetchRequest<Job>().sort(by: \.id))
    try await jobs.loadAndWait()
    feed = Feed(of: jobs)
  }

  /// Answers until the task is cancelled, at a port that it tells; at any that is free for 0.
  public func run(port: Int, onRunning: @Sendable (Int) -> Void) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          // A connection has one request, so that nothing keeps its end from being noticed.
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: false)
          return try Client(wrappingChannelSynchronously: channel)
        }
      }
    onRunning(server.channel.localAddress?.port ?? 0)
    try await withThrowingDiscardingTaskGroup { tasks in
      try await server.executeThenClose { clients in
        for try await client in clients { tasks.addTask { await serve(client) } }
      }
    }
  }

  /// Ends the streams, and closes the files; the store last, which then leaves no log behind.
  public func close() async throws {
    feed.finish()
    try visits.close()
    try await store.close()
  }

  private func serve(_ client: Client) async {
    // Whatever is thrown, such as by a client that has gone, ends the connection.
    try? await client.executeThenClose { parts, writer in
      var head: HTTPRequestHead?
      var body = ByteBuffer()
      for try await part in parts {
        switch part {
        case .head(let request): head = request
        case .body(var bytes):
          body.writeBuffer(&bytes)
          guard body.readableBytes <= 4_096 else { return }
        case .end:
          guard let head else { return }
          return try await answer(head, String(buffer: body), to: client, writer)
        }
      }
    }
  }

  private func answer(
    _ request: HTTPRequestHead, _ body: String, to client: Client, _ writer: Writer
  ) async throws {
    if request.method == .GET && request.uri == "/jobs/events" {
      return try await stream(to: client, request.headers.first(name: "Last-Event-ID"), writer)
    }
    let (status, text) = try await result(of: request, body)
    try await writer.write(head(status, [("Content-Length", "\(text.utf8.count)")]))
    try await writer.write(.body(.byteBuffer(ByteBuffer(string: text))))
    try await writer.write(.end(nil))
  }

  private func result(
    of request: HTTPRequestHead, _ body: String
  ) async throws -> (HTTPResponseStatus, String) {
    try await visits.note(request.uri)
    switch (request.method, request.uri) {
    case (.POST, "/jobs"):
      try await store.write { try $0.execute("INSERT INTO job (title) VALUES (?)", body) }
      return (.created, "")
    case (.GET, "/visits"): return (.ok, "\(try await visits.count())\n")
    default: return (.notFound, "")
    }
  }

  /// Mounts the feed: a status, header fields and chunks of bytes, and the end when the client
  /// goes.
  private func stream(to client: Client, _ position: String?, _ writer: Writer) async throws {
    let answer = try await feed.response(lastEventID: position)
    let status = HTTPResponseStatus(statusCode: answer.status)
    try await writer.write(head(status, answer.headers.map { ($0.name, $0.value) }))
    let stream = Task {
      try await answer.write { bytes in
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
      } finishing: {
        try await writer.write(.end(nil))
      }
    }
    client.channel.closeFuture.whenComplete { _ in stream.cancel() }
    try await withTaskCancellationHandler {
      try await stream.value
    } onCancel: {
      stream.cancel()
    }
  }

  private func head(
    _ status: HTTPResponseStatus, _ fields: [(String, String)]
  ) -> HTTPServerResponsePart {
    let fields = HTTPHeaders(fields + [("Connection", "close")])
    return .head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))
  }
}
