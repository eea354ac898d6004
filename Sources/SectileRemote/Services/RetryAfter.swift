internal import SectileStore

/// Reads how long a service asks to be left alone, from the `Retry-After` header field.
///
/// The field is a number of seconds, or a moment in time; a moment is compared with the `Date`
/// field of the same answer, so that the clocks of the two machines need not agree.
enum RetryAfter {
  /// Returns the wait, or nil where the answer asks for none that can be understood.
  static func duration(in headers: HeaderFields) -> Duration? {
    guard let value = headers["Retry-After"] else { return nil }
    if let seconds = Int64(value), seconds >= 0 {
      return .seconds(min(seconds, 1 << 32))
    }
    guard let moment = seconds(value), let now = headers["Date"].flatMap(seconds) else {
      return nil
    }
    return .seconds(max(0, moment - now))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func seconds(_ date: String) -> Int64? {
    let words = date.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3]),
      (1970...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int64($0) }
    guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    let days = CalendarDay(year: year, month: Int64(month) + 1, day: day).number
    return days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
  }
}
