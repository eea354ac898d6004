import Sectile
import Testing

@testable import SectileCLI

@Suite struct ValueTextTests {
  @Test(arguments: [
    (StoredValue.null, "NULL"), (.integer(-7), "-7"), (.real(1.5), "1.5"), (.text("NULL"), "NULL"),
    (.blob([0x00, 0xFF]), "x'00ff'"), (.blob([]), "x''"),
  ])
  func plainIsWhatAPersonReads(value: StoredValue, expected: String) {
    #expect(ValueText.plain(value) == expected)
  }

  @Test(arguments: [
    ("a\"b\\c", #""a\"b\\c""#), ("\u{1B}\n", #""\u001b\u000a""#), ("\u{202E}", #""\u202e""#),
    ("日本", "\"日本\""), ("\u{E0001}", #""\udb40\udc01""#),
  ])
  func jsonEscapesQuotesAndControls(text: String, expected: String) {
    #expect(ValueText.json(text) == expected)
  }
}
