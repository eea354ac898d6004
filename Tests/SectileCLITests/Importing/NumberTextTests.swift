import SectileInspecting
import Testing

@testable import SectileCLI

@Suite struct NumberTextTests {
  @Test(arguments: [
    ("0", NumberText.integer(isWide: false)), ("-12", .integer(isWide: false)),
    ("9223372036854775807", .integer(isWide: true)), ("9223372036854775808", .text),
    ("007", .text), ("+1", .text), ("-0", .text), ("1e5", .text), ("", .text), ("-", .text),
    ("1.5", .real), ("-0.25", .real), ("1.0e5", .real), ("1e+20", .real), ("1e-7", .real),
    ("1.", .text), (".5", .text), ("1e", .text), ("1e+", .text), ("1.5e400", .text),
    ("00.5", .text),
    ("inf", .text), ("nan", .text), ("0x10", .text), ("1.5 ", .text), ("1_000", .text),
    ("0.30000000000000004", .real), ("3.14159265358979323846", .text),
    ("x'00ff'", .blob), ("x''", .blob), ("x'0'", .text), ("x'0g'", .text), ("x", .text),
  ])
  func textsStandForWhatComesBackAsTheSameText(text: String, meaning: NumberText) {
    #expect(NumberText(text) == meaning)
  }

  @Test func numbersAreThoseOfSQLAndInfinities() {
    #expect(NumberText.number("1e5") == 100_000)
    #expect(NumberText.number("+.5") == 0.5)
    #expect(NumberText.number("-9e999") == -.infinity)
    for text in ["nan", "inf", "0x1p3", "infinity", "1 2", "", "e"] {
      #expect(NumberText.number(text) == nil)
    }
  }
}
