import Foundation

/// Time zones, and calendars in them.
enum Zones {
  static let lisbon = zone("Europe/Lisbon")

  static func zone(_ identifier: String) -> TimeZone {
    TimeZone(identifier: identifier) ?? TimeZone(secondsFromGMT: 0) ?? .current
  }

  /// Returns the Gregorian calendar in a zone, with weeks that begin on a Monday.
  static func calendar(in zone: TimeZone, firstWeekday: Int = 2) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    calendar.firstWeekday = firstWeekday
    return calendar
  }
}
