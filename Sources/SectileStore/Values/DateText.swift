package import Foundation

/// Dates as text that sorts in the order of time: `2026-01-31 23:59:59.123`, in UTC.
///
/// Written by hand because Foundation's formatters cost microseconds; ``CalendarDay`` reaches back
/// to the year 0000 without a gap, as SQLite's calendar does.
package enum DateText {
  /// Milliseconds since 1970 of `0000-01-01 00:00:00.000`.
  private static let first: Int64 = -62_167_219_200_000
  /// Milliseconds since 1970 of `9999-12-31 23:59:59.999`.
  private static let last: Int64 = 253_402_300_799_999
  private static let millisecondsPerDay: Int64 = 86_400_000

  /// Returns the text of a date, rounded to the nearest millisecond; nil outside the years 0…9999.
  package static func text(from date: Date) -> String? {
    let exact = (date.timeIntervalSince1970 * 1000).rounded()
    guard exact >= Double(first), exact <= Double(last) else { return nil }
    let milliseconds = Int64(exact)
    var days = milliseconds / millisecondsPerDay
    var rest = milliseconds % millisecondsPerDay
    if rest < 0 {
      days -= 1
      rest += millisecondsPerDay
    }
    let day = CalendarDay(number: days)
    return String(unsafeUninitializedCapacity: 23) { buffer in
      write(day.year, digits: 4, to: buffer, at: 0, then: "-")
      write(day.month, digits: 2, to: buffer, at: 5, then: "-")
      write(day.day, digits: 2, to: buffer, at: 8, then: " ")
      write(rest / 3_600_000, digits: 2, to: buffer, at: 11, then: ":")
      write(rest / 60_000 % 60, digits: 2, to: buffer, at: 14, then: ":")
      write(rest / 1000 % 60, digits: 2, to: buffer, at: 17, then: ".")
      write(rest % 1000, digits: 3, to: buffer, at: 20, then: nil)
      return 23
    }
  }

  /// Returns the date of a text with or without milliseconds; nil for every other form, and for
  /// days and hours that do not exist.
  package static func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { bytes -> Date? in
      guard bytes.count == 23 || bytes.count == 19 else { return nil }
      guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
        bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
        bytes[16] == UInt8(ascii: ":"), bytes.count == 19 || bytes[19] == UInt8(ascii: ".")
      else { return nil }
      guard let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
        let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
        let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
        let fraction = bytes.count == 19 ? 0 : number(bytes[20..<23])
      else { return nil }
      let date = CalendarDay(year: year, month: month, day: day)
      guard date.exists, hour < 24, minute < 60, second < 60 else { return nil }
      let time = hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction
      let milliseconds = date.number * millisecondsPerDay + time
      return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
  }

  // MARK: - Other forms

  /// Returns the date so many seconds after 1970; nil outside the years 0…9999.
  package static func date(seconds: Double) -> Date? {
    guard seconds >= Double(first) / 1000, seconds <= Double(last) / 1000 else { return nil }
    return Date(timeIntervalSince1970: seconds)
  }

  /// Returns a text of this form as RFC 3339 writes it: `2026-01-31T23:59:59.123Z`.
  package static func internet(_ text: some StringProtocol) -> String {
    "\(text.prefix(10))T\(text.dropFirst(11))Z"
  }

  /// Returns the date of a text that ``internet(_:)`` makes; nil for every other form.
  package static func date(fromInternet text: String) -> Date? {
    var bytes = Array(text.utf8)
    guard bytes.count == 20 || bytes.count == 24, bytes[10] == UInt8(ascii: "T"),
      bytes.removeLast() == UInt8(ascii: "Z")
    else { return nil }
    bytes[10] = UInt8(ascii: " ")
    return date(from: String(decoding: bytes, as: UTF8.self))
  }

  // MARK: - Digits

  private static func write(
    _ number: Int64, digits: Int, to buffer: UnsafeMutableBufferPointer<UInt8>, at offset: Int,
    then separator: Unicode.Scalar?
  ) {
    var number = number
    for place in stride(from: offset + digits - 1, through: offset, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
      number /= 10
    }
    if let separator { buffer[offset + digits] = UInt8(ascii: separator) }
  }

  private static func number(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    var number: Int64 = 0
    for byte in bytes {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return number
  }
}
