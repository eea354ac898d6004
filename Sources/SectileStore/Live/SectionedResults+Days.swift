public import Foundation
internal import SectileCore

extension SectionedResults where Item: Entity {
  /// Changes the request whenever a day begins, until the task is cancelled: what was *Today*
  /// becomes *Yesterday* without a commit, in one changeset.
  ///
  /// ```swift
  /// let results = try store.results(of: FetchRequest<Mail>().sectioned(byDayOf: \.receivedAt))
  /// try await results.updateEachDay { now in
  ///   FetchRequest<Mail>().sectioned(byDayOf: \.receivedAt, asOf: now)
  /// }
  /// ```
  ///
  /// The request of the present day is taken at once, so the results need not be loaded. The
  /// calendar is asked at least once a minute, so a clock that is put right, and a machine that has
  /// slept, are noticed. Where reading fails at the beginning of a day, listeners are told, and it
  /// is tried again after a minute at most.
  ///
  /// - Parameters:
  ///   - calendar: What says when days begin.
  ///   - clock: What is slept by; a clock of the tests' own, in tests.
  ///   - now: Returns the moment that it is.
  ///   - request: Returns the request of the day of a moment.
  /// - Throws: `CancellationError` where the task is cancelled; what `request` throws; what the
  ///   first `update(to:)` throws, and later the `storeClosed` and `invalidRequest` of others.
  /// - Complexity: A load a day, which compares all rows.
  public func updateEachDay(
    in calendar: Calendar = .autoupdatingCurrent,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @Sendable () -> Date = { Date() },
    to request: @Sendable (Date) throws -> FetchRequest<Item>
  ) async throws {
    try await followDays(in: calendar, clock: clock, now: now) { moment in
      try await update(to: request(moment))
    }
  }

  /// Changes the request that there is whenever a day begins, until the task is cancelled: for a
  /// list that is given other requests by `update(to:)` as well.
  ///
  /// ```swift
  /// try await results.updateEachDay { request, now in
  ///   request.sectioned(byDayOf: \.receivedAt, asOf: now)
  /// }
  /// …
  /// try results.update(to: today.searching(text, in: "mail_text"))   // meanwhile
  /// ```
  ///
  /// The closure is handed the request that the results have when it is called, and no other change
  /// comes in between: what is asked for earlier is in that request, and what is asked for later
  /// comes after it. A request that `update(to:)` is given says by itself as of which moment it is.
  ///
  /// See ``updateEachDay(in:clock:now:to:)`` for more information.
  ///
  /// - Parameters:
  ///   - calendar: What says when days begin.
  ///   - clock: What is slept by; a clock of the tests' own, in tests.
  ///   - now: Returns the moment that it is.
  ///   - change: Returns the request of the day of a moment, given the present one. Called where
  ///     the results are loaded.
  /// - Throws: As ``updateEachDay(in:clock:now:to:)``; `invalidRequest` where the results have a
  ///   plan, and no request. What `change` throws, listeners are told, too.
  /// - Complexity: A load a day, which compares all rows.
  public func updateEachDay(
    in calendar: Calendar = .autoupdatingCurrent,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @Sendable () -> Date = { Date() },
    changing change: @escaping @Sendable (FetchRequest<Item>, Date) throws -> FetchRequest<Item>
  ) async throws {
    try await followDays(in: calendar, clock: clock, now: now) { moment in
      try await update(changing: { try change($0, moment) })
    }
  }

  private func followDays(
    in calendar: Calendar, clock: any Clock<Duration>, now: @Sendable () -> Date,
    _ update: (Date) async throws -> Void
  ) async throws {
    var moment = now()
    try await update(moment)
    var shown = calendar.startOfDay(for: moment)
    while true {
      let end = calendar.dateInterval(of: .day, for: moment)?.end ?? .distantFuture
      let rest = Duration.seconds(max(0, end.timeIntervalSince(moment)))
      try await clock.sleep(for: min(rest, Self.longestSleep))
      moment = now()
      let day = calendar.startOfDay(for: moment)
      guard day != shown else { continue }
      do {
        try await update(moment)
        shown = day
      } catch let error as StoreError
        where ![.storeClosed, .invalidRequest].contains(error.code)
      {
        // Listeners were told; the day stays another one, and is tried again.
      }
    }
  }

  /// How long nobody looks whether the day is another one.
  private static var longestSleep: Duration { .seconds(60) }
}
