import Foundation
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileRemote

/// Pages in which some elements are no items.
@Suite struct SkippedElementsTests {
  struct Station: Codable, Identifiable, Equatable, Sendable {
    let id: Int
    let name: String
    var level: Int8?
    var since: Date?
  }

  typealias Report = SkippedElements.Report

  static func parse(
    _ body: String, items: [String] = [], reportLimit: Int = 20,
    configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in },
    onSkip: (@Sendable (SkippedElements, PageToken) -> Void)? = nil
  ) throws -> ParsedPage<Station, PageToken> {
    let parser = JSONPageParser<Station>(
      items: items, total: items.isEmpty ? nil : ["total"], configure: configure
    )
    .skippingBadElements(reportLimit: reportLimit, onSkip: onSkip)
    return try parser.parse(PageResponse(body: Array(body.utf8)), of: .number(7))
  }

  static func body(_ elements: String...) -> String {
    #"{"list": [\#(elements.joined(separator: ", "))], "total": 90}"#
  }

  static let good = #"{"id": 1, "name": "a"}"#

  @Test(arguments: [
    (#"{"id": "x", "name": "b"}"#, SkippedElements.Reason.wrongType, ["id"] as [String]?),
    (#"{"id": 2}"#, .missingField, ["name"]),
    (#"{"id": null, "name": "b"}"#, .missingValue, ["id"]),
    (#"{"id": 2, "name": "b", "level": 300}"#, .unfitValue, ["level"]),
    (#"{"id": 1e40, "name": "b"}"#, .unfitValue, ["id"]),
    // Where the date is, the decoder does not tell everywhere.
    (#"{"id": 2, "name": "b", "since": "yesterday"}"#, .unfitValue, nil),
    (#"{"id": 2, "name": ["b"]}"#, .wrongType, ["name"]),
    ("3", .wrongType, []), (#""text""#, .wrongType, []), ("[]", .wrongType, []),
    ("true", .wrongType, []), ("{}", .missingField, ["id"]),
  ])
  func badElementIsLeftOutAndReported(
    _ element: String, _ reason: SkippedElements.Reason, _ place: [String]?
  ) throws {
    let last = #"{"id": 3, "name": "c", "level": 5}"#
    let body = Self.body(Self.good, element, last)
    let page = try Self.parse(
      body, items: ["list"], configure: { $0.dateDecodingStrategy = .iso8601 })
    #expect(page.items.map(\.id) == [1, 3])
    #expect(page.skipped.count == 1)
    #expect(page.skipped.offsets == [1])
    let report = try #require(page.skipped.reports.first)
    #expect(report.offset == 1)
    #expect(report.reason == reason, "\(report)")
    if let place { #expect(report.place == place, "\(report)") }
    #expect(!report.message.isEmpty)
    #expect(page.total == 90)
    // Without the option it fails the page.
    let strict = JSONPageParser<Station>(items: ["list"]) { $0.dateDecodingStrategy = .iso8601 }
    let error = #expect(throws: RemoteError.self) {
      _ = try strict.parse(PageResponse(body: Array(body.utf8)), of: .number(7))
    }
    #expect(error?.code == .unexpectedShape)
  }

  @Test func nullIsNoItem() throws {
    let page = try Self.parse("[null, \(Self.good), null]")
    #expect(page.items.map(\.id) == [1])
    #expect(page.skipped.offsets == [0, 2])
    #expect(page.skipped.reports.allSatisfy { [.missingValue, .wrongType].contains($0.reason) })
  }

  @Test func numberThatDoesNotFitIsTold() throws {
    let page = try Self.parse(Self.body(#"{"id": 2, "name": "b", "level": -129}"#), items: ["list"])
    #expect(
      page.skipped.reports == [
        Report(
          offset: 0, reason: .unfitValue, place: ["level"],
          message: "-129 is not a value of Int8.")
      ])
    #expect(page.skipped.reports[0].description.hasPrefix("element 0, at level: -129"))
  }

  struct Picky: Decodable, Sendable {
    struct Refused: Error {}
    let id: Int

    init(from decoder: any Decoder) throws {
      id = try decoder.singleValueContainer().decode(Int.self)
      if id % 2 == 1 { throw Refused() }
    }
  }

  @Test func itemThatRefusesItselfIsLeftOut() throws {
    let parser = JSONPageParser<Picky>().skippingBadElements()
    let page = try parser.parse(PageResponse(body: Array("[2, 3, 4, 5]".utf8)), of: .number(1))
    #expect(page.items.map(\.id) == [2, 4])
    #expect(page.skipped.reports.map(\.reason) == [.rejected, .rejected])
    #expect(page.skipped.reports[0].message.contains("Refused"))
  }

  @Test func itemsOfSpecialTypesAreReadAsEver() throws {
    let parser = JSONPageParser<Date> { $0.dateDecodingStrategy = .iso8601 }
      .skippingBadElements()
    let body = #"["2026-01-01T00:00:00Z", "soon", "2026-01-02T00:00:00Z"]"#
    let page = try parser.parse(PageResponse(body: Array(body.utf8)), of: .number(1))
    #expect(page.items.count == 2)
    #expect(page.skipped.offsets == [1])
    let links = JSONPageParser<URL>().skippingBadElements()
    let other = try links.parse(
      PageResponse(body: Array(#"["https://a.example", 5]"#.utf8)), of: .number(1))
    #expect(other.items.map(\.absoluteString) == ["https://a.example"])
  }

  @Test(arguments: ["", "<html>", "[", #"[{"id": 1, "name": "a"}"#, "\u{0}", "[1,]2"])
  func bodyThatIsNotJSONIsMalformedAsEver(_ body: String) {
    let error = #expect(throws: RemoteError.self) { try Self.parse(body) }
    #expect(error?.code == .malformedBody)
  }

  @Test(arguments: ["{}", "3", #"{"list": {}}"#, #"{"list": null}"#, #"{"list": "x"}"#, "[]"])
  func bodyWithoutTheArrayFailsAsEver(_ body: String) {
    let error = #expect(throws: RemoteError.self) { try Self.parse(body, items: ["list"]) }
    #expect(error?.code == .unexpectedShape)
  }

  @Test func wrongTotalFailsAsEver() {
    let error = #expect(throws: RemoteError.self) {
      try Self.parse(#"{"list": [3], "total": "many"}"#, items: ["list"])
    }
    #expect(error?.code == .unexpectedShape)
  }

  @Test func reportsAreLimitedAndTheCountIsExact() throws {
    let elements = (0..<2_000).map { $0 % 4 == 0 ? "{\"id\": \($0), \"name\": \"n\"}" : "\($0)" }
    let body = "[\(elements.joined(separator: ","))]"
    for (limit, kept) in [(5, 5), (0, 0), (-3, 0), (.max, 1_500)] {
      let page = try Self.parse(body, reportLimit: limit)
      #expect(page.items.map(\.id) == Array(stride(from: 0, to: 2_000, by: 4)))
      #expect(page.skipped.count == 1_500)
      #expect(page.skipped.reports.map(\.offset) == Array(page.skipped.offsets.prefix(kept)))
    }
  }

  @Test func callerIsToldOncePerPageWithFaults() throws {
    let told = Mutex<[(SkippedElements, PageToken)]>([])
    let note = { @Sendable (skipped: SkippedElements, page: PageToken) in
      told.withLock { $0.append((skipped, page)) }
    }
    let body = Self.body(Self.good, "1", "2")
    let page = try Self.parse(body, items: ["list"], onSkip: note)
    #expect(told.withLock { $0.count } == 1)
    #expect(told.withLock { $0[0].0 } == page.skipped)
    #expect(told.withLock { $0[0].1 } == .number(7))
    let whole = try Self.parse(Self.body(Self.good), items: ["list"], onSkip: note)
    #expect(whole.skipped.isEmpty)
    #expect(told.withLock { $0.count } == 1)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7] as [UInt64])
  func randomPagesKeepWhatIsGood(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<60 {
      let count = Int.random(in: 0..<30, using: &random)
      let isGood = (0..<count).map { _ in random.chance(0.5) }
      let bad = ["null", "7", "{}", "[[]]", #"{"id": 1}"#, #"{"id": 1e99, "name": "x"}"#, "\"\""]
      let elements = isGood.enumerated().map { offset, isGood in
        isGood
          ? "{\"id\": \(offset), \"name\": \"n\"}"
          : bad[Int.random(in: 0..<bad.count, using: &random)]
      }
      let page = try Self.parse("[\(elements.joined(separator: ","))]")
      #expect(page.items.map(\.id) == isGood.indices.filter { isGood[$0] })
      #expect(page.skipped.offsets == isGood.indices.filter { !isGood[$0] })
      let loaded = LoadedPage<Station, PageToken>(
        items: page.items, nextPage: nil, skippedOffsets: page.skipped.offsets)
      let ranked = loaded.ranked(from: 100)
      #expect(ranked.map(\.rank) == page.items.map { $0.id + 100 })
      #expect(ranked.map(\.item) == page.items)
      #expect(loaded.placeCount == count)
    }
  }

  // MARK: - What becomes of their places

  /// A service with 12 stations, in pages of four by offset; some elements are bad.
  struct Transport: PageTransport {
    let bad: Set<Int>

    func response(to request: PageRequest) async throws -> PageResponse {
      let start = request.parameters.first { $0.name == "offset" }.flatMap { Int($0.value) } ?? 0
      let elements = (start..<min(12, start + 4)).map { id in
        bad.contains(id) ? "{\"id\": \(id)}" : "{\"id\": \(id), \"name\": \"n\"}"
      }
      return PageResponse(body: Array("[\(elements.joined(separator: ","))]".utf8))
    }
  }

  static func service(bad: Set<Int>) -> RemoteService<Station> {
    RemoteService(
      transport: Transport(bad: bad), parser: JSONPageParser<Station>().skippingBadElements(),
      style: .offset(sizeParameter: "limit", size: 4))
  }

  @Test func pagesWithFaultsAreFollowedByTheOthers() async throws {
    let source = PaginatedDataSource(name: "stations", loader: Self.service(bad: [2, 4, 5, 6, 7]))
    try await source.refresh()
    while source.hasMore { try await source.fetchMore() }
    let snapshot = source.snapshot
    let ids = (0..<snapshot.numberOfItems).map { snapshot.id(at: snapshot.path(atRank: $0)) }
    #expect(ids == [0, 1, 3, 8, 9, 10, 11], "a page without a good element does not end the list")
  }

  @Test func placesOfBadElementsStayPlaceholders() async throws {
    let pages = try #require(Self.service(bad: [1, 5]).randomAccess)
    let source = PlaceholderDataSource(name: "stations", loader: pages)
    try await source.refresh()
    #expect(Self.ids(source.snapshot) == [0, nil, 2, 3])
    let loader = Counted(pages: pages)
    let counted = PlaceholderDataSource(name: "stations", loader: loader)
    try await counted.refresh()
    try await counted.fetch(at: ItemPath(section: 0, item: 6))
    try await counted.fetch(at: ItemPath(section: 0, item: 11))
    let all: [Int?] = [0, nil, 2, 3, 4, nil, 6, 7, 8, 9, 10, 11]
    #expect(Self.ids(counted.snapshot) == all)
    try await counted.refresh()
    #expect(Self.ids(counted.snapshot) == all)
  }

  /// The same with a total.
  struct Counted: RandomAccessPageLoader {
    let pages: RandomAccessService<Station>
    var firstPage: PageToken { pages.firstPage }
    func place(ofRank rank: Int) -> PagePlace<PageToken> { pages.place(ofRank: rank) }

    func loadPage(_ page: PageToken) async throws -> LoadedPage<Station, PageToken> {
      var loaded = try await pages.loadPage(page)
      loaded.total = 12
      return loaded
    }
  }

  static func ids(_ snapshot: PagedSnapshot<RemoteListRowID<Int>, RemoteListRow<Station>>) -> [Int?]
  {
    (0..<snapshot.numberOfItems).map { rank in
      (try? snapshot.item(at: snapshot.path(atRank: rank)))?.item?.id
    }
  }
}
