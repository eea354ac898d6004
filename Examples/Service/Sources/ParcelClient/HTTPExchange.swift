internal import NIOCore
public import NIOHTTP1
internal import NIOPosix

/// One connection to the service, which answers one request after another.
///
/// What is not read stays in the connection, and after that with the service: a client that does
/// not ask for more is a slow one.
public final class HTTPExchange {
  private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

  private var inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
  private let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>

  private init(
    _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
    _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
  ) {
    self.inbound = inbound.makeAsyncIterator()
    self.outbound = outbound
  }

  /// Connects, and closes the connection when a closure ends.
  ///
  /// - Parameters:
  ///   - server: Where to.
  ///   - receiveBuffer: How many bytes the system may hold for the client; nil for what it thinks
  ///     best.
  ///   - body: Asks and reads.
  /// - Returns: What `body` returns.
  /// - Throws: What connecting throws, and `body`.
  public static func with<Value: Sendable>(
    _ server: ServerAddress, receiveBuffer: Int? = nil,
    _ body: (HTTPExchange) async throws -> Value
  ) async throws -> Value {
    var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    if let receiveBuffer {
      bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
    }
    let connection = try await bootstrap.connect(host: server.host, port: server.port) { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        return try Connection(wrappingChannelSynchronously: channel)
      }
    }
    return try await connection.executeThenClose { inbound, outbound in
      try await body(HTTPExchange(inbound, outbound))
    }
  }

  /// Asks, and reads the whole answer.
  ///
  /// - Parameters:
  ///   - method: What is asked.
  ///   - path: Of what.
  ///   - body: The bytes that go with it.
  /// - Returns: The status, and the bytes of the answer.
  /// - Throws: `ClientError` where the answer ends too early; what the connection throws.
  public func answer(
    _ method: HTTPMethod, _ path: String, _ body: [UInt8] = []
  ) async throws -> (status: Int, bytes: [UInt8]) {
    let status = try await ask(method, path, body)
    var bytes: [UInt8] = []
    while let chunk = try await next() { bytes += chunk }
    return (status, bytes)
  }

  /// Asks, and reads the head of the answer; ``next()`` reads on.
  ///
  /// - Parameters:
  ///   - method: What is asked.
  ///   - path: Of what.
  ///   - body: The bytes that go with it.
  ///   - headers: What is said besides.
  /// - Returns: The status.
  /// - Throws: `ClientError` where there is no answer; what the connection throws.
  public func ask(
    _ method: HTTPMethod, _ path: String, _ body: [UInt8] = [],
    headers: [(String, String)] = []
  ) async throws -> Int {
    var fields = HTTPHeaders([("Host", "parcels")] + headers)
    if !body.isEmpty {
      fields.add(name: "Content-Type", value: "application/json")
      fields.add(name: "Content-Length", value: "\(body.count)")
    }
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: fields)
    try await outbound.write(.head(head))
    if !body.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
    try await outbound.write(.end(nil))
    guard case .head(let answer)? = try await inbound.next() else { throw ClientError.cutOff }
    return Int(answer.status.code)
  }

  /// Returns the next bytes of the answer; nil at its end.
  ///
  /// - Returns: The bytes.
  /// - Throws: `ClientError` where the connection ends before the answer does; what it throws.
  public func next() async throws -> [UInt8]? {
    switch try await inbound.next() {
    case .body(let buffer)?: Array(buffer.readableBytesView)
    case .end?: nil
    case .head?, nil: throw ClientError.cutOff
    }
  }
}
