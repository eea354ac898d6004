import SectileRemote
import Testing

@Suite struct PageTokenTests {
  @Test(
    arguments: [
      (.start, "start"), (.number(2), "number:2"), (.offset(0), "offset:0"),
      (.cursor("a:b"), "cursor:a:b"), (.cursor(""), "cursor:"),
      (.link("https://radio.example/?page=2"), "link:https://radio.example/?page=2"),
    ] as [(PageToken, String)])
  func tokenCanBeWrittenDownAndReadBack(_ token: PageToken, _ text: String) {
    #expect(token.description == text)
    #expect(PageToken(text) == token)
  }

  @Test(arguments: ["", "number", "number:", "number:x", "offset:1.5", "page:1", "Start"])
  func otherTextsAreNoTokens(_ text: String) {
    #expect(PageToken(text) == nil)
  }

  @Test func tokenTellsItsOwnValueOnly() {
    #expect(PageToken.number(3).number == 3)
    #expect(PageToken.number(3).offset == nil)
    #expect(PageToken.offset(3).offset == 3)
    #expect(PageToken.cursor("c").cursor == "c")
    #expect(PageToken.cursor("c").link == nil)
    #expect(PageToken.link("l").link == "l")
    #expect(PageToken.start.cursor == nil)
  }
}
