#if Service
  internal import Foundation

  extension BackupService {
    /// Which copies a ``BackupService`` keeps: the latest ones, and of the time before that one a
    /// day, and one a week.
    ///
    /// A copy is kept where any of the three says so. Days and weeks without a copy do not count,
    /// so a service that was away for a month removes none of what it had. Weeks begin on Monday.
    ///
    /// ```swift
    /// configuration.retention = .init(latest: 24, days: 7, weeks: 4)
    /// ```
    public struct Retention: Hashable, Sendable {
      /// How many of the latest copies are kept; one at least.
      public var latest: Int
      /// Of how many days, the latest ones that have copies, the last copy is kept.
      public var days: Int
      /// Of how many weeks, the latest ones that have copies, the last copy is kept.
      public var weeks: Int

      /// Creates a rule.
      ///
      /// - Parameters:
      ///   - latest: How many of the latest copies are kept; one at least.
      ///   - days: Of how many days the last copy is kept.
      ///   - weeks: Of how many weeks the last copy is kept.
      public init(latest: Int = 24, days: Int = 7, weeks: Int = 4) {
        (self.latest, self.days, self.weeks) = (latest, days, weeks)
      }

      /// Returns which copies are kept.
      ///
      /// - Parameters:
      ///   - dates: When the copies were made, in any order.
      ///   - now: When the latest good copy was made. Copies of a later time are those of a clock
      ///     that was wrong: they are kept, and take no other copy's place.
      ///   - calendar: What says when days and weeks begin.
      /// - Returns: The dates of the copies that are kept.
      /// - Complexity: O(*n* log *n*) for *n* copies.
      func kept(of dates: [Date], asOf now: Date, in calendar: Calendar) -> Set<Date> {
        let sorted = dates.sorted(by: >)
        let past = sorted.drop { $0 > now }
        var kept = Set(sorted.prefix { $0 > now })
        kept.formUnion(past.prefix(max(1, latest)))
        kept.formUnion(Self.lastOfEach(in: past, days) { calendar.startOfDay(for: $0) })
        kept.formUnion(
          Self.lastOfEach(in: past, weeks) {
            calendar.dateInterval(of: .weekOfYear, for: $0)?.start ?? $0
          })
        return kept
      }

      /// Returns the last date of each of the latest periods.
      private static func lastOfEach(
        in dates: ArraySlice<Date>, _ count: Int, period: (Date) -> Date
      ) -> [Date] {
        var found: [Date] = []
        var last: Date?
        for date in dates {
          let begin = period(date)
          guard begin != last else { continue }
          guard found.count < count else { break }
          found.append(date)
          last = begin
        }
        return found
      }
    }
  }
#endif
