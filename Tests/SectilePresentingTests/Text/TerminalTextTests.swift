import Testing

@testable import SectilePresenting

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("plain text", "plain text"),
    ("tab\tline\nreturn\r", "tab\\tline\\nreturn\\r"),
    ("\u{1B}[2J", "\\u{1B}[2J"),
    ("\u{0}\u{7F}", "\\u{0}\\u{7F}"),
    ("\u{9B}31m", "\\u{9B}31m"),
    ("abc\u{202E}fed", "abc\\u{202E}fed"),
    ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("\u{FEFF}x\u{200B}", "\\u{FEFF}x\\u{200B}"),
    ("a\u{2028}b", "a\\u{2028}b"),
    ("日本 é 👩‍👩‍👧", "日本 é 👩‍👩‍👧"),
    ("back\\slash", "back\\slash"),
    ("\r\n", "\\r\\n"),
  ])
  func escapedWritesOutWhatATerminalActsUpon(text: String, expected: String) {
    #expect(TerminalText.escaped(text) == expected)
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("日本", 4), ("é", 1), ("e\u{301}", 1), ("한국어", 6), ("👍", 2),
    ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("ｆｕｌｌ", 8), ("→", 1), ("…", 1),
  ])
  func widthCountsColumns(text: String, expected: Int) {
    #expect(TerminalText.width(of: text) == expected)
  }

  @Test func paddedFillsUpByColumns() {
    #expect(TerminalText.padded("日", to: 4) == "日  ")
    #expect(TerminalText.padded("7", to: 3, right: true) == "  7")
    #expect(TerminalText.padded("long", to: 2) == "long")
  }

  @Test func truncatedKeepsWholeCharacters() {
    #expect(TerminalText.truncated("abc", to: 3) == "abc")
    #expect(TerminalText.truncated("abcd", to: 3) == "ab…")
    #expect(TerminalText.truncated("日本語", to: 4) == "日…")
  }
}
