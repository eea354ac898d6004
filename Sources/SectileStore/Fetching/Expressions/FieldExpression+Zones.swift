public import Foundation
internal import SectileCore

// Parts of a date where the clocks are not those of UTC: comparisons with the moments at which they
// were changed, in the text of the request. No function of Sectile's and no setting of the process
// takes part, so rows are followed one by one, and an index on the expression serves it.

extension FieldExpression where Value: DateStorable {
  /// The day in a time zone as text, `2026-03-31`, to group by; NULL where there is no date.
  ///
  /// ```swift
  /// request.sectioned(by: { $0.receivedAt.calendarDay(in: .current) }, .descending)
  /// ```
  ///
  /// The changes to and from summer time count, and all others of the zone, as Foundation knows
  /// them, from 1970 to 2060; before and after, the offset is that of the nearest of these years.
  ///
  /// - Parameter zone: The zone; that of the process is looked up when this is called.
  /// - Returns: The text, as an expression.
  /// - Complexity: O(log *n*) comparisons a row for *n* changes of offset: seven for most zones.
  public func calendarDay(in zone: TimeZone) -> FieldExpression<String?> {
    .init(format("%Y-%m-%d", in: zone))
  }

  /// The month in a time zone as text, `2026-03`, to group by; NULL where there is no date.
  ///
  /// See ``calendarDay(in:)``.
  public func calendarMonth(in zone: TimeZone) -> FieldExpression<String?> {
    .init(format("%Y-%m", in: zone))
  }

  /// The first day of the week in a calendar and its time zone as text, `2026-03-30`, to group by;
  /// NULL where there is no date.
  ///
  /// ```swift
  /// request.sectioned { $0.receivedAt.calendarWeek(in: .autoupdatingCurrent) }
  /// ```
  ///
  /// Of the calendar its zone and its first day of the week count; weeks are those of the Gregorian
  /// calendar. See ``calendarDay(in:)``.
  public func calendarWeek(in calendar: Calendar) -> FieldExpression<String?> {
    // SQLite counts from Sunday, 0; the last day of the week is the one before the first.
    let last = (calendar.firstWeekday + 5) % 7
    return .init(
      format(
        "%Y-%m-%d", in: calendar.timeZone, then: ["'weekday \(last)'", "'-6 days'"]))
  }

  /// The year in a time zone.
  ///
  /// See ``calendarDay(in:)``.
  public func year(in zone: TimeZone) -> FieldExpression<Int> { part("%Y", in: zone) }

  /// The month in a time zone, 1 to 12.
  ///
  /// See ``calendarDay(in:)``.
  public func month(in zone: TimeZone) -> FieldExpression<Int> { part("%m", in: zone) }

  /// The day of the month in a time zone, 1 to 31.
  ///
  /// See ``calendarDay(in:)``.
  public func day(in zone: TimeZone) -> FieldExpression<Int> { part("%d", in: zone) }

  /// The hour in a time zone, 0 to 23.
  ///
  /// See ``calendarDay(in:)``.
  public func hour(in zone: TimeZone) -> FieldExpression<Int> { part("%H", in: zone) }

  /// The day of the week in a time zone as Foundation's `Calendar` counts: 1 is Sunday, 7 Saturday.
  ///
  /// See ``calendarDay(in:)``.
  public func weekday(in zone: TimeZone) -> FieldExpression<Int> { weekdayFromOne(in: zone) }
}
