import Testing

@testable import SectileRemote

@Suite struct RetryAfterTests {
  static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

  @Test(
    arguments: [
      ("0", 0), ("120", 120), ("99999999999999", 1 << 32),
      ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:49:00 GMT", 0),
      ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400), ("Tue, 29 Feb 2000 00:00:00 GMT", 167_670_623),
    ] as [(String, Int64)])
  func waitIsReadFromSecondsOrAMoment(_ value: String, _ seconds: Int64) {
    let headers: HeaderFields = ["Retry-After": value, "Date": Self.date]
    #expect(RetryAfter.duration(in: headers) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "-5", "soon", "1.5", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "06 Nov 1994",
  ])
  func whatCannotBeUnderstoodAsksForNothing(_ value: String) {
    let headers: HeaderFields = ["Retry-After": value, "Date": Self.date]
    #expect(RetryAfter.duration(in: headers) == nil)
  }

  @Test func momentWithoutADateToCompareAsksForNothing() {
    #expect(RetryAfter.duration(in: ["Retry-After": Self.date]) == nil)
    #expect(RetryAfter.duration(in: [:]) == nil)
  }
}
