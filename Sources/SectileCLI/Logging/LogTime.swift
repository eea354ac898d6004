internal import Foundation
internal import Sectile

/// Reads times as arguments name them.
enum LogTime {
  private static let day = 86_400.0
  /// Seconds of the units of a time that has passed.
  private static let units: [Character: Double] = [
    "s": 1, "m": 60, "h": 3_600, "d": day, "w": 7 * day,
  ]
  /// More digits than any number of units has.
  private static let digitLimit = 9

  /// What can be written, as a part of a sentence.
  static let forms = "2026-11-25, 2026-11-25T08:29 (UTC), today, yesterday, or 2h for two hours ago"

  /// Reads a time, as an argument says it.
  ///
  /// It is `2026-11-25`, `2026-11-25 08:29`, `2026-11-25T08:29:43Z`, `now`, `today`, `yesterday`,
  /// or how long ago it was: `90s`, `15m`, `2h`, `3d`, `1w`. Days are those of UTC.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isEnd: Whether the end of the day, the minute or the second is meant, instead of its
  ///     start; a time that has passed has no length.
  ///   - now: The time now.
  /// - Returns: The time; nil for other texts.
  static func date(of text: String, isEnd: Bool, now: Date = Date()) -> Date? {
    let today = (now.timeIntervalSince1970 / day).rounded(.down) * day
    switch text.lowercased() {
    case "now": return now
    case "today": return Date(timeIntervalSince1970: today + (isEnd ? day : 0))
    case "yesterday": return Date(timeIntervalSince1970: today - (isEnd ? 0 : day))
    default: return passed(text, before: now) ?? calendarDate(of: text, isEnd: isEnd)
    }
  }

  private static func passed(_ text: String, before now: Date) -> Date? {
    guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
    let digits = text.dropLast().utf8
    guard (1...digitLimit).contains(digits.count), digits.allSatisfy({ $0 &- 0x30 < 10 }),
      let number = Int(text.dropLast())
    else { return nil }
    return now.addingTimeInterval(-Double(number) * unit)
  }

  private static func calendarDate(of text: String, isEnd: Bool) -> Date? {
    var text = text.replacing("T", with: " ")
    if text.hasSuffix("Z") { text.removeLast() }
    let form: (rest: String, seconds: Double)? =
      switch text.utf8.count {
      case 10: (" 00:00:00", day)
      case 16: (":00", 60)
      case 19: ("", 1)
      case 23: ("", 0.001)
      default: nil
      }
    guard let form else { return nil }
    return DateText.date(from: text + form.rest)?
      .addingTimeInterval(isEnd ? form.seconds : 0)
  }
}
