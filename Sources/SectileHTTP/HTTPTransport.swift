#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTPCompression
  public import SectileRemote

  /// Brings the requests of a remote list to a service over HTTP.
  ///
  /// ```swift
  /// let transport = try HTTPTransport(
  ///   serviceURL: "https://radio.example/songs?sort=title",
  ///   headers: ["Authorization": "Bearer \(token)"])
  /// let service = RemoteService(
  ///   transport: transport, parser: JSONPageParser<Song>(), style: .number(parameter: "page"))
  /// ```
  ///
  /// The parameters that name a page are added to the query of the service's address. Redirects are
  /// followed up to a limit, and never from an encrypted connection to one that is not; the
  /// transport's header fields go to the service's own scheme, host and port only. Bodies are
  /// decompressed and read up to the limit of the request, however large they say they are.
  ///
  /// A transport keeps its connections open for later requests, and closes them when it is
  /// released.
  public final class HTTPTransport: PageTransport {
    private let service: ServiceAddress
    private let headers: HeaderFields
    private let options: HTTPOptions
    private let client: HTTPClient

    /// Creates a transport; no connection is made yet.
    ///
    /// - Parameters:
    ///   - serviceURL: The address of the service, with the parameters that all requests share.
    ///   - headers: The header fields of all requests.
    ///   - options: Timeouts, and where redirects and links may lead.
    /// - Throws: ``/SectileRemote/RemoteError`` with `invalidAddress` where the address is not one
    ///   of HTTP.
    public init(
      serviceURL: String, headers: HeaderFields = [:], options: HTTPOptions = HTTPOptions()
    ) throws(RemoteError) {
      service = try ServiceAddress(serviceURL)
      self.headers = headers
      self.options = options
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: HTTPClient.Configuration.Timeout(
          connect: TimeAmount(options.connectTimeout), read: TimeAmount(options.idleTimeout)),
        decompression: .enabled(limit: .size(Self.decompressedSizeLimit)))
      // Whether and when to try again is for whoever asks to decide.
      configuration.connectionPool.retryConnectionEstablishment = false
      client = HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    deinit {
      // Requests hold on to the transport: none is under way. What closing meets helps nobody.
      client.shutdown { _ in }
    }

    /// How many bytes a compressed body may grow to before the limit of its request is looked at.
    private static let decompressedSizeLimit = 256 * 1024 * 1024

    // MARK: - Requests

    /// Sends a request and returns the answer, whatever its status is.
    ///
    /// - Throws: ``/SectileRemote/RemoteError`` with `connectionFailed`, `timedOut`,
    ///   `bodyTooLarge`, `tooManyRedirects` or `invalidAddress`, and `CancellationError` where the
    ///   task is cancelled.
    public func response(to request: PageRequest) async throws -> PageResponse {
      var address = try address(of: request)
      var visited = [address]
      let end = ContinuousClock.now + options.timeout
      while true {
        let current = address
        do {
          let response = try await send(to: current, until: end)
          guard let next = try redirect(response, from: current) else {
            return try await collect(response, from: current, request.bodySizeLimit, until: end)
          }
          guard visited.count <= options.redirectLimit, !visited.contains(next) else {
            throw RemoteError(
              code: .tooManyRedirects,
              message: "\(current.shown) redirects too often, or in a circle.",
              hint: "Use the address that the service redirects to, or raise redirectLimit.")
          }
          visited.append(next)
          address = next
        } catch {
          if Task.isCancelled { throw CancellationError() }
          throw RemoteError(transport: error, address: current.shown)
        }
      }
    }

    /// Returns the full address of a link.
    public func resolve(_ link: String, in response: PageResponse) -> String {
      let base = response.url.flatMap { url in try? ServiceAddress(url) } ?? service
      return (try? ServiceAddress(link, relativeTo: base))?.text ?? link
    }

    private func address(of request: PageRequest) throws(RemoteError) -> ServiceAddress {
      guard let link = request.link else { return try service.adding(request.parameters) }
      let address = try ServiceAddress(link, relativeTo: service).adding(request.parameters)
      guard address.origin == service.origin || options.followsForeignLinks else {
        throw RemoteError(
          code: .invalidAddress,
          message: "The service links to \(address.shown), which is not its own.",
          hint: "Set followsForeignLinks where that is right.")
      }
      return address
    }

    private func send(
      to address: ServiceAddress, until end: ContinuousClock.Instant
    ) async throws -> HTTPClientResponse {
      var request = HTTPClientRequest(url: address.text)
      if address.origin == service.origin {
        for field in headers.fields { request.headers.add(name: field.name, value: field.value) }
      }
      if !request.headers.contains(name: "Accept-Encoding") {
        request.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
      }
      let left = max(.zero, ContinuousClock.now.duration(to: end))
      return try await client.execute(request, timeout: TimeAmount(left))
    }

    /// Returns where an answer redirects to, or nil where it does not.
    private func redirect(
      _ response: HTTPClientResponse, from address: ServiceAddress
    ) throws(RemoteError) -> ServiceAddress? {
      guard [301, 302, 303, 307, 308].contains(response.status.code),
        let location = response.headers.first(name: "Location")
      else { return nil }
      let next = try ServiceAddress(location, relativeTo: address)
      guard next.isSecure || !address.isSecure else {
        throw RemoteError(
          code: .invalidAddress,
          message: "\(address.shown) redirects to \(next.shown), which is not encrypted.",
          hint: "Use the address that is meant, with https.")
      }
      return next
    }

    private func collect(
      _ response: HTTPClientResponse, from address: ServiceAddress, _ limit: Int,
      until end: ContinuousClock.Instant
    ) async throws -> PageResponse {
      var body: [UInt8] = []
      for try await part in response.body {
        guard body.count + part.readableBytes <= limit else {
          throw RemoteError(
            code: .bodyTooLarge,
            message: "The answer of \(address.shown) has more than \(limit) bytes.",
            hint: "Ask for smaller pages, or raise bodySizeLimit.",
            status: Int(response.status.code))
        }
        guard ContinuousClock.now < end else { throw HTTPClientError.deadlineExceeded }
        body += part.readableBytesView
      }
      let fields = response.headers.map { HeaderFields.Field(name: $0.name, value: $0.value) }
      return PageResponse(
        status: Int(response.status.code), headers: HeaderFields(fields), body: body,
        url: address.text)
    }
  }
#endif
