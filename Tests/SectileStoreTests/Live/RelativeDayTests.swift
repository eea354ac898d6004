import Foundation
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

private struct Mail: Entity, Equatable {
  var id: Int64
  var receivedAt: Date?

  static let schema = EntitySchema<Mail>(
    "mail", primaryKey: "id",
    attributes: .init("id", \.id), .init("received_at", \.receivedAt, as: .unixSeconds))

  init(id: Int64, receivedAt: Date?) { (self.id, self.receivedAt) = (id, receivedAt) }

  init(row: inout RowReader) throws {
    id = try row.next()
    receivedAt = try row.next()
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    try row.append(receivedAt)
  }
}

/// *Today*, *Yesterday*, *This week*, *Earlier*, and what midnight does to them.
@Suite(.timeLimit(.minutes(60))) struct RelativeDayTests {
  private static let calendar = Zones.calendar(in: Zones.lisbon)

  private static func moment(_ day: Int, _ hour: Int, _ minute: Int = 0, month: Int = 3) -> Date {
    calendar.date(
      from: DateComponents(year: 2026, month: month, day: day, hour: hour, minute: minute))
      ?? .distantPast
  }

  private static func request(asOf moment: Date) -> FetchRequest<Mail> {
    FetchRequest<Mail>().sectioned(byDayOf: \.receivedAt, asOf: moment, in: calendar)
      .sort(by: \.receivedAt, .descending)
  }

  private static func withMails(
    _ kind: StorageKind, at dates: [Date?], _ body: (Store) async throws -> Void
  ) async throws {
    try await withStore(kind) { store in
      try await store.write { transaction in
        try transaction.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, received_at INTEGER)")
        for (id, date) in dates.enumerated() {
          try transaction.insert(Mail(id: Int64(id), receivedAt: date))
        }
      }
      try await body(store)
    }
  }

  private static func follow(
    _ results: SectionedResults<Mail>, _ clock: ManualClock, _ now: @escaping @Sendable () -> Date
  ) -> Task<Void, any Error> {
    Task {
      try await results.updateEachDay(in: calendar, clock: clock, now: now) { request(asOf: $0) }
    }
  }

  /// Waits until nothing is done before the clock is moved.
  private static func untilAsleep(_ clock: ManualClock) async {
    while clock.sleeperCount == 0 { await Task.yield() }
  }

  @Test func sectionsAreInOrderAndNamed() async throws {
    // A Thursday; the week began on the 23rd.
    let now = Self.moment(26, 15)
    let dates = [
      Self.moment(27, 0), Self.moment(26, 23, 59), Self.moment(26, 0), Self.moment(25, 23, 59),
      Self.moment(24, 12), Self.moment(23, 0), Self.moment(22, 23, 59), nil,
    ]
    try await Self.withMails(.memory, at: dates) { store in
      let found = try await store.read { try $0.fetchSections(Self.request(asOf: now)) }
      #expect(
        found.map { "\($0.title) \($0.count)" }
          == ["Later 1", "Today 2", "Yesterday 1", "This week 2", "Earlier 1", "No date 1"])
      let named = FetchRequest<Mail>().sectioned(
        byDayOf: \.receivedAt, asOf: now, in: Self.calendar, titled: { $0 == .today ? "Hoje" : "—" }
      )
      #expect(try await store.read { try $0.fetchSections(named) }.map(\.title)[1] == "Hoje")
      let results = try store.results(of: Self.request(asOf: now))
      try await results.load()
      #expect(
        results.sections.map(\.identity)
          == ["later", "today", "yesterday", "thisWeek", "earlier", "undated"].map { .text($0) })
    }
  }

  /// Midnight by midnight through the nights in which the clocks are changed, and beyond a week: no
  /// commit, one changeset each, right by a fetch.
  @Test(arguments: StorageKind.allCases)
  func midnightIsOneChangeset(_ kind: StorageKind) async throws {
    // Summer time begins on the 29th of March, and ends on the 25th of October.
    for start in [Self.moment(27, 22), Self.moment(23, 22, month: 10)] {
      let dates: [Date?] =
        (0..<200).map { start.addingTimeInterval(Double($0 - 150) * 7000) } + [nil]
      try await Self.withMails(kind, at: dates) { store in
        let clock = ManualClock()
        let now: @Sendable () -> Date = { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
        let results = try store.results(of: Self.request(asOf: start))
        let recorder = ChangeRecorder<Int64, Mail>()
        results.delegate = recorder
        let following = Self.follow(results, clock, now)
        await Self.untilAsleep(clock)
        #expect(results.numberOfItems == dates.count)
        var days = 1
        while clock.now.offset < .seconds(10 * 86_400) {
          let day = Self.calendar.startOfDay(for: now())
          recorder.reset()
          clock.advance(by: .seconds(1800))
          await Self.untilAsleep(clock)
          let isOther = Self.calendar.startOfDay(for: now()) != day
          #expect(recorder.changesets.count == (isOther ? 1 : 0))
          guard isOther else { continue }
          days += 1
          try recorder.check(against: results)
          let fresh = try await store.read { try $0.fetchSections(Self.request(asOf: now())) }
          #expect(results.sections.map(\.title) == fresh.map(\.title))
          let new = Mail(id: Int64(1000 + days), receivedAt: now())
          try await store.write { try $0.insert(new) }
          #expect(results.sections.contains { $0.identity == .text("today") })
        }
        #expect(days == 11)
        following.cancel()
        await #expect(throws: CancellationError.self) { try await following.value }
      }
    }
  }

  /// A machine that slept, and a clock that is set back.
  @Test func aClockThatJumpsIsNoticed() async throws {
    let start = Self.moment(10, 12)
    try await Self.withMails(.memory, at: [start, Self.moment(12, 9)]) { store in
      let clock = ManualClock()
      let jump = Atomic(0)
      let now: @Sendable () -> Date = {
        start.addingTimeInterval(Double(jump.load(ordering: .relaxed)) * 86_400)
      }
      let results = try store.results(of: Self.request(asOf: start))
      let following = Self.follow(results, clock, now)
      for (days, titles) in [
        (0, ["Later", "Today"]), (2, ["Today", "This week"]), (0, ["Later", "Today"]),
      ] {
        jump.store(days, ordering: .relaxed)
        await Self.untilAsleep(clock)
        clock.advance(by: .seconds(60))
        await Self.untilAsleep(clock)
        #expect(results.sections.map(\.title) == titles)
      }
      try await store.close()
      jump.store(1, ordering: .relaxed)
      clock.advance(by: .seconds(60))
      do {
        try await following.value
        Issue.record("it goes on without a store")
      } catch {
        #expect((error as? StoreError)?.code == .storeClosed)
      }
    }
  }

  /// A list that somebody searches in turns at midnight, too, and stays what was searched for.
  @Test(arguments: StorageKind.allCases)
  func midnightChangesTheRequestThatThereIs(_ kind: StorageKind) async throws {
    let start = Self.moment(10, 22)
    let dates: [Date?] = (0..<20).map { start.addingTimeInterval(Double($0 - 19) * 7000) }
    try await Self.withMails(kind, at: dates) { store in
      let clock = ManualClock()
      let now: @Sendable () -> Date = { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
      let results = try store.results(of: Self.request(asOf: start))
      let recorder = ChangeRecorder<Int64, Mail>()
      results.delegate = recorder
      let following = Task {
        try await results.updateEachDay(in: Self.calendar, clock: clock, now: now) {
          request, moment in
          request.sectioned(byDayOf: \.receivedAt, asOf: moment, in: Self.calendar)
        }
      }
      await Self.untilAsleep(clock)
      for least in [3, 0, 11] as [Int64] {
        let searched = Self.request(asOf: now()).filter { $0.id >= least }
        try await results.update(to: searched)
        #expect(results.numberOfItems == 20 - Int(least))
        recorder.reset()
        clock.advance(by: .seconds(86_400))
        await Self.untilAsleep(clock)
        #expect(recorder.changesets.count < 2)
        try recorder.check(against: results)
        let expected = Self.request(asOf: now()).filter { $0.id >= least }
        let fresh = try await store.read { try $0.fetchSections(expected) }
        #expect(results.sections.map(\.title) == fresh.map(\.title))
        #expect(results.numberOfItems == 20 - Int(least))
      }
      following.cancel()
      await #expect(throws: CancellationError.self) { try await following.value }
      try recorder.check(against: results)
    }
  }

  /// Results that were given a plan have no request that could be changed.
  @Test func aPlanHasNoRequestThatMidnightCouldChange() async throws {
    let start = Self.moment(10, 22)
    try await Self.withMails(.memory, at: [start]) { store in
      let results = try store.results(of: Self.request(asOf: start))
      try await results.update(to: try Self.request(asOf: start).makePlan())
      do {
        try await results.updateEachDay(clock: ManualClock(), now: { start }) { request, _ in
          request
        }
        Issue.record("a plan was changed")
      } catch let error as StoreError {
        #expect(error.code == .invalidRequest)
      }
      #expect(results.numberOfItems == 1)
    }
  }

  /// A day that cannot be read is told, and read as soon as it can be.
  @Test func aFailureAtMidnightIsMended() async throws {
    let start = Self.moment(10, 23, 59)
    try await Self.withMails(.memory, at: [start]) { store in
      let clock = ManualClock()
      let now: @Sendable () -> Date = { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
      let results = try store.results(of: Self.request(asOf: start))
      let recorder = ChangeRecorder<Int64, Mail>()
      recorder.allowFailures()
      results.delegate = recorder
      let following = Self.follow(results, clock, now)
      await Self.untilAsleep(clock)
      try await store.write { try $0.execute("ALTER TABLE mail RENAME TO gone") }
      clock.advance(by: .seconds(60))
      await Self.untilAsleep(clock)
      #expect(results.sections.map(\.title) == ["Today"])
      try await store.write { try $0.execute("ALTER TABLE gone RENAME TO mail") }
      for _ in 0..<2 {
        clock.advance(by: .seconds(60))
        await Self.untilAsleep(clock)
      }
      #expect(results.sections.map(\.title) == ["Yesterday"])
      try recorder.check(against: results)
      following.cancel()
      _ = await following.result
    }
  }
}
