import SectileHub
import Testing

@Suite struct HubTokenTests {
  @Test func textLeadsBackToTheToken() {
    var token = HubToken(
      system: "7312", timeline: 3, slot: "sectile_a1", tables: "9f", position: HubPosition("1/AB")!)
    #expect(HubToken(token.description) == token)
    token.heartbeat = "0b7c-1"
    #expect(HubToken(token.description) == token)
    #expect(token.description == "hub1:7312:3:sectile_a1:9f:1/AB:0b7c-1")
    token.definition = "5e"
    #expect(HubToken(token.description) == token)
  }

  @Test(arguments: [
    "", "hub1", "hub2:7312:3:s:9f:0/0:", "hub1:7312:x:s:9f:0/0:", "hub1:7312:3:s:9f:0:",
    "hub1:7312:3:s:9f:0/0",
  ])
  func otherTextsAreNone(_ text: String) {
    #expect(HubToken(text) == nil)
  }
}
