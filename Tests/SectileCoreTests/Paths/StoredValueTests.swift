import Foundation
import SectileCore
import Testing

@Suite struct StoredValueTests {
  /// Values in SQLite's order; those of one line are equal.
  static let ordered: [[StoredValue]] = [
    [.null],
    [.real(-.infinity)],
    [.real(-1e300)],
    [.integer(.min), .real(-0x1p63)],
    [.integer(.min + 1)],
    [.integer(-1), .real(-1)],
    [.real(-0.5)],
    [.integer(0), .real(0), .real(-0.0)],
    [.real(0.5)],
    [.integer(1), .real(1)],
    [.real(1.5)],
    [.integer(2)],
    [.integer(9_007_199_254_740_992), .real(9_007_199_254_740_992)],
    [.integer(9_007_199_254_740_993)],
    [.real(9_007_199_254_740_994)],
    [.integer(.max)],
    [.real(0x1p63)],
    [.real(.infinity)],
    [.text("")],
    [.text("9")],
    [.text("A")],
    [.text("a")],
    [.text("a\0")],
    [.text("a\0b")],
    [.text("e\u{301}")],
    [.text("\u{E9}")],
    [.text("\u{1F600}")],
    [.blob([])],
    [.blob([0])],
    [.blob([0, 255])],
    [.blob([1])],
  ]

  @Test func valuesCompareAsInSQLite() {
    for (leftPlace, lefts) in Self.ordered.enumerated() {
      for (rightPlace, rights) in Self.ordered.enumerated() {
        for left in lefts {
          for right in rights {
            #expect((left == right) == (leftPlace == rightPlace), "\(left) == \(right)")
            #expect((left < right) == (leftPlace < rightPlace), "\(left) < \(right)")
            if left == right { #expect(left.hashValue == right.hashValue, "\(left) \(right)") }
          }
        }
      }
    }
  }

  @Test func valuesThatAreNoNumbersHaveAPlaceToo() {
    #expect(StoredValue.real(.nan) == .real(-.nan))
    #expect(StoredValue.real(.nan).hashValue == StoredValue.real(-.nan).hashValue)
    #expect(StoredValue.real(.nan) < .integer(.min))
    #expect(StoredValue.real(.nan) > .null)
  }

  @Test func literalsMakeValues() {
    let values: [StoredValue] = [nil, 1, 1.5, "text"]
    #expect(values == [.null, .integer(1), .real(1.5), .text("text")])
  }

  @Test(arguments: [
    (StoredValue.null, "NULL"), (1, "1"), (1.5, "1.5"), ("it's", "'it''s'"), ("", "''"),
    (.blob([0, 255]), "x'00ff'"), (.real(.infinity), "9e999"), (.real(-.infinity), "-9e999"),
    (.real(.nan), "NULL"), ("a\u{301}'", "'a\u{301}'''"), ("'\u{301}", "'''\u{301}'"),
  ])
  func descriptionIsALiteral(value: StoredValue, literal: String) {
    #expect(value.description == literal)
  }

  @Test(arguments: [
    (StoredValue.null, "NULL"), ("NULL", "'NULL'"), ("", "''"), ("A", "A"), (1, "1"),
  ])
  func labelKeepsEmptyTextAndNullApart(value: StoredValue, label: String) {
    #expect(value.label == label)
  }

  @Test func everyValueRoundTripsThroughJSON() throws {
    let values = Self.ordered.flatMap { $0 }
    let data = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode([StoredValue].self, from: data) == values)
  }

  /// Foundation reads the digits of an exponent form as an integer where they fit, and the shortest
  /// digits of a real number are those of another integer.
  @Test func wholeRealNumbersRoundTripThroughJSON() throws {
    var values: [Double] = [1.2345678901234567e17, 0x1.fffffffffffffp62, 1e300, 0x1p64, 0x1p65]
    for exponent in 50...66 {
      values.append(contentsOf: [
        Double(sign: .plus, exponent: exponent, significand: 1),
        Double(sign: .plus, exponent: exponent, significand: 1).nextUp,
        Double(sign: .plus, exponent: exponent, significand: 1).nextDown,
      ])
    }
    for value in values + values.map({ -$0 }) {
      let data = try JSONEncoder().encode([StoredValue.real(value)])
      let decoded = try JSONDecoder().decode([StoredValue].self, from: data)
      #expect(decoded == [.real(value)], "\(value)")
    }
    let json = String(
      decoding: try JSONEncoder().encode([StoredValue.real(0x1p62), .real(0x1p52)]), as: UTF8.self)
    #expect(json == #"[{"$real":"4.611686018427388e+18"},4503599627370496]"#)
  }

  @Test func jsonShapeIsTheDocumentedOne() throws {
    let values: [StoredValue] = [nil, 1, 1.5, "a", .blob([0, 255])]
    let json = String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    #expect(json == #"[null,1,1.5,"a",{"$blob":"00ff"}]"#)
  }

  @Test(arguments: [#"[{"blob":"0"}]"#, #"[{"blob":"zz"}]"#, #"[{"real":"x"}]"#, "[{}]", "[[]]"])
  func otherJSONIsRefused(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([StoredValue].self, from: Data(json.utf8))
    }
  }
}
