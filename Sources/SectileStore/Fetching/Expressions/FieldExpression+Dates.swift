public import Foundation

/// A value that is stored as a date: `Date`, and an optional one.
///
/// Dates are stored in UTC, as text that SQLite's date functions read or in another
/// ``ColumnEncoding``; all parts of a date are in UTC, too.
public protocol DateStorable: StorableValue {}

extension Date: DateStorable {}
extension Optional: DateStorable where Wrapped: DateStorable {}

extension FieldExpression where Value: DateStorable {
  /// The year in UTC: `CAST(strftime('%Y', …) AS INTEGER)`.
  public var year: FieldExpression<Int> { part("%Y") }
  /// The month in UTC, 1 to 12.
  public var month: FieldExpression<Int> { part("%m") }
  /// The day of the month in UTC, 1 to 31.
  public var day: FieldExpression<Int> { part("%d") }
  /// The hour in UTC, 0 to 23.
  public var hour: FieldExpression<Int> { part("%H") }
  /// The minute in UTC, 0 to 59.
  public var minute: FieldExpression<Int> { part("%M") }

  /// The day of the week in UTC as Foundation's `Calendar` counts: 1 is Sunday, 7 Saturday.
  public var weekday: FieldExpression<Int> { weekdayFromOne(in: nil) }

  /// The first moment of the day in UTC: `strftime('%Y-%m-%d 00:00:00.000', …)`.
  public var dayStart: FieldExpression<Value> { .init(format("%Y-%m-%d 00:00:00.000")) }

  /// The day in UTC as text, `2026-03-31`, to group by.
  public var calendarDay: FieldExpression<String?> { .init(format("%Y-%m-%d")) }
  /// The month in UTC as text, `2026-03`, to group by.
  public var calendarMonth: FieldExpression<String?> { .init(format("%Y-%m")) }

  /// A part of the date as a number: in a zone, or in UTC.
  func part(_ format: String, in zone: TimeZone? = nil) -> FieldExpression<Int> {
    .init(.cast(self.format(format, in: zone), "INTEGER"))
  }

  /// The day of the week from 1: in a zone, or in UTC.
  func weekdayFromOne(in zone: TimeZone?) -> FieldExpression<Int> {
    .init(.infix(part("%w", in: zone).expression, "+", .constant("1")))
  }

  /// The date as text: in a zone, or in UTC.
  ///
  /// - Parameters:
  ///   - format: What `strftime` makes of it.
  ///   - zone: The zone; nil for UTC.
  ///   - modifiers: Modifiers of `strftime`, as SQL.
  /// - Returns: The expression.
  func format(
    _ format: String, in zone: TimeZone? = nil, then modifiers: [String] = []
  ) -> SQLExpression {
    let moment = MomentColumn(expression, in: form)
    func text(_ time: [SQLExpression]) -> SQLExpression {
      .call("strftime", [.constant("'\(format)'")] + time + modifiers.map { .constant($0) })
    }
    guard let zone else { return text(moment.time) }
    let offset = ZoneOffsets.of(zone).expression(for: moment.value, comparedWith: moment.limit)
    let local = text([.infix(moment.seconds, "+", offset), .constant("'unixepoch'")])
    guard let isReadable = moment.isReadable else { return local }
    return .call("iif", [isReadable, local, .constant("NULL")])
  }
}
