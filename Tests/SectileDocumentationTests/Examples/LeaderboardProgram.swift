#if Macros
  import Sectile
  import SectileTestSupport
  import Testing

  // example: program-leaderboard
  @Entity
  struct Racer: Equatable, Identifiable {
    var id: Int64
    var name: String
    var team: String
    var points: Int
  }

  final class Leaderboard: Sendable {
    static let migrations = Migrations.inline([
      "V0001_create_racer.sql": """
      CREATE TABLE racer (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, team TEXT NOT NULL, points INTEGER NOT NULL);
      CREATE INDEX racer_on_points ON racer (points DESC, id);
      CREATE INDEX racer_on_team ON racer (team);
      """
    ])

    struct TeamTotal: Equatable, Identifiable {
      var id: String
      var racers: Int
      var points: Int?
    }

    let store: Store
    /// The first three.
    let top: ComposedDataSource<Int64, Racer>
    /// One racer, and two on either side.
    let around: WindowDataSource<Int64, Racer>
    let teams: SectionedResults<TeamTotal>
    private let ranking: HeldDataSource<Int64, Racer>

    init(_ store: Store, around id: Int64) throws {
      self.store = store
      ranking = try store.results(of: FetchRequest<Racer>().sort(by: \.points, .descending)).held()
      top = ranking.prefix(3)
      around = ranking.window(around: id, before: 2, after: 2)
      teams = try store.results(
        of: FetchRequest<Racer>()
          .grouped(by: \.team) { $0.sort(by: { $0.points.sum() }, .descending) }
          .selecting({ ($0.team, $0.id.count(), $0.points.sum()) }, as: TeamTotal.init))
      top.load()
      around.load()
      try teams.load()
    }

    /// Shows what has happened since the last call, in one changeset, and stands still until the
    /// next one: call it once a second, however many points are scored.
    func refresh() {
      ranking.release()
      ranking.hold()
    }

    /// What the next call of ``refresh()`` will show, such as `12 changed`.
    var pending: HeldChanges { ranking.pending }

    /// The place of a racer, from 1 on, in the ranking that is shown.
    func place(of id: Int64) -> Int? { ranking.path(of: id).map { $0.item + 1 } }

    func follow(_ id: Int64) { around.show(.around(id, before: 2, after: 2)) }

    func score(_ points: Int, for id: Int64) throws {
      try store.write { transaction in
        guard var racer = try transaction.fetchOne(Racer.self, key: id) else { return }
        racer.points += points
        try transaction.update(racer)
      }
    }
  }
  // example: end

  @Suite(.timeLimit(.minutes(60))) struct LeaderboardProgram {
    /// Racers with ten points for each number: the last is the first.
    private func makeStore(racers: Int64) throws -> Store {
      let store = try Store.inMemory(migrations: Leaderboard.migrations)
      let field = (1...racers).lazy.map { id in
        Racer(
          id: id, name: "racer \(id)", team: id % 2 == 0 ? "blue" : "red", points: Int(id) * 10)
      }
      try store.write { try $0.insert(contentsOf: field) }
      return store
    }

    @Test func aWindowFollowsOneOfManyRacers() throws {
      let store = try makeStore(racers: 20_000)
      let board = try Leaderboard(store, around: 10_000)
      #expect(try board.top.ids() == [20_000, 19_999, 19_998])
      #expect(try board.around.ids() == [10_002, 10_001, 10_000, 9_999, 9_998])
      #expect(board.place(of: 10_000) == 10_001)
      let recorder = try board.around.recorded()

      // The next one passes.
      try board.score(15, for: 9_999)
      #expect(
        try recorder.news() == ["R- [0,0] #10002\nR+ [0,4] #9997\nR> [0,3]→[0,1] #9999*"])
      #expect(try board.around.ids() == [10_001, 9_999, 10_000, 9_998, 9_997])
      #expect(board.place(of: 10_000) == 10_002)

      // The racer wins: the window goes to the top of the list.
      try board.score(500_000, for: 10_000)
      #expect(try board.around.ids() == [10_000, 20_000, 19_999])
      #expect(board.place(of: 10_000) == 1)
      board.follow(9_999)
      #expect(try board.around.ids() == [10_002, 10_001, 9_999, 9_998, 9_997])
      try recorder.check(against: board.around)
    }

    @Test func aRankingIsShownFromTimeToTime() throws {
      let store = try makeStore(racers: 20_000)
      let board = try Leaderboard(store, around: 10_000)
      let top = try board.top.recorded()
      let around = try board.around.recorded()
      board.refresh()
      for _ in 0..<50 { try board.score(10_000, for: 1) }
      #expect(try top.news() == [])
      #expect(board.place(of: 1) == 20_000)
      #expect(!board.pending.isEmpty)

      // Fifty commits are one changeset.
      board.refresh()
      #expect(board.pending.isEmpty)
      #expect(try top.news() == ["R- [0,2] #19998\nR+ [0,0] #1"])
      #expect(board.place(of: 1) == 1)
      // Who is passed by one from far behind has the same neighbours, at another place.
      #expect(try around.news() == [])
      #expect(board.place(of: 10_000) == 10_002)
      try top.check(against: board.top)
      try around.check(against: board.around)
    }

    @Test func teamsAreRankedByTheirSums() throws {
      let store = try makeStore(racers: 10)
      let board = try Leaderboard(store, around: 1)
      let recorder = try board.teams.recorded()
      #expect(try board.teams.ids() == ["blue", "red"])
      try board.score(100, for: 1)
      #expect(try board.teams.ids() == ["red", "blue"])
      #expect(try recorder.news() == ["R> [0,1]→[0,0] #red*"])
      let first = try board.teams.item(at: ItemPath(section: 0, item: 0))
      #expect(first == Leaderboard.TeamTotal(id: "red", racers: 5, points: 350))
      try recorder.check(against: board.teams)
    }
  }
#endif
