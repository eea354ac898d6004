import SectileHub
import Testing

@Suite struct HubPositionTests {
  @Test(arguments: [
    ("0/0", UInt64(0)), ("0/16B3748", 0x16B_3748), ("1/0", 1 << 32),
    ("FFFFFFFF/FFFFFFFF", .max),
  ])
  func textLeadsBackToThePosition(_ text: String, _ byteCount: UInt64) {
    let position = HubPosition(byteCount: byteCount)
    #expect(position.description == text)
    #expect(HubPosition(text) == position)
  }

  @Test(arguments: [
    "", "/", "0", "0/", "/0", "0/0/0", "0/G", "-1/0", "100000000/0", "0/ 1", "0/+1",
  ])
  func otherTextsAreNone(_ text: String) {
    #expect(HubPosition(text) == nil)
  }
}
