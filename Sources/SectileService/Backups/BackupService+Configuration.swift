#if Service
  public import Foundation
  internal import SectileCore

  extension BackupService {
    /// When a ``BackupService`` makes copies, which of them it keeps, and what it does where one
    /// fails.
    ///
    /// ```swift
    /// var configuration = BackupService.Configuration()
    /// configuration.name = "parcels"
    /// configuration.schedule = .daily(hour: 3)
    /// configuration.retention = .init(latest: 7, days: 0, weeks: 8)
    /// ```
    public struct Configuration: Sendable {
      /// What the names of the copies begin with: `backup-20261121T031500Z.sqlite`.
      ///
      /// Services that share a folder have names of their own.
      public var name = "backup"
      /// When copies are made; every hour by default.
      public var schedule = Schedule.every(.seconds(3_600))
      /// Which copies are kept.
      public var retention = Retention()
      /// Where days and weeks begin, and which time of day it is; UTC by default.
      ///
      /// Names have UTC in any case.
      public var timeZone = TimeZone.gmt
      /// The wait after a copy that has failed, and the longest that doubling leads to.
      public var retryDelays = Duration.seconds(30)...Duration.seconds(1_800)
      /// Whether a shutdown waits for a copy that is under way; otherwise, and where the group is
      /// cancelled, the copy is given up and leaves nothing behind.
      public var finishesOnShutdown = false
      /// What waits are measured with.
      public var clock: any Clock<Duration> = ContinuousClock()
      /// Returns the moment that it is.
      public var now: @Sendable () -> Date = { Date() }
      /// What the random part of waits begins with; nil for other numbers every time.
      public var jitterSeed: UInt64?

      /// Creates the defaults.
      public init() {}

      /// What says when days and weeks begin.
      var calendar: Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = timeZone
        return calendar
      }

      /// Returns how long to wait before a copy is tried again.
      ///
      /// - Parameters:
      ///   - failures: How many have failed in a row, this one included.
      ///   - jitter: A random number in `0..<1`: how much of half of the wait to leave out.
      /// - Returns: How long.
      func delay(after failures: Int, jitter: Double) -> Duration {
        let limit = max(retryDelays.upperBound.waitable, .seconds(1))
        var delay = max(retryDelays.lowerBound.waitable, .seconds(1))
        for _ in 0..<min(max(failures - 1, 0), 30) where delay < limit { delay = delay * 2 }
        return min(delay, limit) * (1 - jitter / 2)
      }
    }
  }
#endif
