import Foundation
import SectileTestSupport
import Testing

@testable import SectileStore

/// The order of texts in a language: what people expect, and what an index needs.
@Suite(.timeLimit(.minutes(60))) struct LanguageOrderTests {
  private func sorted(_ words: [String], in language: String) throws -> [String] {
    let compare = try #require(
      TextCollation.localized(Locale(identifier: language)).compare)
    return words.sorted { compare($0, $1) < 0 }
  }

  @Test func lettersComeFirstThenAccentsThenCase() throws {
    let words = ["b", "Ä", "B", "A", "item 10", "a", "Zoë", "item 2", "Zoe", "ad"]
    #expect(
      try sorted(words, in: "")
        == ["a", "A", "Ä", "ad", "b", "B", "item 2", "item 10", "Zoe", "Zoë"])
  }

  @Test func languagesHaveRulesOfTheirOwn() throws {
    #expect(try sorted(["Ä", "z", "ad", "af"], in: "sv_SE") == ["ad", "af", "z", "Ä"])
    #expect(try sorted(["Ä", "z", "ad", "af"], in: "de_DE") == ["Ä", "ad", "af", "z"])
    #expect(
      try sorted(["Ä", "z", "ad", "af"], in: "de@collation=phonebook") == ["ad", "Ä", "af", "z"])
    #expect(try sorted(["ch", "ci", "h", "i"], in: "cs") == ["ci", "h", "ch", "i"])
  }

  @Test func namesAreOfTheLocale() {
    #expect(TextCollation.people.name == "sectile_people")
    #expect(TextCollation.localized(Locale(identifier: "")) == .people)
    #expect(TextCollation.localized(Locale(identifier: "sv-SE")).name == "sectile_people_sv_SE")
    #expect(TextCollation.localized(Locale(identifier: "sv_SE")).name == "sectile_people_sv_SE")
    #expect(TextCollation.people.version?.hasPrefix("1 ") == true)
    #expect(TextCollation.nocase.version == nil)
  }

  /// Digits of several scripts, and what both texts begin with, led ICU's own comparison astray.
  private static let pieces = [
    "a", "A", "b", "z", "ä", "a\u{308}", "\u{308}", "\u{301}", "\u{323}", "ß", "ss", "ø", "1", "2",
    "10", "02", "0", String(repeating: "9", count: 255) + "1", "\u{661}", "\u{FF19}", " ", "-", "'",
    "\u{0}", "\u{200D}", "\u{1F469}", "\u{1F1E9}", "\u{1C6}", "dž", "ž", "ch", "c", "h", "ж", "日",
    "\u{E40}", "\u{E01}", "\u{1100}", "\u{1161}", "가", "\u{10FFFF}", "\u{FFFF}", "\u{FB01}", "ı",
    "İ", "\u{AD}",
  ]

  @Test(arguments: ["", "de@collation=phonebook", "cs", "hu", "th", "ja", "fr_CA", "xx", "?;"])
  func theOrderIsTotal(_ language: String) throws {
    let compare = try #require(
      TextCollation.localized(Locale(identifier: language)).compare)
    var random = SeededRandom(seed: 71)
    func some(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in
        Self.pieces.randomElement(using: &random) ?? ""
      }.joined()
    }
    for number in 0..<4_000 {
      let start = some(1...2)
      let texts = (0..<3).map { _ in
        (random.chance(0.5) ? start : "") + some(0...3) + (random.chance(0.25) ? start : "")
      }
      let orders = [(0, 1), (1, 2), (0, 2)].map { compare(texts[$0.0], texts[$0.1]).signum() }
      let back = [(1, 0), (2, 1), (2, 0)].map { -compare(texts[$0.0], texts[$0.1]).signum() }
      #expect(back == orders, "\(random), \(number): \(texts)")
      if orders[0] == orders[1] {
        #expect(orders[2] == orders[0], "\(random), \(number): \(texts)")
      }
      #expect((orders[0] == 0) == (Array(texts[0].utf8) == Array(texts[1].utf8)))
    }
  }

  @Test func longTextsAreCompared() throws {
    let compare = try #require(TextCollation.people.compare)
    let long = String(repeating: "ä", count: 100_000)
    #expect(compare(long, long) == 0)
    #expect(compare(long, long + "a") < 0)
    #expect(compare(long + "A", long + "a") > 0)
  }

  /// With all accents, one comparison of these would take hours.
  @Test(arguments: ["\u{301}\u{323}", "\u{F73}"])
  func manyAccentsAreCompared(_ accents: String) throws {
    let compare = try #require(TextCollation.people.compare)
    let long = "e" + String(repeating: accents, count: 1_000_000)
    #expect(compare(long, long) == 0)
    #expect(compare(long, long + "\u{301}") < 0)
    #expect(compare(long + "\u{301}", long) > 0)
    #expect(compare("d" + long, long) < 0)
    #expect(compare(long, "f") < 0)
    #expect(compare(long + "b", long + "c") < 0)
  }
}
