import SectileCore
import SectileTestSupport
import Testing

@testable import SectileFeed

@Suite struct FeedPositionTests {
  private func position(_ random: inout SeededRandom) -> FeedPosition {
    func number() -> UInt64 {
      [0, 1, 127, 128, .max, UInt64.random(in: .min ... .max, using: &random)]
        .randomElement(using: &random) ?? 0
    }
    let place = LogPlace(
      store: UInt128(number()) << 64 | UInt128(number()), epoch: number(), sequence: number(),
      salt: number())
    let log = ResumePoint(place: place, request: number())
    return FeedPosition(
      epoch: number(), version: number(), fingerprint: number(),
      log: Bool.random(using: &random) ? log : nil)
  }

  @Test(arguments: [1, 2, 3, 4])
  func everyPositionComesBackFromItsText(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let position = position(&random)
      let text = position.description
      #expect(FeedPosition(text) == position, "seed \(seed)")
      #expect(text.utf8.count <= 128)
      let isPlain = text.allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
      }
      #expect(isPlain, "\(text)")
    }
  }

  /// Any text is a position or none; and no two texts are the same position.
  @Test(arguments: [1, 2, 3, 4])
  func damagedTextIsNoPosition(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("ABCXYZabcxyz0189-_=+/ \0\u{E9}\u{1F600}")
    for _ in 0..<2000 {
      var characters = Array(position(&random).description)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...characters.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: characters.insert(alphabet.randomElement(using: &random) ?? "A", at: place)
        case 1 where place < characters.count: characters.remove(at: place)
        case 2 where place < characters.count:
          characters[place] = alphabet.randomElement(using: &random) ?? "A"
        default: characters = Array(characters.prefix(place))
        }
      }
      let text = String(characters)
      if let position = FeedPosition(text) {
        #expect(position.description == text, "seed \(seed): \(text)")
      }
    }
  }

  @Test(arguments: [
    "", "A", "AQ", "====", "AQAAAAAA", "null", "../../etc/passwd", "0", "-1",
    String(repeating: "A", count: 40), "\u{0}", "😀",
  ])
  func whatIsNoPositionIsNil(text: String) {
    #expect(FeedPosition(text) == nil)
    #expect(ServerSentEvents.position(text) == nil)
    #expect(FeedPosition(String(repeating: "A", count: 100_000)) == nil)
  }

  @Test func randomBytesAreNoPosition() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...60, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let text = Base64URL.text(of: bytes)
      #expect(Base64URL.bytes(of: text) == bytes)
      if let position = FeedPosition(text) { #expect(position.description == text) }
    }
  }
}
