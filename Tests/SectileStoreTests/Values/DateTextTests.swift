import Foundation
import SectileCore
import SectileStore
import Testing

@Suite(.timeLimit(.minutes(60))) struct DateTextTests {
  private func text(_ milliseconds: Int64) throws -> StoredValue {
    try Date(timeIntervalSince1970: Double(milliseconds) / 1000).storedValue
  }

  @Test func datesAreTextInUniversalTimeWithMilliseconds() throws {
    #expect(try text(0) == .text("1970-01-01 00:00:00.000"))
    #expect(try text(-1) == .text("1969-12-31 23:59:59.999"))
    #expect(try text(951_782_400_123) == .text("2000-02-29 00:00:00.123"))
    #expect(try text(253_402_300_799_999) == .text("9999-12-31 23:59:59.999"))
    #expect(try text(-62_167_219_200_000) == .text("0000-01-01 00:00:00.000"))
  }

  @Test func yearsBeyondFourDigitsAreRefused() {
    #expect(throws: ColumnValueError.self) { try text(253_402_300_800_000) }
    #expect(throws: ColumnValueError.self) { try text(-62_167_219_200_001) }
    #expect(throws: ColumnValueError.self) {
      try Date.distantFuture.addingTimeInterval(1e12).storedValue
    }
    #expect(throws: ColumnValueError.self) { try Date(timeIntervalSince1970: .nan).storedValue }
  }

  @Test func datesRoundToTheNearestMillisecond() throws {
    #expect(try Date(timeIntervalSince1970: 0.0006).storedValue == .text("1970-01-01 00:00:00.001"))
    #expect(try Date(timeIntervalSince1970: 0.0004).storedValue == .text("1970-01-01 00:00:00.000"))
    #expect(
      try Date(timeIntervalSince1970: 59.9996).storedValue == .text("1970-01-01 00:01:00.000"))
  }

  @Test func everyDayOfFiveCenturiesRoundTripsAndSorts() throws {
    var before = ""
    for day in stride(from: -90_000, through: 90_000, by: 1) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3661.001)
      let text = try #require(DateText.text(from: date))
      #expect(DateText.date(from: text) == date)
      #expect(text > before)
      before = text
    }
  }

  @Test func datesAreWhatSQLiteComputes() throws {
    try withTransaction(Holder<Date>.table) { transaction throws in
      for seconds in stride(from: -62_167_219_200.0, through: 253_402_300_799, by: 1_234_567_891) {
        let row = try transaction.query(
          "SELECT strftime('%Y-%m-%d %H:%M:%S', ?, 'unixepoch') || '.000'", values: [.real(seconds)]
        )
        #expect(try row.first?.values.first == Date(timeIntervalSince1970: seconds).storedValue)
      }
    }
  }

  @Test func datesAreReadWithAndWithoutMilliseconds() throws {
    #expect(
      DateText.date(from: "2026-01-31 23:59:59.125")
        == Date(timeIntervalSince1970: 1_769_903_999.125))
    #expect(
      DateText.date(from: "2026-01-31 23:59:59") == Date(timeIntervalSince1970: 1_769_903_999))
  }

  @Test(arguments: [
    "", "2026-01-31", "2026-01-31T23:59:59", "2026-02-30 00:00:00", "2026-13-01 00:00:00",
    "2026-01-00 00:00:00", "2026-01-31 24:00:00", "2026-01-31 23:60:00", "2026-01-31 23:59:60",
    "2026-01-31 23:59:59.1", "2026-01-31 23:59:59,123", "2026-01-31 23:59:59.12x",
    "-026-01-31 23:59:59", "2026-01-31 23:59:59Z   ", "1900-02-29 00:00:00",
  ])
  func otherTextIsNoDate(_ text: String) {
    #expect(DateText.date(from: text) == nil)
  }
}
