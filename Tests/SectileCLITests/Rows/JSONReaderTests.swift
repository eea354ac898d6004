import Sectile
import Testing

@testable import SectileCLI

@Suite struct JSONReaderTests {
  private func cell(_ json: String) throws -> JSONCell {
    let members = try JSONReader().members(of: "{\"a\":\(json)}")
    #expect(members.map(\.name) == ["a"])
    return try #require(members.first).value
  }

  @Test(arguments: [
    ("null", JSONCell.value(.null)), ("true", .value(.integer(1))), ("false", .value(.integer(0))),
    ("-9223372036854775808", .value(.integer(.min))),
    ("9223372036854775808", .value(.text("9223372036854775808"))),
    ("1e400", .value(.text("1e400"))), ("\"a\\u0000b\"", .value(.text("a\0b"))),
    ("{\"$blob\":\"00fF\"}", .value(.blob([0, 0xFF]))), ("{\"$blob\":\"\"}", .value(.blob([]))),
    ("{\"$text\":\"61ff\"}", .invalidText([0x61, 0xFF])),
    ("{\"$text\":\"61\"}", .value(.text("a"))),
    ("{\"$real\":\"-9e999\"}", .value(.real(-.infinity))),
    ("{\"$real\":\"nan\"}", .value(.null)),
    ("{\"$integer\":\"9007199254740993\"}", .value(.integer(9_007_199_254_740_993))),
    ("{\"$integer\":\"-7\"}", .value(.integer(-7))),
    ("9007199254740993", .value(.integer(9_007_199_254_740_993))),
    (
      "{\"$integer\":\"9223372036854775808\"}", .json("{\"$integer\":\"9223372036854775808\"}")
    ),
    ("{\"$integer\":\"+7\"}", .json("{\"$integer\":\"+7\"}")),
    ("{\"$integer\":\"1.0\"}", .json("{\"$integer\":\"1.0\"}")),
    ("{\"$blob\":\"0\"}", .json("{\"$blob\":\"0\"}")), ("{\"$blob\":7}", .json("{\"$blob\":7}")),
    ("{\"$blob\":\"00\", \"b\": 1}", .json("{\"$blob\":\"00\",\"b\":1}")),
    ("{\"$blob\":\"00\",\"b\":\"00\"}", .json("{\"$blob\":\"00\",\"b\":\"00\"}")),
    ("[ {\"$blob\":\"00\"} ]", .json("[{\"$blob\":\"00\"}]")), ("{ }", .json("{}")),
    ("[1, [2, \"a \\\" b\"] ]", .json("[1,[2,\"a \\\" b\"]]")),
  ])
  func valuesAreReadWithTheirTags(json: String, expected: JSONCell) throws {
    #expect(try cell(json) == expected)
  }

  @Test(arguments: [
    StoredValue.null, .integer(.max), .integer(.min), .integer(-1),
    .integer(9_007_199_254_740_991), .integer(9_007_199_254_740_992),
    .integer(-9_007_199_254_740_992), .real(0.1), .real(-0.0), .real(1e308),
    .real(.leastNonzeroMagnitude), .real(.infinity), .real(-.infinity), .real(3), .text(""),
    .text("\u{1B}\"\\\0é😀"),
    .text("{\"$blob\":\"00\"}"), .blob([]), .blob([1, 2]),
  ])
  func whatIsWrittenIsReadBack(value: StoredValue) throws {
    let read = try cell(ValueText.json(value))
    #expect(read == .value(value))
    // Equal reals may differ in sign, and an integer may equal a real.
    #expect("\(read)" == "\(JSONCell.value(value))")
  }

  @Test func theOrderOfNamesStaysAndNestedTextCanBeReadAgain() throws {
    let reader = JSONReader()
    let members = try reader.members(of: " {\"b\":[1.5,{\"$blob\":\"01\"}],\"a\":{\"c\":\"d\"}} ")
    #expect(members.map(\.name) == ["b", "a"])
    #expect(members.map(\.value) == [.json("[1.5,{\"$blob\":\"01\"}]"), .json("{\"c\":\"d\"}")])
    let elements = try reader.elements(of: "[1.5,{\"$blob\":\"01\"}]")
    #expect(elements == [.value(.real(1.5)), .value(.blob([1]))])
  }

  @Test(arguments: [
    "", "[]", "1", "{\"a\":1", "{\"a\":1}}", "{\"a\":1} x", "{a:1}", "{\"a\":01}", "{\"a\":nan}",
    "{\"a\":\"\\ud800\"}", "{\"a\":\"\\udc00\"}", "{\"a\":\"\\ud800\\u0041\"}",
    "{\"a\":\"\\ud83d \\ude00\"}",
    "{\"a\":'b'}", "{\"a\":1,}", "{\"a\":\"\u{1}\"}",
  ])
  func whatIsNoObjectIsRefused(text: String) {
    #expect(throws: JSONReader.Mistake.self) { try JSONReader().members(of: text) }
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] as [[UInt8]] {
      let text = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
      #expect(throws: JSONReader.Mistake.self) {
        try text.withUnsafeBytes { try JSONReader().members(of: $0) }
      }
    }
  }

  @Test func depthCostsNoStack() throws {
    let depth = 200_000
    let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(try cell(nested) == .json(nested))
  }
}
