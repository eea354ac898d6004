/// A page loader over a service: a transport that fetches, a parser that understands, and a style
/// that says how pages are named.
///
/// ```swift
/// let service = RemoteService(
///   transport: transport, parser: JSONPageParser<Song>(items: ["songs"]),
///   style: .number(parameter: "page", size: 50))
/// let source = PaginatedDataSource(name: "songs", loader: service)
/// ```
public struct RemoteService<Item: Sendable>: PageLoader {
  /// How pages are named.
  public let style: PageStyle
  /// How many bytes the body of an answer may have.
  public var bodySizeLimit: Int
  /// Statuses by which the service says that there is no such page, since the list became shorter.
  ///
  /// They end the list, except on its first page.
  public var endStatuses: Set<Int> = []
  /// Statuses by which the service says that a page it named has expired: errors with
  /// `pageExpired`.
  ///
  /// They are errors like others for the first page, and where they are ``endStatuses``.
  public var expiredStatuses: Set<Int> = [410]
  /// The header field with the number of items of the whole list, for a parser that finds none.
  public var totalField: String? = "X-Total-Count"
  private let transport: any PageTransport
  private let parser: any PageParser<Item, PageToken>

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - transport: What fetches.
  ///   - parser: What understands the answers.
  ///   - style: How pages are named.
  ///   - bodySizeLimit: How many bytes the body of an answer may have.
  public init(
    transport: some PageTransport, parser: some PageParser<Item, PageToken>,
    style: PageStyle = .whole, bodySizeLimit: Int = PageRequest.defaultBodySizeLimit
  ) {
    self.transport = transport
    self.parser = parser
    self.style = style
    self.bodySizeLimit = bodySizeLimit
  }

  /// The page the list begins with.
  public var firstPage: PageToken { style.firstPage }

  /// Fetches a page and parses it.
  ///
  /// - Throws: ``RemoteError`` with `wrongStatus`, `pageExpired`, `bodyTooLarge`, `parserFailed`,
  ///   and what the transport and the parser throw.
  public func loadPage(_ page: PageToken) async throws -> LoadedPage<Item, PageToken> {
    let request = style.request(for: page, bodySizeLimit: bodySizeLimit)
    let response = try await transport.response(to: request)
    if endStatuses.contains(response.status), page != firstPage {
      return LoadedPage(items: [], nextPage: nil)
    }
    if expiredStatuses.contains(response.status), page != firstPage {
      throw RemoteError(
        code: .pageExpired,
        message: "The service does not know the page any more: status \(response.status).",
        hint: "Load the list anew; where it means the end of the list, use endStatuses.",
        status: response.status)
    }
    try check(response)
    let parsed = try parse(response, of: page)
    let (items, skipped) = (parsed.items, parsed.skipped)
    let total =
      parsed.total ?? totalField.flatMap { response.headers[$0] }.flatMap { Int($0) }
    var next: PageToken?
    switch parsed.next {
    case .page(let named) where named != page: next = named
    case .page, .unknown:
      let count = items.count + skipped.count
      next = style.next(after: page, itemCount: count, total: total, in: response)
    case .end: break
    }
    if let link = next?.link { next = .link(transport.resolve(link, in: response)) }
    return LoadedPage(
      items: items, nextPage: next, total: total, skippedOffsets: skipped.offsets)
  }

  /// Fetches the items of the first page: the whole list of a service that does not divide it.
  ///
  /// - Returns: The items.
  /// - Throws: What ``loadPage(_:)`` throws.
  public func fetchItems() async throws -> [Item] {
    try await loadPage(firstPage).items
  }

  private func check(_ response: PageResponse) throws {
    guard (200..<300).contains(response.status) else {
      let place = response.url.map { " for \(RedactedAddress($0))" } ?? ""
      let error = RemoteError(
        code: .wrongStatus, message: "The service answered with status \(response.status)\(place).",
        hint: Self.hint(for: response.status), status: response.status,
        retryAfter: RetryAfter.duration(in: response.headers))
      throw error
    }
    guard response.body.count <= bodySizeLimit else {
      throw RemoteError(
        code: .bodyTooLarge,
        message: "The answer has \(response.body.count) bytes, the limit is \(bodySizeLimit).",
        hint: "Ask for smaller pages, or raise bodySizeLimit.", status: response.status)
    }
  }

  private static func hint(for status: Int) -> String? {
    switch status {
    case 401, 403: "Check the credentials in the transport's header fields."
    case 404, 410: "Check the address; where it means that the list ended, add it to endStatuses."
    case 429: "Ask less often, or for larger pages."
    case 500...: "The service has a problem of its own; try again later."
    default: nil
    }
  }

  private func parse(
    _ response: PageResponse, of page: PageToken
  ) throws -> ParsedPage<Item, PageToken> {
    do {
      return try parser.parse(response, of: page)
    } catch let error as RemoteError {
      throw error
    } catch {
      throw RemoteError(
        code: .parserFailed, message: "The parser failed: \(error)", cause: error,
        status: response.status)
    }
  }
}
