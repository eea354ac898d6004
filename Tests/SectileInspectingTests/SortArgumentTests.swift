import Testing

@testable import SectileInspecting

@Suite struct SortArgumentTests {
  @Test(arguments: [
    ("name", "(name)"), ("size desc", "(size) DESC"), ("size ASC", "(size)"),
    ("a + b DESC nulls last", "(a + b) DESC NULLS LAST"),
    ("name COLLATE nocase NULLS FIRST", "(name) COLLATE nocase NULLS FIRST"),
    ("desc", "(desc)"), ("size\tDESC", "(size) DESC"),
    ("a = 'x  y' DESC", "(a = 'x  y') DESC"), (" 'COLLATE  ' ", "('COLLATE  ')"),
  ])
  func whatSQLUnderstandsIsUnderstood(text: String, sql: String) throws {
    #expect(try #require(SortArgument(argument: text)).sql == sql)
  }

  @Test func nothingIsNoTerm() {
    #expect(SortArgument(argument: "") == nil)
    #expect(SortArgument(argument: "  ") == nil)
  }
}
