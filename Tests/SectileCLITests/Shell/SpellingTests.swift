import SectileInspecting
import Testing

@testable import SectileCLI

@Suite struct SpellingTests {
  @Test(arguments: [
    ("tabels", "tables"), ("TABLE", "tables"), ("tbles", "tables"), ("shema", "schema"),
    ("schemas", "schema"), ("ab", "a"),
  ])
  func closeNamesAreFound(word: String, meant: String) {
    #expect(Spelling.closest(to: word, in: ["schema", "tables", "a", "quit"]) == meant)
  }

  @Test func distantNamesAreNot() {
    #expect(Spelling.closest(to: "frobnicate", in: ["schema", "tables", "quit"]) == nil)
    #expect(Spelling.closest(to: "", in: ["schema"]) == nil)
    #expect(Spelling.closest(to: "x", in: []) == nil)
  }
}
