import SectileCore
import Testing

struct StableHashTests {
  @Test(
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func bytesHaveThePublishedHash(text: String, hash: UInt64) {
    #expect(StableHash(of: text.utf8).value == hash)
  }

  @Test func aNumberIsItsBytesFromTheLeastSignificantOne() {
    var hash = StableHash()
    hash.combine(0x0102_0304_0506_0708 as UInt64)
    #expect(hash.value == StableHash(of: [8, 7, 6, 5, 4, 3, 2, 1]).value)
  }

  @Test func twoTextsAreNotTheTextOfBoth() {
    func hash(_ texts: String...) -> String {
      var hash = StableHash()
      for text in texts { hash.combine(text) }
      return hash.text
    }
    #expect(hash("ab", "c") != hash("a", "bc"))
    #expect(hash("ab", "c") != hash("abc"))
  }

  @Test func textHasSixteenDigits() {
    #expect(StableHash().text == "cbf29ce484222325")
    // A hash that begins with zero bits.
    let texts = (0..<1_000).map { StableHash(of: "\($0)".utf8).text }
    #expect(texts.contains { $0.hasPrefix("0") })
    #expect(texts.allSatisfy { $0.utf8.count == 16 })
  }
}
