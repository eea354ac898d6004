import Foundation
import SectileRemote
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
    let response = PageResponse(body: Array(body.utf8))
    let parsed = try parser.parse(response, of: .number(1))
    let page: PageToken? =
      switch parsed.next {
      case .unknown: .number(1)
      case .page(let next): next
      case .end: nil
      }
    return Parsed(items: parsed.items.map(\.id), page: page, total: parsed.total)
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

  struct Reading: Decodable, Sendable {
    struct Part: Decodable, Sendable {
      let levels: [Int8]
      let factor: Float?
    }

    let level: Int8
    var value: Double?
    var count: UInt64?
    var part: Part?
    var byName: [String: Int8]?
  }

  @Test(arguments: [
    (#"[{"level": 300}]"#, "[0].level", "300", "Int8"),
    (#"[{"level": 1}, {"level": -129}]"#, "[1].level", "-129", "Int8"),
    (#"[{"level": 1.5}]"#, "[0].level", "1.5", "Int8"),
    (#"[{"level": 1, "value": 1e400}]"#, "[0].value", "1e400", "Double"),
    (
      #"[{"text": "a\"]}[", "level": 1, "list": [1, {"a": 2}], "value": -1E+999}]"#, "[0].value",
      "-1E+999", "Double"
    ),
    (#"[{"level": 1, "count": -1}]"#, "[0].count", "-1", "UInt64"),
    (
      #"[{"level": 1, "count": 18446744073709551616}]"#, "[0].count", "18446744073709551616",
      "UInt64"
    ),
    (#"[{"level": 1, "part": {"levels": [1, 2, 300]}}]"#, "[0].part.levels.[2]", "300", "Int8"),
    (
      #"[{"level": 1, "part": {"levels": [], "factor": 1e300}}]"#, "[0].part.factor", "1e300",
      "Float"
    ),
    (
      #"[{"level": 1, "byName": {"a": 300}}]"#, "[0].byName", "The number there",
      "Dictionary<String, Int8>"
    ),
  ])
  func numberThatDoesNotFitIsNamedWithItsPlace(
    _ body: String, _ place: String, _ number: String, _ type: String
  ) {
    for (body, way) in [(body, []), (#"{"data": {"list": \#(body)}}"#, ["data", "list"])] {
      let parser = JSONPageParser<Reading>(items: way)
      let error = #expect(throws: RemoteError.self) {
        _ = try parser.parse(PageResponse(body: Array(body.utf8)), of: .number(1))
      }
      let place = (way + [place]).joined(separator: ".")
      #expect(error?.code == .unexpectedShape)
      #expect(
        error?.message
          == "The body is not as expected at \(place): \(number) is not a value of \(type).")
      #expect(error?.status == 200)
    }
  }

  @Test func totalThatDoesNotFitIsNamedWithItsPlace() {
    let error = #expect(throws: RemoteError.self) {
      try Self.parse(
        #"{"stations": [], "page": {"total": 1e30}}"#,
        Parser(items: ["stations"], total: ["page", "total"]))
    }
    #expect(error?.code == .unexpectedShape)
    #expect(error?.message.contains("at page.total: 1e30 is not a value of Int.") == true)
  }

  @Test func numberUnderATranslatedNameIsNamedByItsPlace() {
    struct Item: Decodable, Sendable {
      let riverLevel: Int8
      let when: Date
    }
    let parser = JSONPageParser<Item> { decoder in
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      decoder.dateDecodingStrategy = .iso8601
    }
    let error = #expect(throws: RemoteError.self) {
      let body = #"[{"when": "2026-01-01T00:00:00Z", "river_level": 300}]"#
      _ = try parser.parse(PageResponse(body: Array(body.utf8)), of: .number(1))
    }
    #expect(error?.code == .unexpectedShape)
    #expect(
      error?.message.hasSuffix("at [0].riverLevel: The number there is not a value of Int8.")
        == true)
  }

  @Test func longNumberIsNotWrittenOut() {
    let digits = String(repeating: "9", count: 5_000)
    let error = #expect(throws: RemoteError.self) {
      try Self.parse(#"[{"id": \#(digits)}]"#, Parser())
    }
    #expect(error?.message.contains("A number of 5000 characters is not a value of Int.") == true)
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
