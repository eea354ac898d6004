import Foundation
import GRDB
import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileStore

/// SQL that says something else at another time: rows change that nobody wrote.
@Suite(.timeLimit(.minutes(60))) struct UnwrittenChangeTests {
  private typealias Live = LiveResults<UntypedRow>

  private static let schema = """
    CREATE TABLE mail (id INTEGER PRIMARY KEY, at INTEGER, title TEXT);
    CREATE INDEX mail_on_at ON mail (at);
    INSERT INTO mail VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c'), (4, 40, 'd'), (5, NULL, 'e');
    """

  private static func plan(
    section: String? = nil, filter: String? = nil, sort: String = #""mail"."id""#,
    values: [StoredValue] = []
  ) -> FetchPlan {
    FetchPlan(
      table: "mail", keyColumns: ["id"], itemColumns: ["id", "at", "title"],
      where: filter.map { SQLFragment($0, values) },
      sectionedBy: section.map { SQLFragment($0, filter == nil ? values : []) },
      orderedBy: [FetchPlan.SortTerm(expression: SQLFragment(sort))])
  }

  /// A clock that SQL can ask, and a test can set.
  private final class Clock: Sendable {
    // Guarded by the mutex.
    private let time = Mutex<Int64>(25)

    var now: Int64 {
      get { time.withLock { $0 } }
      set { time.withLock { $0 = newValue } }
    }
  }

  private func run(_ body: (Store, Clock) throws -> Void) throws {
    let clock = Clock()
    let queue = try DatabaseQueue()
    try queue.write { db in
      db.add(function: DatabaseFunction("clock", argumentCount: 0) { _ in clock.now })
      db.add(function: DatabaseFunction("twice", argumentCount: 1, pure: true) { $0[0] })
      try db.execute(sql: Self.schema)
    }
    let store = try Store(adopting: queue, configuration: SmallWorld.configuration)
    try body(store, clock)
    try store.close()
  }

  @Test func rowsThatChangeSectionsByThemselvesMove() throws {
    try run { store, clock in
      let live = try Live(
        Self.plan(section: "CASE WHEN at >= clock() THEN 'now' ELSE 'earlier' END"), in: store)
      #expect(try live.results.strategy.kind == .refetching)
      clock.now = 15
      try live.expect(["R> [0,1]→[1,0] #2"]) { try live.results.load() }
      clock.now = 35
      // A commit of another row is an occasion to look.
      try live.expect(["R> [1,0]→[0,1] #2", "R> [1,1]→[0,2] #3", "R~ [0,1]→[0,3] #5"]) {
        try store.write { try $0.execute("UPDATE mail SET title = 'x' WHERE id = 5") }
      }
      clock.now = 45
      try live.expect(["S- 1 (now)", "R> [1,0]→[0,3] #4"]) {
        try store.write { try $0.execute("UPDATE mail SET at = at WHERE id = 1") }
      }
      clock.now = 0
      try live.expect([
        "S+ 1 (now)", "R> [0,0]→[1,0] #1", "R> [0,1]→[1,1] #2", "R> [0,2]→[1,2] #3",
        "R> [0,3]→[1,3] #4",
      ]) { try live.results.load() }
    }
  }

  @Test func rowsThatChangePlacesOrComeByThemselvesAreTold() throws {
    try run { store, clock in
      let filtered = try Live(Self.plan(filter: "at < clock()"), in: store)
      let sorted = try Live(Self.plan(sort: "abs(at - clock())"), in: store)
      let counted: Live = try {
        var plan = Self.plan()
        plan.aggregates = [
          FetchPlan.Aggregate(.conditionCount(SQLFragment(#""mail"."at" < clock()"#)), name: "past")
        ]
        return try Live(plan, in: store)
      }()
      for live in [filtered, sorted, counted] {
        #expect(try live.results.strategy.kind == .refetching)
      }
      for now in [31, 11, 0, 99, 25] as [Int64] {
        clock.now = now
        for live in [filtered, sorted, counted] { live.recorder.reset() }
        try store.write { try $0.execute("UPDATE mail SET title = ? WHERE id = 5", "\(now)") }
        for live in [filtered, sorted, counted] { try live.check() }
        clock.now = now + 10
        for live in [filtered, sorted, counted] {
          try live.results.load()
          try live.check()
        }
      }
    }
  }

  @Test func windowsOfRowsThatChangeByThemselves() throws {
    try run { store, clock in
      var plan = Self.plan(section: "at >= clock()")
      (plan.limit, plan.offset) = (3, 1)
      let live = try Live(plan, in: store)
      for now in [15, 45, 0, 25] as [Int64] {
        clock.now = now
        _ = try live.changes {
          try store.write { try $0.execute("UPDATE mail SET title = ? WHERE id = 1", "\(now)") }
        }
      }
    }
  }

  /// What SQLite itself calls now.
  @Test func theClockOfSQLiteGoesOn() throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      try store.write { try $0.execute("UPDATE mail SET at = 0 WHERE id <> 3") }
      let plan = Self.plan(
        section: "CASE WHEN at > julianday('now') THEN 'soon' ELSE 'past' END")
      var live: Live
      var seconds = 0.33
      repeat {
        // In days.
        let sql = "UPDATE mail SET at = julianday('now') + \(seconds) / 86400 WHERE id = 3"
        try store.write { try $0.execute(sql) }
        live = try Live(plan, in: store)
        // Where the moment has passed before the rows are read, the next one is farther away.
        seconds *= 2
      } while live.results.snapshot.numberOfSections != 2 && seconds < 60
      try #require(live.results.snapshot.numberOfSections == 2)
      let end = ContinuousClock.now + .seconds(240)
      while live.results.snapshot.numberOfSections == 2, ContinuousClock.now < end {
        try store.write { try $0.execute("UPDATE mail SET title = title || 'x' WHERE id = 1") }
      }
      #expect(live.results.snapshot.numberOfSections == 1)
      try live.check()
    }
  }

  /// A row that holds the word `now` asks the clock, though the SQL does not.
  @Test(arguments: StorageKind.allCases)
  func aRowThatHoldsTheWordNowHasAllRowsLookedAt(_ kind: StorageKind) throws {
    try SmallWorld.run(kind, schema: Self.schema) { store in
      let live = try Live(Self.plan(section: "date(title) IS NULL"), in: store)
      #expect(try live.results.strategy.kind.isIncremental)
      var count = live.results.statistics.rebuildCount
      func looksAtAllRows(_ sql: String) throws -> Bool {
        try store.write { try $0.execute(sql) }
        try live.check()
        defer { count = live.results.statistics.rebuildCount }
        return live.results.statistics.rebuildCount > count
      }
      #expect(try !looksAtAllRows("UPDATE mail SET at = 11 WHERE id = 1"))
      #expect(try looksAtAllRows("UPDATE mail SET title = 'Now' WHERE id = 2"))
      #expect(try looksAtAllRows("UPDATE mail SET at = 12 WHERE id = 1"))
      #expect(try looksAtAllRows("UPDATE mail SET title = x'6e6f77' WHERE id = 2"))
      // The row that is written does not ask any more, and no other did.
      #expect(try !looksAtAllRows("UPDATE mail SET title = '2026-10-24' WHERE id = 2"))
      #expect(try !looksAtAllRows("UPDATE mail SET at = 13 WHERE id = 1"))
      // A load brings contents of which nothing is known.
      #expect(try looksAtAllRows("UPDATE mail SET title = 'now' WHERE id = 2"))
      try live.results.load()
      count = live.results.statistics.rebuildCount
      #expect(try looksAtAllRows("UPDATE mail SET at = 14 WHERE id = 1"))
    }
  }

  /// The time that a row's own column asks for goes on.
  @Test func theClockThatARowAsksGoesOn() throws {
    try SmallWorld.run(.memory, schema: Self.schema) { store in
      try store.write { try $0.execute("UPDATE mail SET title = 'now' WHERE id = 3") }
      let plan = Self.plan(section: "CASE WHEN at > julianday(title) THEN 'soon' ELSE 'past' END")
      var live: Live
      var seconds = 0.33
      repeat {
        // In days.
        let sql = "UPDATE mail SET at = julianday('now') + \(seconds) / 86400 WHERE id = 3"
        try store.write { try $0.execute(sql) }
        live = try Live(plan, in: store)
        seconds *= 2
      } while live.results.snapshot.numberOfSections != 2 && seconds < 60
      try #require(live.results.snapshot.numberOfSections == 2)
      let end = ContinuousClock.now + .seconds(240)
      while live.results.snapshot.numberOfSections == 2, ContinuousClock.now < end {
        try store.write { try $0.execute("UPDATE mail SET title = title || 'x' WHERE id = 1") }
      }
      #expect(live.results.snapshot.numberOfSections == 1)
      try live.check()
    }
  }

  // MARK: - Days

  /// Days by values: followed row by row, and by another request from midnight on.
  @Test(arguments: StorageKind.allCases)
  func todayIsAValueOfTheRequest(_ kind: StorageKind) throws {
    let schema = """
      CREATE TABLE mail (id INTEGER PRIMARY KEY, at TEXT, title TEXT);
      INSERT INTO mail VALUES (1, '2026-10-24 21:59:59.000', 'a'),
        (2, '2026-10-24 22:00:00.000', 'b'), (3, '2026-10-25 23:00:00.000', 'c');
      """
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    // The day on which summer time ends has 25 hours.
    let day = try #require(
      calendar.date(from: DateComponents(year: 2026, month: 10, day: 25, hour: 12)))
    func plan(_ days: Int) throws -> FetchPlan {
      let today = try #require(calendar.date(byAdding: .day, value: days, to: day))
      let yesterday = try #require(calendar.date(byAdding: .day, value: days - 1, to: day))
      var plan = Self.plan(
        section: """
          CASE WHEN mail.at >= ? THEN 'Today' WHEN mail.at >= ? THEN 'Yesterday' ELSE 'Earlier' END
          """,
        values: try [today, yesterday].map { try calendar.startOfDay(for: $0).storedValue })
      plan.section?.fixedSections = ["Today", "Yesterday", "Earlier"]
      return plan
    }
    try SmallWorld.run(kind, schema: schema) { store in
      let first = try plan(0)
      let live = try Live(first, in: store)
      #expect(try live.results.strategy.kind.isIncremental)
      #expect((0..<3).map { live.results.snapshot.numberOfItems(in: $0) } == [2, 1, 0])
      let next = try plan(1)
      live.expectFresh { try store.results(of: next) }
      try live.expect(["R> [0,0]→[1,0] #2", "R> [1,0]→[2,0] #1"]) {
        try live.results.update(to: next)
      }
    }
  }

  /// Days at an offset, of times that are stored in each way.
  @Test(
    arguments: [
      "date(at, '+05:45')", "date(at / 1000, 'unixepoch', '+05:45')",
      "date(at, 'unixepoch', '-05:00')",
    ])
  func daysAtAnOffsetAreFollowed(_ sql: String) throws {
    try run { store, _ in
      let live = try Live(Self.plan(section: sql), in: store)
      #expect(try live.results.strategy.kind.isIncremental)
      _ = try live.changes {
        try store.write { try $0.execute("UPDATE mail SET at = at * 90000 WHERE id > 2") }
      }
    }
  }

  // MARK: - Which SQL

  private static let changing = [
    "date(at, 'unixepoch', 'localtime')", "date(at, 'unixepoch', 'LocalTime')",
    "CURRENT_DATE", "at < unixepoch('now')", "at < unixepoch()", "date( /* now */ )",
    "strftime('%s') > at", "strftime('%s', 'now') > at", "datetime(at, 'utc')",
    "at < julianday( )", "current_timestamp > title", "random()", "at > random() % 10",
    "(SELECT max(at) FROM mail WHERE at < unixepoch('now'))", "at < clock()", "changes()",
    // What is handed to the function cannot be asked of one row.
    "date((SELECT max(title) FROM mail))",
  ]
  private static let steady = [
    "date(at, 'unixepoch')", "strftime('%Y-%m', at, 'unixepoch')",
    "date(at, 'unixepoch', '+02:00')",
    "title = 'now'", "lower(title)", "max(at, 3)", "at LIKE '2%'", "twice(at)", "typeof(at)",
    "julianday(at)", "datetime(at, 'start of month', '-1 day')", "time(title) = 'x'",
    "round(at, 1)", "printf('%d', at)", "json_extract('[1]', '$[0]')", "coalesce(title, at)",
    "strftime('%Y', title)", "date(substr(title, 1, 10))", "date(coalesce(title, at), '+1 day')",
  ]

  @Test(arguments: changing) func isNeverFollowedRowByRow(_ sql: String) throws {
    try run { store, _ in
      for plan in [Self.plan(section: sql), Self.plan(filter: sql), Self.plan(sort: sql)] {
        let strategy = try store.explain(plan).maintenance
        #expect(strategy.kind == .refetching)
        #expect(strategy.reason.contains("rows change that nobody writes"))
        #expect(try !store.explain(plan).outsideCommits.isFollowedByRow)
      }
    }
  }

  @Test(arguments: steady) func isFollowedRowByRow(_ sql: String) throws {
    try run { store, _ throws in
      for plan in [Self.plan(section: sql), Self.plan(filter: sql), Self.plan(sort: sql)] {
        #expect(try store.explain(plan).maintenance.kind.isIncremental)
      }
    }
  }

  @Test func boundWordsCountAsWrittenOnes() throws {
    try run { store, _ throws in
      func kind(_ value: StoredValue) throws -> UpdateStrategy.Kind {
        try store.explain(Self.plan(filter: "date(at, 'unixepoch', ?) > 'x'", values: [value]))
          .maintenance.kind
      }
      #expect(try kind("localtime") == .refetching)
      #expect(try kind("+1 day").isIncremental)
    }
  }
}
