import SectileCore
import Testing

@Suite struct JSONValueTests {
  private func text(_ value: JSONValue, _ escaping: JSONEscaping = .shortest) -> String {
    String(decoding: value.bytes(escaping), as: UTF8.self)
  }

  @Test func membersKeepTheirOrderAndNothingIsLeftOut() {
    let value: JSONValue = [
      "b": 1, "a": .null, "c": JSONValue(nil as String?), "list": .array([.bool(true), 2, [:]]),
      "texts": JSONValue(["x", ""]), "none": .array([]), "real": .real(2),
    ]
    #expect(
      text(value)
        == #"{"b":1,"a":null,"c":null,"list":[true,2,{}],"texts":["x",""],"none":[],"real":2.0}"#)
  }

  @Test func onlyValuesAreTagged() {
    let number = Int64(1) << 53
    #expect(text(.integer(number)) == "9007199254740992")
    #expect(text(.value(.integer(number))) == #"{"$integer":"9007199254740992"}"#)
    #expect(text(.value(.real(0x1p62))) == #"{"$real":"4.611686018427388e+18"}"#)
    #expect(text(.real(-.infinity)) == #"{"$real":"-9e999"}"#)
    #expect(text(.value(.blob([0, 255]))) == #"{"$blob":"00ff"}"#)
  }

  @Test(arguments: [
    ("a\"\\", #""a\"\\""#, #""a\"\\""#), ("\n\u{1}", #""\n\u0001""#, #""\u000a\u0001""#),
    ("\u{7F}", #""\u007f""#, "\"\u{7F}\""), ("é\n", #""é\n""#, #""\u00e9\u000a""#),
    ("日\u{1F600}", "\"日\u{1F600}\"", #""日\ud83d\ude00""#),
  ])
  func namesAndTextsAreEscapedEitherWay(text: String, shortest: String, numbers: String) {
    let escaping = JSONEscaping.numbers { $0 == "é" || $0.value > 0xFFFF }
    #expect(self.text(.string(text)) == shortest)
    #expect(self.text(.string(text), escaping) == numbers)
    #expect(self.text(.object([(text, .integer(0))]), escaping) == "{\(numbers):0}")
  }
}
