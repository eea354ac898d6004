import SectileCore
import SectileDataSources
import SectileRemote
import SectileTestSupport
import Synchronization
import Testing

/// The capabilities of the “lighter data sources” model, one by one: an abstract source, an array
/// source and a remote source, apart from the views that show them.
@Suite(.timeLimit(.minutes(60))) struct LighterDataSourcesModelTests {
  struct Track: Decodable, Identifiable, Hashable, Sendable {
    let id: Int
    var title = ""

    private enum CodingKeys: String, CodingKey { case id, title }
  }

  /// A service that answers requests for pages by their parameter `page`.
  final class Radio: PageTransport {
    struct Closed: Error {}

    private let state: Mutex<(bodies: [String: String], log: [String], isClosed: Bool)>

    init(_ bodies: [String: String]) {
      state = Mutex((bodies, [], false))
    }

    var log: [String] { state.withLock { $0.log } }
    func close() { state.withLock { $0.isClosed = true } }
    func play(_ body: String, on page: String) { state.withLock { $0.bodies[page] = body } }

    func response(to request: PageRequest) async throws -> PageResponse {
      try state.withLock { state in
        if state.isClosed { throw Closed() }
        let page = request.parameters.first { $0.name == "page" }?.value ?? ""
        state.log.append(page)
        let body = state.bodies[page] ?? "[]"
        return PageResponse(body: Array(body.utf8))
      }
    }
  }

  /// A parser of the caller's own: a line is a track, the last one may name the next page.
  struct Lines: PageParser {
    struct Unreadable: Error {}

    func parse(
      _ response: PageResponse, of page: PageToken
    ) throws -> ParsedPage<Track, PageToken> {
      var lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
      if lines.contains("?") { throw Unreadable() }
      let next = lines.last.flatMap { $0.hasPrefix(">") ? Int($0.dropFirst()) : nil }
      if next != nil { lines.removeLast() }
      return ParsedPage(
        items: lines.compactMap { Int($0).map { Track(id: $0) } },
        next: next.map { .page(.number($0)) } ?? .end)
    }
  }

  static let pages = [
    "1": #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#,
    "2": #"[{"id": 3, "title": "c"}]"#,
  ]

  static func source(
    _ radio: Radio, retry: RetryPolicy = .never
  ) -> PaginatedDataSource<Track, PageToken> {
    let service = RemoteService(
      transport: radio, parser: JSONPageParser<Track>(), style: .number(parameter: "page", size: 2))
    return PaginatedDataSource(
      name: "radio", loader: service, configuration: RemoteConfiguration(retry: retry))
  }

  // MARK: - The remote source

  @Test func remoteSourceIsMadeFromAServiceAndAPageParameterName() async throws {
    let radio = Radio(Self.pages)
    let source = Self.source(radio)
    try await source.refresh()
    #expect(radio.log == ["1"])
    #expect(source.numberOfItems == 2)
  }

  @Test func fetchMoreAnswersWithTheNewPaths() async throws {
    let source = Self.source(Radio(Self.pages))
    #expect(
      try await source.fetchMore()
        == [ItemPath(section: 0, item: 0), ItemPath(section: 0, item: 1)])
    #expect(try await source.fetchMore() == [ItemPath(section: 0, item: 2)])
    #expect(try await source.fetchMore() == [])
    #expect(!source.hasMore)
  }

  @Test func fetchCanBeCancelled() async throws {
    let source = Self.source(Radio(Self.pages))
    let recorder = ChangeRecorder<Int, Track>()
    source.delegate = recorder
    let token = source.observe { [weak source] event in
      if case .willLoad = event { source?.cancel() }
    }
    await #expect(throws: CancellationError.self) { try await source.fetchMore() }
    #expect(recorder.events.map(\.word) == ["will"])
    #expect(source.numberOfItems == 0)
    token.cancel()
    recorder.sourceWasCancelled()
    #expect(try await source.fetchMore().count == 2)
    try recorder.check(against: source)
  }

  @Test func listGrowsByPages() async throws {
    let source = Self.source(Radio(Self.pages))
    let recorder = ChangeRecorder<Int, Track>()
    source.delegate = recorder
    while source.hasMore { try await source.fetchMore() }
    #expect(
      recorder.events.map(\.word) == ["will", "+2", "finished", "will", "+1", "finished"])
    try recorder.check(against: source)
  }

  @Test func failureIsToldAndNothingIsLost() async throws {
    let radio = Radio(Self.pages)
    let source = Self.source(radio)
    try await source.refresh()
    radio.close()
    let error = await #expect(throws: RemoteError.self) { try await source.fetchMore() }
    #expect(error?.cause is Radio.Closed)
    #expect(source.numberOfItems == 2)
  }

  // MARK: - The parser

  @Test func parserIsSeparateFromFetching() throws {
    let body = Array(#"[{"id": 7, "title": "x"}]"#.utf8)
    let page = try JSONPageParser<Track>().parse(PageResponse(body: body), of: .number(1))
    #expect(page.items == [Track(id: 7, title: "x")])
  }

  @Test func parserTakesThePageAndGivesTheNextOne() async throws {
    let radio = Radio(["1": "10\n11\n>7", "7": "12"])
    let service = RemoteService(transport: radio, parser: Lines(), style: .number())
    let source = PaginatedDataSource(name: "radio", loader: service, pagesPerLoad: .max)
    try await source.refresh()
    #expect(radio.log == ["1", "7"])
    #expect(source.snapshot.materializedIDs == [10, 11, 12])
    #expect(!source.hasMore)
  }

  @Test func parserMayFail() async throws {
    let radio = Radio(["1": "10\n>2", "2": "?"])
    let service = RemoteService(transport: radio, parser: Lines(), style: .number())
    let source = PaginatedDataSource(
      name: "radio", loader: service, configuration: RemoteConfiguration(retry: .never))
    try await source.refresh()
    let error = await #expect(throws: RemoteError.self) { try await source.fetchMore() }
    #expect(error?.code == .parserFailed)
    #expect(error?.cause is Lines.Unreadable)
    #expect(source.snapshot.materializedIDs == [10])
  }

  // MARK: - Reading any source

  @Test func itemsAreReadByPathAndFoundByIdentity() async throws {
    let source = Self.source(Radio(Self.pages))
    try await source.refresh()
    #expect(try source[0, 1] == Track(id: 2, title: "b"))
    #expect(source.path(of: 2) == ItemPath(section: 0, item: 1))
    #expect(source.path(of: 9) == nil)
    #expect(source.numberOfItems == 2)
  }

  // MARK: - Mutable sources

  @Test func mutableSourceInsertsRemovesMovesAndReplacesAtPaths() throws {
    let source = ArrayDataSource(name: "tracks", items: [Track(id: 1), Track(id: 2)])
    let recorder = ChangeRecorder<Int, Track>()
    source.delegate = recorder
    source.load()
    func path(_ item: Int) -> ItemPath { ItemPath(section: 0, item: item) }
    try source.insert(Track(id: 3), at: path(0))
    try source.replace(at: path(1), with: Track(id: 1, title: "new"))
    try source.move(from: path(2), to: path(0))
    try source.remove(at: path(1))
    #expect(source.snapshot.contents.sections.flatMap { $0.rows.map(\.id) } == [2, 1])
    #expect(
      recorder.events.map(\.word).filter { !["will", "finished"].contains($0) }
        == ["+2", "+1", "~1", ">1", "-1"])
    try recorder.check(against: source)
  }

  // MARK: - Several views

  @Test func sharedSourceBehindTwoViewsShowsBothTheSame() async throws {
    let radio = Radio(Self.pages)
    let source = Self.source(radio)
    let titles = Mutex<[String]>([])
    let numbers = Mutex<[Int]>([])
    @Sendable func rows() -> [Track] {
      let snapshot = source.snapshot
      return (0..<snapshot.numberOfItems).compactMap {
        try? snapshot.item(at: snapshot.path(atRank: $0))
      }
    }
    let tokens = [
      source.observe { event in
        if case .didPartiallyLoad = event { titles.withLock { $0 = rows().map(\.title) } }
      },
      source.observe { event in
        if case .didPartiallyLoad = event { numbers.withLock { $0 = rows().map(\.id) } }
      },
    ]
    while source.hasMore { try await source.fetchMore() }
    #expect(titles.withLock { $0 } == ["a", "b", "c"])
    #expect(numbers.withLock { $0 } == [1, 2, 3])
    radio.play(#"[{"id": 3, "title": "c"}, {"id": 1, "title": "z"}]"#, on: "1")
    radio.play("[]", on: "2")
    try await source.refresh()
    #expect(titles.withLock { $0 } == ["c", "z"])
    #expect(numbers.withLock { $0 } == [3, 1])
    for token in tokens { token.cancel() }
  }
}
