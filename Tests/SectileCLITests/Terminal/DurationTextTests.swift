import Testing

@testable import SectileCLI

@Suite struct DurationTextTests {
  @Test(arguments: [
    (Duration.nanoseconds(850), "0.85 µs"), (.microseconds(12.34), "12.3 µs"),
    (.milliseconds(1.234), "1.23 ms"), (.milliseconds(123.4), "123 ms"),
    (.seconds(2.5), "2.5 s"), (.seconds(125), "125 s"),
  ])
  func durationsHaveThreeDigits(duration: Duration, expected: String) {
    #expect(DurationText.text(duration) == expected)
  }
}
