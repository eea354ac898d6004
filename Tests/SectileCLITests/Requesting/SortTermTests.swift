import Testing

@testable import SectileCLI

@Suite struct SortTermTests {
  @Test(arguments: [
    ("name", "(name)"), ("size desc", "(size) DESC"), ("size ASC", "(size)"),
    ("a + b DESC nulls last", "(a + b) DESC NULLS LAST"),
    ("name COLLATE nocase NULLS FIRST", "(name) COLLATE nocase NULLS FIRST"),
    ("desc", "(desc)"), ("size\tDESC", "(size) DESC"),
    ("a = 'x  y' DESC", "(a = 'x  y') DESC"), (" 'COLLATE  ' ", "('COLLATE  ')"),
  ])
  func whatSQLUnderstandsIsUnderstood(text: String, sql: String) throws {
    #expect(try #require(SortTerm(argument: text)).sql == sql)
  }

  @Test func nothingIsNoTerm() {
    #expect(SortTerm(argument: "") == nil)
    #expect(SortTerm(argument: "  ") == nil)
  }
}
