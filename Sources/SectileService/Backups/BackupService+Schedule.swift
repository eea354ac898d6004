#if Service
  internal import Foundation
  internal import SectileCore

  extension BackupService {
    /// When a ``BackupService`` makes its copies.
    ///
    /// Both kinds count from the latest copy in the folder, so a service that is started anew goes
    /// on with its schedule: what was due while it was away is made at once, and so is the first
    /// copy of all.
    public struct Schedule: Hashable, Sendable {
      private enum Kind: Hashable, Sendable {
        case interval(Duration)
        case timeOfDay(hour: Int, minute: Int)
      }

      private let kind: Kind
      /// How much later than its time a copy may be made, by chance.
      let jitter: Duration

      /// Makes a copy when so much time has passed since the latest one.
      ///
      /// - Parameters:
      ///   - interval: How much; a second at least.
      ///   - jitter: How much later a copy may be made, by chance: so that many services that were
      ///     started at once do not write at once.
      /// - Returns: The schedule.
      public static func every(_ interval: Duration, jitter: Duration = .zero) -> Schedule {
        Schedule(kind: .interval(max(interval.waitable, .seconds(1))), jitter: jitter.waitable)
      }

      /// Makes a copy each day at a time, in the service's
      /// ``BackupService/Configuration/timeZone``.
      ///
      /// A time that a day does not have, since the clocks are put forward, is the next one that it
      /// has; of one that it has twice, the first counts.
      ///
      /// ```swift
      /// configuration.schedule = .daily(hour: 3, minute: 30, jitter: .seconds(600))
      /// ```
      ///
      /// - Parameters:
      ///   - hour: The hour, 0 to 23.
      ///   - minute: The minute, 0 to 59.
      ///   - jitter: How much later a copy may be made, by chance.
      /// - Returns: The schedule.
      /// - Precondition: There is such a time of day.
      public static func daily(
        hour: Int, minute: Int = 0, jitter: Duration = .zero
      ) -> Schedule {
        precondition(
          (0..<24).contains(hour) && (0..<60).contains(minute),
          "\(hour):\(minute) is no time of day")
        return Schedule(kind: .timeOfDay(hour: hour, minute: minute), jitter: jitter.waitable)
      }

      /// Returns when the next copy is due, without its jitter.
      ///
      /// - Parameters:
      ///   - last: When the latest copy was made; nil where there is none. One that the clock has
      ///     not come to, since it was put back, counts for none; but for ``BackupFolder/lead``.
      ///   - now: The moment that it is.
      ///   - calendar: What says when it is which time of day.
      /// - Returns: The moment; it may have passed.
      func date(after last: Date?, asOf now: Date, in calendar: Calendar) -> Date {
        guard let last, last <= now.addingTimeInterval(BackupFolder.lead) else { return now }
        switch kind {
        case .interval(let interval): return last.addingTimeInterval(interval / .seconds(1))
        case .timeOfDay(let hour, let minute):
          let time = DateComponents(hour: hour, minute: minute, second: 0)
          return calendar.nextDate(after: last, matching: time, matchingPolicy: .nextTime)
            ?? last.addingTimeInterval(86_400)
        }
      }
    }
  }
#endif
