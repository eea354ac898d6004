public import Foundation
internal import SectileCore

extension FetchRequest {
  /// Groups rows by how far back their day is: *Later*, *Today*, *Yesterday*, *This week*,
  /// *Earlier*, *No date*.
  ///
  /// ```swift
  /// let request = FetchRequest<Mail>().sectioned(byDayOf: \.receivedAt)
  ///   .sort(by: \.receivedAt, .descending)
  /// ```
  ///
  /// The days are bound as moments, so rows are followed one by one; a request is right until the
  /// next day begins. ``SectionedResults/updateEachDay(in:clock:now:to:)`` has results go on then.
  /// The identity of a section is the raw value of its ``RelativeDay``; sections without rows are
  /// not there.
  ///
  /// - Parameters:
  ///   - key: The date: a key path, also through to-one relationships, or a closure.
  ///   - moment: A moment of the day that is today.
  ///   - calendar: What says when days and weeks begin: its time zone and first day of the week.
  ///   - title: Returns what a section is called.
  /// - Returns: The refined request.
  public func sectioned<Value: DateStorable>(
    byDayOf key: (EntityFields<E>) -> FieldExpression<Value>, asOf moment: Date = Date(),
    in calendar: Calendar = .current, titled title: (RelativeDay) -> String = { $0.title }
  ) -> Self {
    let field = key(.base)
    let days = RelativeDayLimits(asOf: moment, in: calendar)
    let column = MomentColumn(field.expression, in: field.form)
    let term = SectionTerm(
      identity: SortTerm(days.choice(for: column) { .value(.text($0.rawValue)) }),
      order: [
        SortTerm(
          days.choice(for: column) { day in
            .constant("\(RelativeDay.allCases.firstIndex(of: day) ?? 0)")
          })
      ],
      title: days.choice(for: column) { .value(.text(title($0))) })
    return with { $0.section = term }
  }
}

/// When the days begin of which people have names.
private struct RelativeDayLimits {
  /// The first seconds of days, from the last on, each with what the rows from then on are.
  private let starts: [(day: RelativeDay, second: Int64)]

  init(asOf moment: Date, in calendar: Calendar) {
    let today = calendar.startOfDay(for: moment)
    func day(_ distance: Int) -> Date? {
      calendar.date(byAdding: .day, value: distance, to: today).map(calendar.startOfDay(for:))
    }
    let week = calendar.dateInterval(of: .weekOfYear, for: moment)?.start
    let starts: [(RelativeDay, Date?)] = [
      (.later, day(1)), (.today, today), (.yesterday, day(-1)), (.thisWeek, week),
    ]
    self.starts = starts.compactMap { day, start in
      // No day begins in the middle of a second.
      start.map { (day, Int64($0.timeIntervalSince1970.rounded(.up))) }
    }
  }

  /// Returns an expression for what is said of the day of a row.
  func choice(
    for column: MomentColumn, _ value: (RelativeDay) -> SQLExpression
  ) -> SQLExpression {
    // From the last to the first: a week that begins after yesterday says nothing.
    let chosen = starts.reversed().reduce(value(.earlier)) { others, start in
      .call(
        "iif",
        [.infix(column.value, ">=", column.limit(start.second)), value(start.day), others])
    }
    let isReadable = column.isReadable ?? .suffix(column.seconds, "IS NOT NULL")
    return .call("iif", [isReadable, chosen, value(.undated)])
  }
}
