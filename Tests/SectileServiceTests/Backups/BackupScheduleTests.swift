#if Service
  import Foundation
  import SectileTestSupport
  import Testing

  @testable import SectileService

  /// When copies are due, and which are kept.
  @Suite(.timeLimit(.minutes(60))) struct BackupScheduleTests {
    private typealias Schedule = BackupService.Schedule
    private typealias Retention = BackupService.Retention

    private static func calendar(_ zone: String) throws -> Calendar {
      var configuration = BackupService.Configuration()
      configuration.timeZone = try #require(TimeZone(identifier: zone))
      return configuration.calendar
    }

    /// A moment of November 2026, in UTC.
    private static func moment(_ day: Int, _ hour: Int, month: Int = 11) throws -> Date {
      let components = DateComponents(year: 2026, month: month, day: day, hour: hour)
      return try #require(BackupService.Configuration().calendar.date(from: components))
    }

    @Test func anIntervalCountsFromTheLatestCopy() throws {
      let calendar = BackupService.Configuration().calendar
      let schedule = Schedule.every(.seconds(7_200))
      let now = try Self.moment(21, 12)
      #expect(schedule.date(after: nil, asOf: now, in: calendar) == now)
      let last = try Self.moment(21, 11)
      #expect(try schedule.date(after: last, asOf: now, in: calendar) == Self.moment(21, 13))
      // It was due while nobody was there.
      let old = try Self.moment(20, 11)
      #expect(schedule.date(after: old, asOf: now, in: calendar) < now)
      // The clock was put back.
      let later = try Self.moment(21, 13)
      #expect(schedule.date(after: later, asOf: now, in: calendar) == now)
      // The second of its moment was taken: it is none the less the latest one.
      let next = now.addingTimeInterval(1)
      #expect(
        schedule.date(after: next, asOf: now, in: calendar) == next.addingTimeInterval(7_200))
    }

    @Test func aTimeOfDayIsOneOfItsZone() throws {
      let calendar = try Self.calendar("Europe/Lisbon")
      let schedule = Schedule.daily(hour: 1)
      let last = try Self.moment(21, 1)
      #expect(try schedule.date(after: last, asOf: last, in: calendar) == Self.moment(22, 1))
      // In summer it is an hour ahead of UTC.
      let summer = try Self.moment(21, 0, month: 7)
      let due = schedule.date(after: summer, asOf: summer, in: calendar)
      #expect(try due == Self.moment(22, 0, month: 7))
      // On the 29th of March there is no time between one and two o'clock.
      let before = try Self.moment(28, 1, month: 3)
      let night = Schedule.daily(hour: 1, minute: 30)
      let last28th = night.date(after: before, asOf: before, in: calendar)
      #expect(last28th == before.addingTimeInterval(1_800))
      let next = night.date(after: last28th, asOf: last28th, in: calendar)
      #expect(try Self.moment(29, 1, month: 3) <= next)
      #expect(try next < Self.moment(29, 2, month: 3))
    }

    @Test func oneADayAndOneAWeekAreTheLastOfEach() throws {
      let calendar = BackupService.Configuration().calendar
      // Each hour, up to Saturday at noon.
      let first = try Self.moment(1, 0)
      let now = try Self.moment(21, 12)
      let dates = (0...(20 * 24 + 12)).map { first.addingTimeInterval(Double($0) * 3_600) }
      let kept = Retention(latest: 3, days: 2, weeks: 2).kept(of: dates, asOf: now, in: calendar)
      let wanted = [
        try Self.moment(15, 23), try Self.moment(20, 23), try Self.moment(21, 10),
        try Self.moment(21, 11), now,
      ]
      #expect(kept.sorted() == wanted)
    }

    @Test func theLatestStaysWhateverTheRuleSays() throws {
      let calendar = BackupService.Configuration().calendar
      let dates = [try Self.moment(1, 0), try Self.moment(2, 0), try Self.moment(30, 0)]
      let kept = Retention(latest: -1, days: -1, weeks: 0)
        .kept(of: dates, asOf: dates[1], in: calendar)
      // The third is of a time that has not come.
      #expect(kept == [dates[1], dates[2]])
    }

    /// What is removed as copies come is what the rule would remove of all of them.
    @Test(arguments: SeededRandom.batches(debug: 40, release: 200))
    func removingStepByStepLosesNothing(_ seeds: Range<UInt64>) throws {
      let calendar = try Self.calendar("America/New_York")
      let start = try Self.moment(1, 0)
      for seed in seeds {
        var random = SeededRandom(seed: seed)
        let rule = Retention(
          latest: Int.random(in: 0...5, using: &random),
          days: Int.random(in: 0...5, using: &random),
          weeks: Int.random(in: 0...5, using: &random))
        var (all, left): ([Date], Set<Date>) = ([], [])
        var now = start
        for _ in 0..<60 {
          now += Double(Int.random(in: 1...200_000, using: &random))
          all.append(now)
          left.insert(now)
          left = rule.kept(of: Array(left), asOf: now, in: calendar)
          #expect(left == rule.kept(of: all, asOf: now, in: calendar), "\(random)")
          #expect(left.contains(now), "\(random)")
        }
      }
    }

    @Test func namesAreThoseOfOneServiceAlone() throws {
      let folder = BackupFolder(path: "/backups", name: "parcels")
      let date = try Self.moment(21, 3)
      #expect(folder.path(of: date) == "/backups/parcels-20261121T030000Z.sqlite")
      #expect(folder.date(of: "parcels-20261121T030000Z.sqlite") == date)
      for name in [
        "parcels-old-20261121T030000Z.sqlite", "other-20261121T030000Z.sqlite", "parcels-.sqlite",
        "parcels-20261121T030000.5Z.sqlite", "parcels-2026-11-21T03:00:00Z.sqlite",
        "parcels-20261121T030000Z.sqlite-wal", "parcels-20261199T030000Z.sqlite",
      ] {
        #expect(folder.date(of: name) == nil, "\(name)")
      }
    }

    @Test func waitsDoubleUpToTheirLimit() {
      var configuration = BackupService.Configuration()
      configuration.retryDelays = Duration.seconds(10)...Duration.seconds(60)
      let waits = [1, 2, 3, 4, 1_000].map { configuration.delay(after: $0, jitter: 0) }
      #expect(waits == [10, 20, 40, 60, 60].map { Duration.seconds($0) })
      #expect(configuration.delay(after: 1, jitter: 0.5) == .milliseconds(7_500))
    }
  }
#endif
