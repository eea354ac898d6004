#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1
  public import SectileFeedClient
  public import SectileRemote

  /// Brings the stream of a feed over HTTP, for a ``/SectileFeedClient/FeedClient``.
  ///
  /// ```swift
  /// let transport = try FeedHTTPTransport(
  ///   serviceURL: "https://depot.example/parcels/events",
  ///   headers: ["Authorization": "Bearer \(token)"])
  /// let parcels = FeedClient<Int64, Parcel>(name: "parcels", transport: transport)
  /// ```
  ///
  /// Redirects are not followed: the client is refused with their status. How long nothing may
  /// arrive is for the client to decide, which knows the service's heartbeats. What the client has
  /// not taken in stays in the connection, and so with the service.
  public final class FeedHTTPTransport: FeedTransport {
    private let service: ServiceAddress
    private let headers: HeaderFields
    private let answerTimeout: Duration
    private let client: HTTPClient

    /// Creates a transport; no connection is made yet.
    ///
    /// - Parameters:
    ///   - serviceURL: The address of the stream.
    ///   - headers: The header fields of all requests.
    ///   - connectTimeout: How long a connection may take to be made.
    ///   - answerTimeout: How long the service may take to begin its answer.
    /// - Throws: ``/SectileRemote/RemoteError`` with `invalidAddress` where the address is not one
    ///   of HTTP.
    public init(
      serviceURL: String, headers: HeaderFields = [:], connectTimeout: Duration = .seconds(10),
      answerTimeout: Duration = .seconds(30)
    ) throws(RemoteError) {
      service = try ServiceAddress(serviceURL)
      self.headers = headers
      self.answerTimeout = answerTimeout
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(connectTimeout), read: nil))
      // Whether and when to try again is for whoever asks to decide.
      configuration.connectionPool.retryConnectionEstablishment = false
      // A connection for each stream, which ends with it: one of HTTP/2 that is dead would stay in
      // the pool, and every other attempt would be made on it.
      configuration.httpVersion = .http1Only
      client = HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    deinit {
      // Streams hold on to the transport: none is under way. What closing meets helps nobody.
      client.shutdown { _ in }
    }

    /// Asks for the stream, and hands over what comes until the answer ends.
    ///
    /// - Throws: ``/SectileRemote/RemoteError`` with `connectionFailed` or `timedOut`, what
    ///   `receive` throws, and `CancellationError` where the task is cancelled.
    public func stream(
      after position: String, to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
    ) async throws {
      let response: HTTPClientResponse
      do {
        response = try await client.execute(
          request(after: position), timeout: TimeAmount(answerTimeout))
      } catch {
        throw meaning(of: error)
      }
      let retryAfter = response.headers.first(name: "Retry-After").flatMap { Int64($0) }
      try await receive(
        .head(
          FeedStreamHead(
            status: Int(response.status.code),
            contentType: response.headers.first(name: "Content-Type"),
            retryAfter: retryAfter.map { .seconds(max(0, $0)) })))
      var parts = response.body.makeAsyncIterator()
      while true {
        let part: ByteBuffer?
        do {
          part = try await parts.next()
        } catch {
          throw meaning(of: error)
        }
        guard let part else { return }
        try await receive(.bytes(Array(part.readableBytesView)))
      }
    }

    private func request(after position: String) -> HTTPClientRequest {
      var request = HTTPClientRequest(url: service.text)
      for field in headers.fields { request.headers.add(name: field.name, value: field.value) }
      request.headers.add(name: "Accept", value: "text/event-stream")
      // Nobody unpacks what is compressed, and a proxy that does it holds events back.
      request.headers.add(name: "Accept-Encoding", value: "identity")
      request.headers.add(name: "Cache-Control", value: "no-store")
      if !position.isEmpty { request.headers.add(name: "Last-Event-ID", value: position) }
      return request
    }

    private func meaning(of error: any Error) -> any Error {
      if Task.isCancelled { return CancellationError() }
      return RemoteError(transport: error, address: service.shown)
    }
  }
#endif
