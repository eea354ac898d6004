import SectileTestSupport
import Testing

@testable import SectileDataSources

@Suite struct LineSplitterTests {
  static func split(_ text: String, limit: Int = 100, chunk: Int = .max) throws -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines: [String] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: min(chunk, max(bytes.count, 1))) {
      try bytes[start..<min(start + min(chunk, bytes.count), bytes.count)].withUnsafeBytes {
        try splitter.append($0) { lines.append(String(decoding: $0, as: UTF8.self)) }
      }
    }
    try splitter.finish { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(splitter.count == lines.count)
    return lines
  }

  static let cases: [(text: String, lines: [String])] = [
    ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]),
    ("a\n\nb\n\n", ["a", "", "b", ""]), ("a\r\nb\r\n", ["a", "b"]), ("\r\n", [""]),
    ("a\rb\n", ["a\rb"]), ("a\r", ["a\r"]), ("a\r\r\n", ["a\r"]), ("\r", ["\r"]),
    ("a\0b\n\0", ["a\0b", "\0"]), ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
    ("\u{FEFF}", [""]), ("é\nü", ["é", "ü"]),
  ]

  @Test func largestLimitIsNone() throws {
    #expect(try Self.split("a\nb\r\nc", limit: .max, chunk: 2) == ["a", "b", "c"])
  }

  @Test(arguments: cases)
  func linesAreCutAtLineBreaks(_ example: (text: String, lines: [String])) throws {
    for chunk in [1, 2, 3, .max] {
      let lines = try Self.split(example.text, chunk: chunk)
      #expect(lines.map { Array($0.utf8) } == example.lines.map { Array($0.utf8) })
    }
  }

  @Test(arguments: [1, 2, 3, 100])
  func lineThatIsTooLongIsRefused(_ chunk: Int) throws {
    #expect(try Self.split("ab\nabc\r\nabc", limit: 3, chunk: chunk) == ["ab", "abc", "abc"])
    #expect(throws: LineSplitter.TooLong(line: 2)) {
      try Self.split("ab\nabcd\n", limit: 3, chunk: chunk)
    }
    #expect(throws: LineSplitter.TooLong(line: 1)) {
      try Self.split("abcdefgh", limit: 3, chunk: chunk)
    }
  }

  @Test func lineWithoutAnEndDoesNotGrowBeyondTheLimit() {
    var splitter = LineSplitter(limit: 10)
    #expect(throws: LineSplitter.TooLong(line: 1)) {
      try [UInt8](repeating: 0x61, count: 15).withUnsafeBytes { try splitter.append($0) { _ in } }
    }
  }

  @Test func randomTextsAreCutAlikeInChunksOfAnySize() throws {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let text = String(
        (0..<Int.random(in: 0..<40, using: &random)).map { _ in
          ["a", "\n", "\r", "\r\n", "é", "\0"].randomElement(using: &random) ?? "a"
        }.joined())
      let whole = try Self.split(text).map { Array($0.utf8) }
      for chunk in 1...5 {
        #expect(try Self.split(text, chunk: chunk).map { Array($0.utf8) } == whole, "\(random)")
      }
    }
  }
}
