import Foundation
import SectileCore
import SectileTestSupport
import Testing

@testable import SectileStore

/// A row with one moment in each form that a column can have.
private struct Visit: Entity, Equatable {
  var id: Int64
  var plain: Date?
  var seconds: Date?
  var real: Date?
  var milliseconds: Date?
  var iso: Date?
  var isoMilliseconds: Date?
  var reference: Date?

  static let schema = EntitySchema<Visit>(
    "visit", primaryKey: "id",
    attributes: .init("id", \.id), .init("plain", \.plain),
    .init("seconds", \.seconds, as: .unixSeconds), .init("real", \.real, as: .unixSecondsReal),
    .init("milliseconds", \.milliseconds, as: .unixMilliseconds),
    .init("iso", \.iso, as: .iso8601),
    .init("isoMilliseconds", \.isoMilliseconds, as: .iso8601Milliseconds),
    .init("reference", \.reference, as: .referenceSecondsReal))

  init(id: Int64, at date: Date?) {
    self.id = id
    (plain, seconds, real, milliseconds) = (date, date, date, date)
    (iso, isoMilliseconds, reference) = (date, date, date)
  }

  init(row: inout RowReader) throws {
    id = try row.next()
    (plain, seconds, real) = try (row.next(), row.next(), row.next())
    (milliseconds, iso) = try (row.next(), row.next())
    (isoMilliseconds, reference) = try (row.next(), row.next())
  }

  func write(to row: inout RowWriter) throws {
    try row.append(id)
    for date in [plain, seconds, real, milliseconds, iso, isoMilliseconds, reference] {
      try row.append(date)
    }
  }

  static let table = """
    CREATE TABLE visit (id INTEGER PRIMARY KEY, plain TEXT, seconds INTEGER, real REAL, milliseconds INTEGER,
      iso TEXT, isoMilliseconds TEXT, reference REAL)
    """

  static let fields: [@Sendable (EntityFields<Visit>) -> FieldExpression<Date?>] = [
    { $0.plain }, { $0.seconds }, { $0.real }, { $0.milliseconds }, { $0.iso },
    { $0.isoMilliseconds }, { $0.reference },
  ]
}

/// Days, weeks and months where the clocks are not those of UTC: `Calendar` is asked what is right.
@Suite(.timeLimit(.minutes(60))) struct ZonedDayTests {
  /// Moments of a zone at which it matters: at its changes, at midnights, and others.
  private static func moments(_ zone: TimeZone, _ random: inout SeededRandom) -> [Date] {
    let calendar = Zones.calendar(in: zone)
    var moments: [Double] = []
    for change in ZoneOffsets.of(zone).changes.shuffled(using: &random).prefix(8) {
      let start = Double(change.start)
      moments += [
        start - 1, start, start + 3599, start + Double.random(in: -9e4...9e4, using: &random),
      ]
    }
    for _ in 0..<12 {
      let second = Double.random(in: 0..<2_840_000_000, using: &random)
      let midnight = calendar.startOfDay(for: Date(timeIntervalSince1970: second))
      let start = max(0, midnight.timeIntervalSince1970)
      moments += [second, start, start + 0.25, max(0, start - 0.001)]
    }
    // A quarter of a second is exact in each form that keeps parts of one.
    return moments.map { Date(timeIntervalSince1970: ($0 * 4).rounded(.down) / 4) }
  }

  /// The day of a date in a calendar; the first seven letters are its month.
  private static func day(_ date: Date, _ calendar: Calendar) -> String {
    func two(_ part: Calendar.Component) -> String {
      String("0\(calendar.component(part, from: date))".suffix(2))
    }
    return "\(calendar.component(.year, from: date))-\(two(.month))-\(two(.day))"
  }

  private func sections(
    _ store: Store, _ key: (EntityFields<Visit>) -> FieldExpression<String?>
  ) throws -> [String: Int] {
    let request = FetchRequest<Visit>().sectioned(by: key)
    let found = try store.read { try $0.fetchSections(request) }
    return Dictionary(uniqueKeysWithValues: found.map { ($0.title, $0.count) })
  }

  @Test func daysOfEachZoneAreThoseOfItsCalendar() throws {
    try withStore(.memory) { store in
      try store.write { try $0.execute(Visit.table) }
      var random = SeededRandom(seed: 1970)
      for (number, identifier) in TimeZone.knownTimeZoneIdentifiers.enumerated() {
        let zone = Zones.zone(identifier)
        let calendar = Zones.calendar(in: zone, firstWeekday: number % 7 + 1)
        let dates = Self.moments(zone, &random)
        try store.write { transaction in
          try transaction.execute("DELETE FROM visit")
          for (id, date) in dates.enumerated() {
            try transaction.insert(Visit(id: Int64(id), at: date))
          }
        }
        let field = Visit.fields[number % Visit.fields.count]
        let days = Dictionary(grouping: dates) { Self.day($0, calendar) }.mapValues(\.count)
        #expect(
          try sections(store) { field($0).calendarDay(in: zone) } == days, "\(identifier)")
        guard number % 9 == 0 else { continue }
        let months = Dictionary(grouping: dates) { String(Self.day($0, calendar).prefix(7)) }
        #expect(
          try sections(store) { field($0).calendarMonth(in: zone) } == months.mapValues(\.count))
        let weeks = Dictionary(grouping: dates) { date in
          // By days: where a day begins twice, a week does, too.
          let distance = (calendar.component(.weekday, from: date) - calendar.firstWeekday + 7) % 7
          let noon = calendar.startOfDay(for: date).addingTimeInterval(
            43_200 - Double(distance) * 86_400)
          return Self.day(noon, calendar)
        }
        #expect(
          try sections(store) { field($0).calendarWeek(in: calendar) } == weeks.mapValues(\.count),
          "\(identifier) from \(calendar.firstWeekday)")
      }
    }
  }

  @Test func partsAreThoseOfTheCalendar() throws {
    try withStore(.memory) { store in
      let zone = Zones.lisbon
      let calendar = Zones.calendar(in: zone)
      // An hour before summer time begins, and after.
      for second in [1_774_742_400.0, 1_774_746_000, 1_774_749_600] {
        let date = Date(timeIntervalSince1970: second)
        try store.write { transaction in
          try transaction.execute("DROP TABLE IF EXISTS visit; \(Visit.table)")
          try transaction.insert(Visit(id: 1, at: date))
        }
        for field in Visit.fields {
          let request = FetchRequest<Visit>().filter { visit in
            let field = field(visit)
            return field.year(in: zone) == calendar.component(.year, from: date)
              && field.month(in: zone) == calendar.component(.month, from: date)
              && field.day(in: zone) == calendar.component(.day, from: date)
              && field.hour(in: zone) == calendar.component(.hour, from: date)
              && field.weekday(in: zone) == calendar.component(.weekday, from: date)
          }
          #expect(try store.read { try $0.fetchCount(request) } == 1)
        }
      }
    }
  }

  /// What is no date, and what SQLite cannot read as one, is one section.
  @Test func whatIsNoDateIsOneSection() throws {
    try withStore(.memory) { store in
      try store.write { transaction in
        try transaction.execute(Visit.table)
        try transaction.execute(
          """
          INSERT INTO visit VALUES (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
            (2, '', '', '', '', '', '', ''), (3, 'soon', 'soon', 'soon', 'soon', 'soon', 'soon', 'soon'),
            (4, x'00', x'00', x'00', x'00', x'00', x'00', x'00'),
            (5, '2026-02-30x', '12x', '1e', 'x1', 'T', '20260131', '-')
          """)
      }
      let calendar = Zones.calendar(in: Zones.lisbon)
      for field in Visit.fields {
        let days = try sections(store) { field($0).calendarDay(in: Zones.lisbon) }
        #expect(days == ["NULL": 5])
        let request = FetchRequest<Visit>().sectioned(byDayOf: field, in: calendar)
        let found = try store.read { try $0.fetchSections(request) }
        #expect(found.map(\.title) == ["No date"] && found[0].count == 5)
      }
    }
  }

  /// Rows are followed one by one.
  @Test func daysAreFollowedRowByRow() throws {
    for kind in StorageKind.allCases {
      try withStore(kind) { store in
        try store.write { try $0.execute(Visit.table) }
        let calendar = Zones.calendar(in: Zones.lisbon)
        for field in Visit.fields {
          let requests = [
            FetchRequest<Visit>().sectioned { field($0).calendarDay(in: Zones.lisbon) },
            FetchRequest<Visit>().sectioned { field($0).calendarWeek(in: calendar) },
            FetchRequest<Visit>().sectioned(byDayOf: field, in: calendar),
          ]
          for request in requests {
            #expect(try store.explain(request).maintenance.kind == .binarySearch)
          }
        }
      }
    }
  }

  @Test(arguments: StorageKind.allCases, UInt64(1)...3)
  func liveSectionsOfDays(_ kind: StorageKind, seed: UInt64) throws {
    try withStore(kind) { store in
      try store.write { try $0.execute(Visit.table) }
      var random = SeededRandom(seed: seed)
      let zone = Zones.zone(
        ["Europe/Lisbon", "America/Havana", "Australia/Lord_Howe"][Int(seed) - 1])
      let calendar = Zones.calendar(in: zone)
      // The autumn in which a midnight comes twice in Havana.
      let middle = 1_793_505_600.0
      func date() -> Date? {
        random.chance(0.1)
          ? nil
          : Date(
            timeIntervalSince1970: middle
              + Double(Int.random(in: -400_000...400_000, using: &random)))
      }
      let results = try Visit.fields.shuffled(using: &random).prefix(2).flatMap { field in
        let request = FetchRequest<Visit>().sort(by: \.id)
        return try [
          request.sectioned(by: { field($0).calendarDay(in: zone) }, .descending),
          request.sectioned { field($0).calendarWeek(in: calendar) },
          request.sectioned(
            byDayOf: field, asOf: Date(timeIntervalSince1970: middle), in: calendar),
        ].map { try LiveResults<Visit>($0, in: store) }
      }
      for _ in 0..<30 {
        let ids = (0..<Int.random(in: 1...4, using: &random)).map { _ in
          Int64.random(in: 0..<40, using: &random)
        }
        try store.write { transaction in
          for id in ids {
            if random.chance(0.2) {
              _ = try transaction.delete(Visit.self, key: id)
            } else {
              try transaction.save(Visit(id: id, at: date()))
            }
          }
        }
        for live in results { try live.check() }
      }
    }
  }
}
