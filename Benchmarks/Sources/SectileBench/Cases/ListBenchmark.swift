internal import Foundation
internal import Sectile

/// Lists that go along by themselves: a window around one player of a ranking, and days that pass.
enum ListBenchmark: Benchmark {
  static let name = "lists"
  static let summary = "move a row that a window follows; let a day pass in sections of days"
  static let goals = ["J9", "J10"]
  static let storages = [Storage.memory]

  private struct Player: Entity, Equatable {
    var id: Int64
    var score: Int
    var seenAt: Date

    static let schema = EntitySchema<Player>(
      "player", primaryKey: "id", attributes: .init("id", \.id), .init("score", \.score),
      .init("seen_at", \.seenAt, as: .unixSeconds))

    init(row: inout RowReader) throws {
      id = try row.next()
      score = try row.next()
      seenAt = try row.next()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(score)
      try row.append(seenAt)
    }
  }

  /// Noon of a day, in a calendar without changes of clocks.
  private static let noon = Date(timeIntervalSince1970: 1_790_000_000 / 86_400 * 86_400 + 43_200)

  private static var calendar: Calendar {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = .gmt
    return calendar
  }

  /// Scores are ten apart; a tenth of all rows was seen today, the others the day before.
  private static func store(_ bench: Bench) throws -> Store {
    let store = try World.emptyStore(
      bench.storage, in: bench.folder,
      schema: [
        "CREATE TABLE player (id INTEGER PRIMARY KEY, score INTEGER NOT NULL, seen_at INTEGER NOT NULL)",
        "CREATE INDEX player_on_score ON player (score)",
      ])
    let today = Int64(noon.timeIntervalSince1970)
    try store.write {
      try $0.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
        INSERT INTO player SELECT i, i * 10, iif(i % 10 = 0, ?2, ?2 - 86400) FROM n
        """, bench.size, today)
    }
    return store
  }

  static func run(_ bench: Bench) throws {
    try aroundARow(bench)
    try midnight(bench)
  }

  private static func aroundARow(_ bench: Bench) throws {
    let request = FetchRequest<Player>().sort(by: \.score)
    let (shown, plain) = (try store(bench), try store(bench))
    let player = Int64(bench.size / 2)
    let list = try shown.results(of: request)
    let window = list.window(around: player, before: 20, after: 20)
    try window.loadAndVerify(count: 41)
    let single = try plain.results(of: request)
    try single.load()
    var random = SystemRandomNumberGenerator()
    for name in ["by one", "anywhere"] {
      let targets = (0..<bench.commitCount).map { turn in
        name == "by one"
          ? Int(player) * 10 + (turn % 2 == 0 ? 15 : 5)
          : Int.random(in: 0..<bench.size * 10, using: &random)
      }
      let times = try bench.interleave([
        { try move(player, to: targets, in: shown) }, { try move(player, to: targets, in: plain) },
      ])
      try verify(
        window.snapshot.path(of: player) != nil && window.numberOfItems >= 21,
        "the window lost its row")
      bench.reportRatio(
        "1 row moves \(name), a window around it / a plain list", times[0], to: times[1],
        goal: "J9")
    }
    try verify(list.statistics.rebuildCount == 0, "the list was fetched again")
  }

  private static func move(_ id: Int64, to scores: [Int], in store: Store) throws -> Sample {
    let (time, _) = try Stopwatch.time {
      for score in scores {
        try store.write {
          try $0.execute("UPDATE player SET score = ? WHERE id = ?", score, id)
        }
      }
    }
    return time / scores.count
  }

  /// A tenth of all rows goes from today to yesterday: as the day passes, and by a commit.
  private static func midnight(_ bench: Bench) throws {
    func request(_ now: Date) -> FetchRequest<Player> {
      FetchRequest<Player>().sectioned(byDayOf: \.seenAt, asOf: now, in: calendar)
        .sort(by: \.score)
    }
    let (passing, committing) = (try store(bench), try store(bench))
    let results = try passing.results(of: request(noon))
    let others = try committing.results(of: request(noon))
    try results.load()
    try others.load()
    try verify(results.sections.map(\.title) == ["Today", "Yesterday"], "the days are others")
    var isNextDay = false
    var sign = "-"
    let times = try bench.interleave([
      {
        isNextDay.toggle()
        let now = isNextDay ? noon.addingTimeInterval(86_400) : noon
        return try Stopwatch.time { try results.update(to: request(now)) }.0
      },
      {
        defer { sign = sign == "-" ? "+" : "-" }
        return try Stopwatch.time {
          try committing.write {
            try $0.execute("UPDATE player SET seen_at = seen_at \(sign) 86400 WHERE id % 10 = 0")
          }
        }.0
      },
    ])
    bench.reportRatio(
      "a day passes / a commit that moves as many rows", times[0], to: times[1],
      goal: bench.size == 1_000_000 ? "J10" : nil)
  }
}

extension DataSource {
  fileprivate func loadAndVerify(count: Int) throws {
    try load()
    try verify(numberOfItems == count, "\(numberOfItems) rows are shown instead of \(count)")
  }
}
