import SectileDataSources
import Testing

@Suite struct JSONPageParserTests {
  struct Station: Decodable, Equatable, Sendable {
    let id: Int
    var name: String?
  }

  typealias Parser = JSONPageParser<Station>

  /// What a parser says of a body: the items, the next page, the total.
  struct Parsed: Equatable {
    var items: [Int]
    var page: PageToken?
    var total: Int?
  }

  static func parse(_ body: String, _ parser: Parser) throws -> Parsed {
    var page: PageToken? = .number(1)
    var total: Int?
    let response = PageResponse(body: Array(body.utf8))
    let items = try parser.parse(response, page: &page, total: &total)
    return Parsed(items: items.map(\.id), page: page, total: total)
  }

  @Test func bodyThatIsAnArrayIsTheItems() throws {
    let parsed = try Self.parse(#"[{"id": 1}, {"id": 2, "name": "x"}]"#, Parser())
    #expect(parsed == Parsed(items: [1, 2], page: .number(1)))
    #expect(try Self.parse("[]", Parser()).items == [])
  }

  @Test func thingsAreFoundWhereTheirNamesLead() throws {
    let parser = Parser(
      items: ["data", "stations"], nextCursor: ["paging", "next"], total: ["paging", "total"])
    let body =
      #"{"data": {"stations": [{"id": 5}]}, "paging": {"next": "b2Zm", "total": 120}, "x": 1}"#
    #expect(try Self.parse(body, parser) == Parsed(items: [5], page: .cursor("b2Zm"), total: 120))
  }

  @Test func cursorMayBeANumber() throws {
    let parser = Parser(items: ["s"], nextCursor: ["next"])
    #expect(try Self.parse(#"{"s": [], "next": 42}"#, parser).page == .cursor("42"))
  }

  @Test(arguments: [
    #"{"s": []}"#, #"{"s": [], "p": null}"#, #"{"s": [], "p": {"next": null}}"#,
    #"{"s": [], "p": {"next": ""}}"#, #"{"s": [], "p": {}}"#,
  ])
  func missingNullOrEmptyCursorEndsTheList(_ body: String) throws {
    #expect(try Self.parse(body, Parser(items: ["s"], nextCursor: ["p", "next"])).page == nil)
    #expect(try Self.parse(body, Parser(items: ["s"], nextLink: ["p", "next"])).page == nil)
  }

  @Test func linkInTheBodyIsThePage() throws {
    let parser = Parser(items: ["s"], nextLink: ["next"])
    #expect(try Self.parse(#"{"s": [], "next": "/p?n=2"}"#, parser).page == .link("/p?n=2"))
  }

  @Test func decoderIsPreparedByTheCaller() throws {
    let parser = Parser(items: ["stations"]) { $0.keyDecodingStrategy = .convertFromSnakeCase }
    #expect(try Self.parse(#"{"stations": [{"id": 3}]}"#, parser).items == [3])
  }

  @Test(arguments: ["", "<html>", "[", #"[{"id": 1}"#, #"{"stations": [}"#, "\u{0}", "[1,]2"])
  func bodyThatIsNotJSONIsMalformed(_ body: String) {
    let error = #expect(throws: RemoteError.self) { try Self.parse(body, Parser()) }
    #expect(error?.code == .malformedBody, "\(error?.message ?? "")")
    #expect(error?.hint != nil)
  }

  @Test(arguments: [
    (#"{}"#, "stations"), (#"[]"#, "beginning"), (#"{"stations": {}}"#, "stations"),
    (#"{"stations": null}"#, "stations"), (#"{"stations": [{"id": "x"}]}"#, "id"),
    (#"{"stations": [{"id": 1}, {"name": "y"}]}"#, "id"), ("3", "beginning"),
    (#"{"stations": [], "total": "many"}"#, "total"),
  ])
  func bodyOfAnotherShapeSaysWhere(_ body: String, _ place: String) {
    let error = #expect(throws: RemoteError.self) {
      try Self.parse(body, Parser(items: ["stations"], total: ["total"]))
    }
    #expect(error?.code == .unexpectedShape)
    #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
  }
}
