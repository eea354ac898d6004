import SectileRemote
import Testing

@Suite(.timeLimit(.minutes(60))) struct RemoteServiceTests {
  /// A transport with one answer.
  struct Canned: PageTransport {
    var answer = PageResponse()
    func response(to request: PageRequest) async throws -> PageResponse { answer }
  }

  struct Strange: Error {}

  /// One item per line; the word `next:` names a cursor, `fail` fails.
  struct Lines: PageParser {
    func parse(
      _ response: PageResponse, of page: PageToken
    ) throws -> ParsedPage<String, PageToken> {
      var parsed = ParsedPage<String, PageToken>(items: [])
      for line in String(decoding: response.body, as: UTF8.self).split(separator: "\n") {
        if line == "fail" { throw Strange() }
        if line == "malformed" { throw RemoteError(code: .malformedBody, message: "No.") }
        if line == "end" {
          parsed.next = .end
        } else if line.hasPrefix("next:") {
          parsed.next = .page(.cursor(String(line.dropFirst(5))))
        } else if line.hasPrefix("total:") {
          parsed.total = Int(line.dropFirst(6))
        } else {
          parsed.items.append(String(line))
        }
      }
      return parsed
    }
  }

  static func load(
    _ body: String, status: Int = 200, headers: HeaderFields = [:], style: PageStyle = .number(),
    page: PageToken? = nil, _ prepare: (inout RemoteService<String>) -> Void = { _ in }
  ) async throws -> LoadedPage<String, PageToken> {
    let answer = PageResponse(status: status, headers: headers, body: Array(body.utf8))
    var service = RemoteService(
      transport: Canned(answer: answer), parser: Lines(), style: style, bodySizeLimit: 40)
    prepare(&service)
    return try await service.loadPage(page ?? style.firstPage)
  }

  @Test func parserThatLeavesThePageLeavesItToTheStyle() async throws {
    #expect(try await Self.load("a\nb") == .init(items: ["a", "b"], nextPage: .number(2)))
    #expect(try await Self.load("") == .init(items: [], nextPage: nil))
    let headers: HeaderFields = ["Link": "</2>; rel=next"]
    let page = try await Self.load("a", headers: headers, style: .link())
    #expect(page.nextPage == .link("/2"))
  }

  @Test func parserThatNamesThePageIsBelieved() async throws {
    #expect(try await Self.load("a\nnext:x", style: .cursor()).nextPage == .cursor("x"))
    #expect(try await Self.load("a\nend").nextPage == nil)
  }

  @Test func pageThatHasExpiredSaysSo() async throws {
    let later = PageToken.cursor("old")
    let error = await #expect(throws: RemoteError.self) {
      try await Self.load("gone", status: 410, style: .cursor(), page: later)
    }
    #expect(error?.code == .pageExpired)
    #expect(error?.status == 410)
    #expect(error?.isTransient == false)
    #expect(error?.message.contains("old") == false, "tokens may hold secrets")
    let first = await #expect(throws: RemoteError.self) {
      try await Self.load("gone", status: 410, style: .cursor())
    }
    #expect(first?.code == .wrongStatus, "the first page was never named by the service")
    let other = await #expect(throws: RemoteError.self) {
      try await Self.load("no", status: 400, style: .cursor(), page: later) {
        $0.expiredStatuses = [400]
      }
    }
    #expect(other?.code == .pageExpired)
    let ended = try await Self.load("gone", status: 410, style: .cursor(), page: later) {
      $0.endStatuses = [410]
    }
    #expect(ended.nextPage == nil)
  }

  @Test func totalComesFromTheBodyOrTheHeader() async throws {
    let headers: HeaderFields = ["x-total-count": "90"]
    #expect(try await Self.load("a").total == nil)
    #expect(try await Self.load("a", headers: headers).total == 90)
    #expect(try await Self.load("a\ntotal:7", headers: headers).total == 7)
    #expect(try await Self.load("a", headers: headers) { $0.totalField = nil }.total == nil)
  }

  @Test(arguments: [301, 400, 401, 404, 429, 500, 503])
  func statusThatIsNoSuccessIsAnError(_ status: Int) async {
    let headers: HeaderFields = ["Retry-After": "7"]
    let error = await #expect(throws: RemoteError.self) {
      try await Self.load("a", status: status, headers: headers)
    }
    #expect(error?.code == .wrongStatus)
    #expect(error?.status == status)
    #expect(error?.retryAfter == .seconds(7))
    #expect(error?.message.contains("\(status)") == true)
  }

  @Test func secretsInTheAddressAreNotTold() async {
    let url = "https://me:SECRET@example.org:81/songs?api_key=SECRET#SECRET"
    let service = RemoteService(
      transport: Canned(answer: PageResponse(status: 500, url: url)), parser: Lines())
    let error = await #expect(throws: RemoteError.self) { try await service.loadPage(.start) }
    #expect(error.map { "\($0)".contains("SECRET") } == false)
    #expect(
      error?.message
        == "The service answered with status 500 for https://example.org:81/songs.")
  }

  @Test func statusOfTheEndEndsTheListButNotOnItsFirstPage() async throws {
    let page = try await Self.load("gone", status: 404, page: .number(3)) { $0.endStatuses = [404] }
    #expect(page == .init(items: [], nextPage: nil))
    await #expect(throws: RemoteError.self) {
      try await Self.load("gone", status: 404) { $0.endStatuses = [404] }
    }
  }

  @Test func bodyAboveTheLimitIsRefused() async throws {
    #expect(try await Self.load(String(repeating: "x", count: 40)).items.count == 1)
    let error = await #expect(throws: RemoteError.self) {
      try await Self.load(String(repeating: "x", count: 41))
    }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func errorsOfTheParserAreTyped() async {
    let foreign = await #expect(throws: RemoteError.self) { try await Self.load("fail") }
    #expect(foreign?.code == .parserFailed)
    #expect(foreign?.cause is Strange)
    let own = await #expect(throws: RemoteError.self) { try await Self.load("malformed") }
    #expect(own?.code == .malformedBody)
  }

  @Test func wholeListIsFetchedAtOnce() async throws {
    let service = RemoteService(
      transport: Canned(answer: PageResponse(body: Array("a\nb".utf8))), parser: Lines())
    #expect(try await service.fetchItems() == ["a", "b"])
    #expect(try await service.loadPage(.start).nextPage == nil)
  }

  @Test func onlyCountedPagesOfKnownSizeAreFoundByRank() {
    func access(_ style: PageStyle) -> RandomAccessService<String>? {
      RemoteService(transport: Canned(), parser: Lines(), style: style).randomAccess
    }
    for style in [.whole, .cursor(size: 5), .link(size: 5), .number(), .offset()] as [PageStyle] {
      #expect(access(style) == nil)
    }
    #expect(
      access(.number(size: 5))?.place(ofRank: 12) == PagePlace(page: .number(3), firstRank: 10))
    #expect(
      access(.offset(size: 5))?.place(ofRank: 12) == PagePlace(page: .offset(10), firstRank: 10))
  }
}
