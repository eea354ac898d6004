import Foundation
import SectileCore
import SectileFeed
import SectileStore
import SectileTestSupport
import Testing

@Suite struct ExactJSONTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try ExactJSON.encode(value), as: UTF8.self)
  }

  private struct Everything: Encodable {
    var largest = Int64.max
    var exact = Int64(1) << 53 - 1
    var wide = UInt64.max
    var whole = 3.0
    var single = Float(0.1)
    var numbers = [Double.infinity, -.infinity, .nan, 1e300, .leastNonzeroMagnitude, -0.0]
    var data = Data([0, 255])
    var bytes: [UInt8] = [1]
    var url = URL(string: "https://example.org/a?b=c")
    var decimal = Decimal(string: "1.10")
    var nothing: Int?
    var text = "a\"\\\n\u{1}\u{7F}é😀"
    var flag = true
    var nested = ["k": [[1], []]]
  }

  @Test func whatJSONHasNoWordForIsTagged() throws {
    #expect(
      try text(Everything()) == """
        {"largest":{"$integer":"9223372036854775807"},"exact":9007199254740991,\
        "wide":{"$integer":"18446744073709551615"},"whole":3.0,"single":0.1,\
        "numbers":[{"$real":"9e999"},{"$real":"-9e999"},{"$real":"nan"},1e+300,5e-324,-0.0],\
        "data":{"$blob":"00ff"},"bytes":{"$blob":"01"},"url":"https://example.org/a?b=c",\
        "decimal":"1.1","text":"a\\"\\\\\\n\\u0001\\u007fé😀","flag":true,"nested":{"k":[[1],[]]}}
        """)
    #expect(try text(7) == "7")
    #expect(try text("") == "\"\"")
    #expect(try text([Int?.none, 1]) == "[null,1]")
    #expect(try text([String: Int]()) == "{}")
  }

  /// A type that writes into two containers at the same time, and a class with a superclass.
  private struct Interleaved: Encodable {
    enum Key: String, CodingKey { case a, b, c, d }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: Key.self)
      var left = object.nestedContainer(keyedBy: Key.self, forKey: .a)
      var right = object.nestedUnkeyedContainer(forKey: .b)
      try right.encode(1)
      try left.encode(2, forKey: .c)
      try object.encode("between", forKey: .c)
      var inner = right.nestedContainer(keyedBy: Key.self)
      try right.encode(3)
      try inner.encode(4, forKey: .d)
      try left.encode([5], forKey: .d)
      _ = object.superEncoder(forKey: .d)
      try 6.encode(to: right.superEncoder())
    }
  }

  @Test func containersMayBeOpenSideBySide() throws {
    #expect(
      try text(Interleaved())
        == #"{"a":{"c":2,"d":[5]},"b":[1,{"d":4},3,6],"c":"between","d":{}}"#)
  }

  private struct Silent: Encodable {
    func encode(to encoder: any Encoder) throws {}
  }

  @Test func whatEncodesNothingIsRefused() {
    #expect(throws: EncodingError.self) { try ExactJSON.encode(Silent()) }
    #expect(throws: EncodingError.self) { try ExactJSON.encode([Silent()]) }
  }

  @Test(arguments: [
    StoredValue.null, .integer(.max), .integer(.min), .integer(1 << 53), .integer(-7), .real(0.1),
    .real(.infinity), .real(-.infinity), .real(1e300), .text(""), .text("\0\u{1B}\"é"),
    .blob([]), .blob([0, 255]),
  ])
  func storedValuesComeBack(value: StoredValue) throws {
    let exact = try ExactJSON.encode([value])
    #expect(try JSONDecoder().decode([StoredValue].self, from: Data(exact)) == [value])
    // Foundation's encoder writes the same tags.
    let plain = try JSONEncoder().encode([value])
    #expect(try JSONDecoder().decode([StoredValue].self, from: plain) == [value])
  }

  /// Values from any generator, with Foundation's reader as the judge.
  @Test(arguments: [1, 2, 3])
  func foundationReadsWhatIsWritten(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let scalars = (0..<Int.random(in: 0..<8, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
      }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      let values = [
        text: [Double(bitPattern: .random(in: 0..<0x7FF0_0000_0000_0000, using: &random))]
      ]
      let json = try ExactJSON.encode(values)
      let read = try JSONDecoder().decode([String: [Double]].self, from: Data(json))
      #expect(read == values, "seed \(seed)")
      #expect(!json.contains { $0 < 0x20 }, "seed \(seed)")
    }
  }
}
