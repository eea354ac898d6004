import OwnSource
import Sectile
import SectileTestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct DepartureBoardTests {
  static let timetable = [
    TimetableEntry(train: 12, destination: "Graz", platform: "2", minute: 1),
    TimetableEntry(train: 7, destination: "Wien", platform: "1", minute: 2),
    TimetableEntry(train: 31, destination: "Linz", platform: "1", minute: 2),
    TimetableEntry(train: 5, destination: "Bern", platform: "3", minute: 4),
  ]

  /// A board whose time passes only when a test says so.
  static func board() -> DepartureBoard { DepartureBoard(timetable, interval: .seconds(86_400)) }

  /// What a board shows at a minute, worked out apart from it.
  static func departures(at minute: Int) -> [[Departure]] {
    ["1", "2", "3"].map { platform in
      timetable.filter { $0.platform == platform && $0.minute >= minute }.map {
        Departure(train: $0.train, destination: $0.destination, minutes: $0.minute - minute)
      }
    }.filter { !$0.isEmpty }
  }

  // MARK: - Alone

  @Test func boardKeepsThePromises() async {
    #expect(await checkDataSource(Self.board()) == [])
  }

  @Test func tickIsOneExactChangeset() throws {
    let (board, recorder) = (Self.board(), ChangeRecorder<Int, Departure>())
    board.delegate = recorder
    board.load()
    for minute in 1...5 {
      board.tick()
      #expect(
        recorder.contents.sections.map { $0.rows.map(\.item) } == Self.departures(at: minute))
      #expect(recorder.changesets.count == minute + 1)
      try recorder.check(against: board)
    }
    // Train 12 left after the second tick, and its platform had no other.
    #expect(recorder.changesets[2].deletes.map(\.id) == [12])
    #expect(recorder.changesets[2].sectionDeletes.map(\.header.title) == ["Platform 2"])
    recorder.reset()
    board.tick()
    #expect(recorder.events.isEmpty, "nothing is left that could change")
  }

  @Test func timerTicksUntilTheBoardIsCancelled() async throws {
    let board = DepartureBoard(Self.timetable, interval: .milliseconds(1))
    let recorder = ChangeRecorder<Int, Departure>()
    board.delegate = recorder
    board.load()
    // The load, and four ticks that change something; the fifth is the last.
    #expect(await recorder.waitForEnds(5))
    board.cancel()
    let heard = recorder.events.count
    board.tick()
    #expect(recorder.events.count == heard)
    try recorder.check(against: board)
  }

  // MARK: - With a query

  @Test func boardStandsInACompositionWithAQuery() throws {
    let store = try Store.inMemory(
      migrations: .inline(["V0001_create_announcement.sql": Announcement.migration]))
    let request = FetchRequest<Announcement>().sort(by: \.text)
    let board = Self.board()
    let list = station(try store.results(of: request), board)
    let recorder = ChangeRecorder<AnyItemID, StationRow>()
    list.delegate = recorder
    list.load()

    var minute = 0
    let steps: [() throws -> Void] = [
      { try store.write { _ = try $0.insert(Announcement(id: 1, text: "Mind the gap")) } },
      { board.tick() },
      {
        try store.write { tx in
          try tx.insert(Announcement(id: 2, text: "Keep left"))
          try tx.update(Announcement(id: 1, text: "Danger"))
        }
      },
      { board.tick() },
      { board.tick() },
      { try store.write { _ = try $0.delete(Announcement.self, key: 1) } },
      { board.tick() },
      { board.tick() },
    ]
    for (number, step) in steps.enumerated() {
      recorder.reset()
      let former = board.version
      try step()
      if board.version != former { minute += 1 }
      #expect(recorder.changesets.count == 1, "step \(number)")

      // What the changesets add up to is what a fresh fetch, and the timetable, say.
      let announcements = try store.read { try $0.fetchAll(request) }
      let fresh =
        (announcements.isEmpty ? [] : [announcements.map { StationRow.announcement($0) }])
        + Self.departures(at: minute).map { $0.map { StationRow.departure($0) } }
      #expect(
        recorder.contents.sections.map { $0.rows.map(\.item) } == fresh, "step \(number)")
      try recorder.check(against: list)
    }
    #expect(minute == 5)
  }
}
