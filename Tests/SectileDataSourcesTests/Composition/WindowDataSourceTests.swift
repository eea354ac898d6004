import SectileCore
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileDataSources

/// Windows that are moved, and that follow a row.
@Suite(.timeLimit(.minutes(60))) struct WindowDataSourceTests {
  struct Player: Identifiable, Hashable, Sendable {
    let id: Int
    var points: Int
    var league = 0
  }

  private struct Ranking {
    let players: ArrayDataSource<Player>
    let window: WindowDataSource<Int, Player>
    let recorder = ChangeRecorder<Int, Player>()

    init(_ items: [Player], _ place: WindowPlace<Int>) {
      players = ArrayDataSource(name: "players", items: items) {
        SourceSection(identity: .integer(Int64($0.league)), title: "\($0.league)")
      }
      window = players.window(place)
      window.delegate = recorder
      window.load()
      recorder.reset()
    }

    var ids: [Int] {
      let snapshot = window.snapshot
      return (0..<snapshot.numberOfItems).map { snapshot.id(at: snapshot.path(atRank: $0)) }
    }

    var allIDs: [Int] {
      let snapshot = players.snapshot
      return (0..<snapshot.numberOfItems).map { snapshot.id(at: snapshot.path(atRank: $0)) }
    }
  }

  private static func players(_ ids: some Sequence<Int>) -> [Player] {
    ids.map { Player(id: $0, points: 0) }
  }

  @Test func itKeepsThePromisesOfDataSource() async {
    let source = ArrayDataSource(name: "players", items: Self.players(0..<20))
    #expect(await checkDataSource(source.window(around: 7, before: 2, after: 3)) == [])
  }

  @Test func theWindowFollowsItsRow() throws {
    let ranking = Ranking(Self.players(0..<20), .around(7, before: 2, after: 1))
    #expect(ranking.ids == [5, 6, 7, 8])
    #expect(ranking.window.numberOfItemsBefore == 5)
    #expect(ranking.window.numberOfItemsAfter == 11)
    // One that comes before it changes nothing that is shown.
    try ranking.players.replace(with: Self.players([99] + Array(0..<20)))
    #expect(ranking.recorder.changesets.isEmpty)
    #expect(ranking.window.numberOfItemsBefore == 6)
    // It goes to the end.
    try ranking.players.replace(with: Self.players(Array(0..<7) + Array(8..<20) + [7]))
    #expect(ranking.ids == [18, 19, 7])
    // It is gone, and the window stays.
    try ranking.players.replace(with: Self.players(Array(0..<7) + Array(8..<20)))
    #expect(ranking.ids == [18, 19])
    #expect(ranking.window.ranks == 17..<19)
    ranking.window.grow(before: 1)
    #expect(ranking.ids == [17, 18, 19])
    ranking.window.grow(before: -1)
    // It comes again.
    try ranking.players.replace(with: Self.players([3, 7, 4, 5]))
    #expect(ranking.ids == [3, 7, 4])
    // At the beginning it does not grow where its row is gone.
    ranking.window.show(.around(3, before: 2, after: 1))
    #expect(ranking.ids == [3, 7])
    try ranking.players.replace(with: Self.players([7, 4, 5]))
    #expect(ranking.ids == [7, 4])
    try ranking.recorder.check(against: ranking.window)
  }

  /// The numbers of rows before and behind a window, as they are told.
  private final class Told: Sendable {
    private let numbers = Mutex<[[Int]]>([])

    init(_ window: WindowDataSource<Int, Player>) {
      window.observeNumbersOfItems { [weak self] before, after in
        self?.numbers.withLock { $0.append([before, after]) }
      }
    }

    /// Takes what was told since the last call.
    func take() -> [[Int]] { numbers.withLock { exchange(&$0, with: []) } }
  }

  @Test func howManyRowsAreAroundItIsTold() throws {
    let ranking = Ranking(Self.players(0..<20), .around(7, before: 2, after: 1))
    let told = Told(ranking.window)
    // One comes before what is shown, and one behind it: nobody else hears of them.
    try ranking.players.replace(with: Self.players([99] + Array(0..<20)))
    #expect(told.take() == [[6, 11]])
    try ranking.players.replace(with: Self.players([99] + Array(0..<20) + [98]))
    #expect(told.take() == [[6, 12]])
    #expect(ranking.recorder.changesets.isEmpty)
    // Another row in the place of one: the numbers stay.
    try ranking.players.replace(with: Self.players([97] + Array(0..<20) + [98]))
    #expect(told.take() == [])
    ranking.window.grow(after: 2)
    #expect(told.take() == [[6, 10]])
    ranking.window.show(.last(3))
    #expect(told.take() == [[19, 0]])
    ranking.window.observeNumbersOfItems(nil)
    try ranking.players.replace(with: Self.players(0..<9))
    #expect(told.take() == [])
    #expect(ranking.window.numberOfItemsBefore == 6)
    try ranking.recorder.check(against: ranking.window)
  }

  @Test func theLastRowsAreThoseOfAChat() throws {
    let ranking = Ranking(Self.players(0..<10), .last(3))
    #expect(ranking.ids == [7, 8, 9])
    try ranking.players.replace(with: Self.players(0..<11))
    #expect(ranking.ids == [8, 9, 10])
    ranking.window.grow(before: 4)
    #expect(ranking.ids == Array(4...10))
    #expect(ranking.window.numberOfItemsAfter == 0)
    ranking.window.grow(before: 100)
    #expect(ranking.ids == Array(0...10))
    try ranking.recorder.check(against: ranking.window)
  }

  @Test func theWindowGrowsAndMovesInOneChangeset() throws {
    let ranking = Ranking(Self.players(0..<100), .from(40, limit: 10))
    ranking.window.grow(after: 5)
    #expect(ranking.ids == Array(40..<55))
    ranking.window.grow(before: 3, after: -5)
    #expect(ranking.ids == Array(37..<50))
    ranking.window.show(.from(45, limit: 10))
    #expect(ranking.ids == Array(45..<55))
    let changes = try #require(ranking.recorder.changesets.last)
    #expect(changes.deletes.count == 8)
    #expect(changes.inserts.count == 5)
    ranking.window.show(.from(45, limit: 10))
    #expect(ranking.recorder.changesets.count == 3)
    #expect(ranking.window.place == .from(45, limit: 10))
    ranking.window.show(.around(90, before: 1, after: .max))
    #expect(ranking.ids == Array(89..<100))
    ranking.window.show(.from(-5, limit: -1))
    #expect(ranking.ids == [])
    ranking.window.show(.from(98, limit: nil))
    #expect(ranking.ids == [98, 99])
    ranking.window.show(.around(-1, before: 5, after: 5))
    #expect(ranking.ids == Array(93..<100))
    try ranking.recorder.check(against: ranking.window)
  }

  @Test func thereIsNoNumberTooLargeForIt() throws {
    let ranking = Ranking(Self.players(0..<9), .around(4, before: 1, after: .max))
    let places: [WindowPlace<Int>] = [
      .around(4, before: .max, after: .max), .last(.max), .from(0, limit: .max),
      .from(.max, limit: .max), .from(3, limit: nil), .last(.min), .around(-1, before: 0, after: 0),
    ]
    for place in places {
      for number in [Int.max, 1, .min, .max] {
        ranking.window.show(place)
        ranking.window.grow(before: number, after: number)
        ranking.window.grow(before: number, after: number)
        #expect(ranking.ids.count <= 9)
      }
    }
    try ranking.recorder.check(against: ranking.window)
  }

  @Test func aWindowThatIsNotLoadedIsMoved() throws {
    let players = ArrayDataSource(name: "players", items: Self.players(0..<9))
    let window = players.window(.from(0, limit: 2))
    window.show(.last(2))
    #expect(window.ranks == 0..<0)
    window.load()
    #expect(window.ranks == 7..<9)
    window.cancel()
    window.show(.from(0, limit: 1))
    #expect(window.ranks == 7..<9)
    window.load()
    #expect(window.ranks == 0..<1)
  }

  @Test(arguments: SeededRandom.batches(debug: 60, release: 600))
  func everyMoveIsExact(_ seeds: Range<UInt64>) throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let ranking = Ranking(Self.some(&random), Self.place(&random))
      var anchor = Self.anchor(ranking, ranking.allIDs, 0)
      let told = Told(ranking.window)
      for _ in 0..<24 {
        let before = [ranking.window.numberOfItemsBefore, ranking.window.numberOfItemsAfter]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ranking.window.show(Self.place(&random))
        case 1:
          ranking.window.grow(
            before: Int.random(in: -2...3, using: &random),
            after: Int.random(in: -2...3, using: &random))
        default: try ranking.players.replace(with: Self.some(&random))
        }
        let after = [ranking.window.numberOfItemsBefore, ranking.window.numberOfItemsAfter]
        #expect(told.take() == (after == before ? [] : [after]), "seed \(seed)")
        let all = ranking.allIDs
        anchor = Self.anchor(ranking, all, anchor)
        let ranks = Self.ranks(ranking.window.place, all, anchor)
        #expect(ranking.ids == Array(all[ranks]), "seed \(seed)")
        #expect(checkSnapshot(ranking.window.snapshot) == [], "seed \(seed)")
        #expect(throws: Never.self, "seed \(seed)") {
          try ranking.recorder.check(against: ranking.window)
        }
      }
    }
  }

  private static func some(_ random: inout SeededRandom) -> [Player] {
    (0..<16).shuffled(using: &random).prefix(Int.random(in: 0...16, using: &random)).map {
      Player(
        id: $0, points: Int.random(in: 0..<4, using: &random),
        league: Int.random(in: 0..<3, using: &random))
    }.sorted { ($0.league, $0.points, $0.id) < ($1.league, $1.points, $1.id) }
  }

  private static func place(_ random: inout SeededRandom) -> WindowPlace<Int> {
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      .from(
        Int.random(in: 0..<12, using: &random),
        limit: random.chance(0.2) ? nil : Int.random(in: 0..<8, using: &random))
    case 1: .last(Int.random(in: 0..<8, using: &random))
    default:
      .around(
        Int.random(in: 0..<16, using: &random), before: Int.random(in: 0..<5, using: &random),
        after: Int.random(in: 0..<5, using: &random))
    }
  }

  /// The rank that a window is around, given the one before.
  private static func anchor(_ ranking: Ranking, _ ids: [Int], _ former: Int) -> Int {
    switch ranking.window.place.kind {
    case .from, .last: ranking.window.ranks.lowerBound
    case .around(let id, _, _): ids.firstIndex(of: id) ?? former
    }
  }

  /// What a window shows of some rows.
  private static func ranks(_ place: WindowPlace<Int>, _ ids: [Int], _ anchor: Int) -> Range<Int> {
    switch place.kind {
    case .from(let offset, let limit):
      (offset..<(offset + (limit ?? ids.count))).clamped(to: 0..<ids.count)
    case .last(let count): max(0, ids.count - count)..<ids.count
    case .around(_, let before, let after):
      ((anchor - before)..<(anchor + 1 + after)).clamped(to: 0..<ids.count)
    }
  }
}
