public import struct Foundation.Date

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
  public var weekday: FieldExpression<Int> {
    let fromZero: FieldExpression<Int> = part("%w")
    return .init(.infix(fromZero.expression, "+", .constant("1")))
  }

  /// The first moment of the day in UTC: `strftime('%Y-%m-%d 00:00:00.000', …)`.
  public var dayStart: FieldExpression<Value> { .init(format("%Y-%m-%d 00:00:00.000")) }

  /// The day in UTC as text, `2026-03-31`, to group by.
  public var calendarDay: FieldExpression<String?> { .init(format("%Y-%m-%d")) }
  /// The month in UTC as text, `2026-03`, to group by.
  public var calendarMonth: FieldExpression<String?> { .init(format("%Y-%m")) }

  private func part(_ format: String) -> FieldExpression<Int> {
    .init(.cast(self.format(format), "INTEGER"))
  }

  private func format(_ format: String) -> SQLExpression {
    let format = SQLExpression.constant("'\(format)'")
    switch form {
    case .unixSeconds, .unixSecondsReal:
      return .call("strftime", [format, expression, .constant("'unixepoch'")])
    case .referenceSecondsReal:
      // The reference date is 1 January 2001.
      let seconds = SQLExpression.infix(expression, "+", .constant("978307200.0"))
      return .call("strftime", [format, seconds, .constant("'unixepoch'")])
    case .unixMilliseconds:
      let seconds = SQLExpression.infix(expression, "/", .constant("1000.0"))
      return .call("strftime", [format, seconds, .constant("'unixepoch'")])
    default:
      return .call("strftime", [format, expression])
    }
  }
}
