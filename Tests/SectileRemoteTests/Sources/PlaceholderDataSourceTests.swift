import SectileCore
import SectileRemote
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct PlaceholderDataSourceTests {
  typealias Source = PlaceholderDataSource<Song, PageToken>
  typealias Recorder = ChangeRecorder<RemoteListRowID<Int>, RemoteListRow<Song>>

  /// The list server, whose pages can be found by rank.
  struct RankedServer: RandomAccessPageLoader {
    let server: ListServer
    var firstPage: PageToken { server.firstPage }

    func loadPage(_ page: PageToken) async throws -> ListServer.Loaded {
      try await server.loadPage(page)
    }

    func place(ofRank rank: Int) -> PagePlace<PageToken> {
      let number = rank / server.size
      let page: PageToken =
        server.style == .number ? .number(number + 1) : .offset(number * server.size)
      return PagePlace(page: page, firstRank: number * server.size)
    }
  }

  /// A source and its server, in virtual time.
  final class World: Sendable {
    let executor = ManualExecutor()
    let server: ListServer
    let source: Source
    let recorder = Recorder()

    init(
      _ count: Int, style: ListServer.Style = .number, loadsOnRead: Bool = false,
      tellsTotal: Bool = true, rowCountLimit: Int = 100
    ) {
      server = ListServer(
        (0..<count).map { Song(id: $0 * 10) }, style: style, tellsTotal: tellsTotal)
      source = Source(
        name: "songs", loader: RankedServer(server: server), loadsOnRead: loadsOnRead,
        rowCountLimit: rowCountLimit,
        configuration: RemoteConfiguration(
          retry: .never, requestTimeout: nil, loadTimeout: nil, executor: executor))
      source.delegate = recorder
    }

    /// The rows in words: an item's identity, or an ellipsis.
    var rows: String {
      let snapshot = source.snapshot
      return (0..<snapshot.numberOfItems)
        .map { try? snapshot.item(at: snapshot.path(atRank: $0)).item }
        .map { song in song.map { "\($0.id)" } ?? "…" }
        .joined(separator: " ")
    }

    func answerAll() {
      executor.runUntilIdle()
      while let request = server.requests.first {
        server.answer(request)
        executor.runUntilIdle()
      }
    }

    func load() {
      source.load()
      answerAll()
      recorder.reset()
    }

    /// Fetches the page of a rank; nil where that failed.
    @discardableResult func fetch(_ rank: Int) -> [Int]? {
      let paths = Mutex<[ItemPath]?>(nil)
      _ = Task(executorPreference: executor) { @Sendable [source] in
        let new = try await source.fetch(at: ItemPath(section: 0, item: rank))
        paths.withLock { $0 = new }
      }
      answerAll()
      return paths.withLock { $0?.map(\.item) }
    }
  }

  @Test(arguments: [0, 1, 7]) func sourceKeepsThePromisesOfDataSource(_ count: Int) async {
    let service = RemoteService(
      transport: Numbers(count: count), parser: JSONPageParser<Number>(),
      style: .offset(sizeParameter: "limit", size: 3))
    guard let pages = service.randomAccess else {
      Issue.record("offsets of a known size can be found by rank")
      return
    }
    let source = PlaceholderDataSource(name: "numbers", loader: pages)
    #expect(await checkDataSource(source) == [])
  }

  struct Number: Decodable, Identifiable, Equatable, Sendable {
    let id: Int
  }

  /// A service that counts.
  struct Numbers: PageTransport {
    let count: Int

    func response(to request: PageRequest) async throws -> PageResponse {
      let values = request.parameters.compactMap { Int($0.value) }
      let ids = min(values[0], count)..<min(values[0] + values[1], count)
      let body = ids.map { "{\"id\": \($0)}" }.joined(separator: ",")
      return PageResponse(
        headers: ["X-Total-Count": "\(count)"], body: Array("[\(body)]".utf8))
    }
  }

  @Test func firstPageBringsARowForEveryItem() throws {
    let world = World(8)
    world.source.load()
    world.answerAll()
    #expect(world.rows == "0 10 20 … … … … …")
    #expect(world.recorder.events.map(\.word) == ["will", "+8", "finished"])
    #expect(world.source.totalCount == 8)
    try world.recorder.check(against: world.source)
  }

  @Test(arguments: [ListServer.Style.number, .offset])
  func pageReplacesItsPlaceholdersAtTheirPaths(_ style: ListServer.Style) throws {
    let world = World(8, style: style)
    world.load()
    #expect(world.fetch(7) == [6, 7])
    #expect(world.rows == "0 10 20 … … … 60 70")
    let changes = try #require(world.recorder.changesets.first)
    #expect(changes.deletes.map(\.id) == [.placeholder(rank: 6), .placeholder(rank: 7)])
    #expect(changes.inserts.map(\.id) == [.item(60), .item(70)])
    #expect(changes.deletes.map(\.path) == changes.inserts.map(\.path))
    #expect(changes.moves.isEmpty)
    try world.recorder.check(against: world.source)
  }

  @Test func itemThatIsLoadedIsNotLoadedAgain() {
    let world = World(8)
    world.load()
    #expect(world.fetch(1) == [])
    #expect(world.server.log.count == 1)
  }

  @Test func itemFoundElsewhereMovesAndLeavesAPlaceholder() throws {
    let world = World(8)
    world.load()
    world.server.change { songs in
      let song = songs.remove(at: 0)
      songs.insert(song, at: 4)
    }
    #expect(world.fetch(4) == [0, 3, 5])
    #expect(world.rows == "… 10 20 40 0 50 … …")
    try world.recorder.check(against: world.source)
    #expect(world.recorder.changesets.first?.moves.map(\.id) == [.item(0)])
  }

  @Test func listThatGrowsOrShrinksHasMoreOrFewerRows() throws {
    let world = World(5)
    world.load()
    world.server.change { $0 += [Song(id: 90), Song(id: 91), Song(id: 92)] }
    world.fetch(4)
    #expect(world.rows == "0 10 20 30 40 90 … …")
    world.server.change { $0.removeLast(4) }
    world.fetch(6)
    #expect(world.rows == "0 10 20 30")
    try world.recorder.check(against: world.source)
    world.server.change { $0.removeAll() }
    world.source.load()
    world.answerAll()
    #expect(world.rows == "")
    #expect(world.source.numberOfSections == 0)
    try world.recorder.check(against: world.source)
  }

  @Test func refreshLoadsWhatWasLoadedAndDeliversTheDifference() throws {
    let world = World(9)
    world.load()
    world.fetch(8)
    world.recorder.reset()
    world.server.change { songs in
      songs[0].grade = 3
      songs.insert(Song(id: 5), at: 1)
    }
    world.source.load()
    world.answerAll()
    #expect(world.rows == "0 5 10 … … … 50 60 70 …")
    #expect(world.server.log.suffix(2) == [.number(1), .number(3)])
    try world.recorder.check(against: world.source)
  }

  @Test func withoutATotalRowsComeWithTheirPages() {
    let world = World(4, tellsTotal: false)
    world.load()
    #expect(world.rows == "0 10 20")
    #expect(world.source.totalCount == nil)
  }

  @Test func rowsBehindTheLimitAreNotShown() {
    let world = World(9, rowCountLimit: 5)
    world.load()
    world.fetch(4)
    #expect(world.rows == "0 10 20 30 40")
    #expect(world.source.totalCount == 9)
  }

  @Test(arguments: [-1, 8, .max, .min] as [Int])
  func pathsThatAreNotThereThrow(number: Int) async throws {
    let world = World(8, loadsOnRead: true)
    world.load()
    for path in [ItemPath(section: 0, item: number), ItemPath(section: number, item: 0)] {
      let error = try #require(throws: DataSourceError.self) { try world.source.item(at: path) }
      #expect(error.code == .noSuchPath)
      let other = try await #require(throws: DataSourceError.self) {
        try await world.source.fetch(at: path)
      }
      #expect(other.code == .noSuchPath)
      world.source.prefetch(at: [path])
    }
    #expect(!world.source.isLoading)
  }

  @Test func readingAPlaceholderLoadsItsPageWhereThatIsAskedFor() throws {
    let still = World(8)
    still.load()
    #expect(try still.source.item(at: ItemPath(section: 0, item: 5)).isPlaceholder)
    #expect(!still.source.isLoading)
    let world = World(8, loadsOnRead: true)
    world.load()
    for item in 3...5 { _ = try world.source.item(at: ItemPath(section: 0, item: item)) }
    world.answerAll()
    #expect(world.rows == "0 10 20 30 40 50 … …")
    #expect(world.server.log == [.number(1), .number(2)])
  }

  @Test func oldestPagesThatNobodyWaitsForGiveWay() {
    let world = World(99)
    world.load()
    world.source.prefetch(at: (0..<99).map { ItemPath(section: 0, item: $0) })
    world.source.prefetch(at: [ItemPath(section: 1, item: 0), ItemPath(section: 0, item: 99)])
    world.answerAll()
    // The one that runs already, and the last eight of the others.
    let numbers = world.server.log.dropFirst().compactMap(\.number)
    #expect(numbers == [2] + Array(26...33))
  }

  @Test func failureLeavesPlaceholdersAndIsDelivered() throws {
    let world = World(8)
    world.load()
    world.source.prefetch(at: [ItemPath(section: 0, item: 4)])
    world.executor.runUntilIdle()
    world.server.fail(try #require(world.server.requests.first), RemoteWorld.Busy())
    world.executor.runUntilIdle()
    #expect(world.recorder.events.map(\.word) == ["will", "failed"])
    #expect(world.rows == "0 10 20 … … … … …")
    #expect(world.fetch(4) == [3, 4, 5])
  }

  @Test func cancelForgetsWhatWaits() {
    let world = World(30)
    world.load()
    world.source.prefetch(at: [5, 10, 15].map { ItemPath(section: 0, item: $0) })
    world.source.cancel()
    world.recorder.sourceWasCancelled()
    world.answerAll()
    #expect(world.recorder.events.map(\.word) == ["will"])
    #expect(!world.source.isLoading)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func randomPagesOfAChangingListReplayExactly(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let world = World(
      Int.random(in: 0...12, using: &random), style: random.chance(0.5) ? .number : .offset)
    world.recorder.allowFailures()
    world.source.load()
    for step in 0..<25 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        guard let rank = (0..<world.source.numberOfItems).randomElement(using: &random) else {
          break
        }
        world.fetch(rank)
      case 4: world.source.load()
      case 5:
        if let request = world.server.requests.first {
          world.server.fail(request, RemoteWorld.Busy())
        }
      default:
        let place = Int.random(in: 0...world.server.songs.count, using: &random)
        let chosen = world.server.songs.indices.randomElement(using: &random)
        let deed = Int.random(in: 0..<4, using: &random)
        world.server.change { songs in
          if deed == 0 {
            songs.insert(Song(id: 1_000 + step), at: place)
          } else if let chosen {
            var song = songs.remove(at: chosen)
            song.grade += 1
            if deed > 1 { songs.insert(song, at: min(place, songs.count)) }
          }
        }
      }
      world.executor.runUntilIdle()
    }
    world.answerAll()
    try world.recorder.check(against: world.source)
    world.source.load()
    world.answerAll()
    let songs = world.server.songs
    #expect(world.source.numberOfItems == songs.count, "\(random)")
    for (rank, song) in songs.enumerated() {
      let row = try world.source.item(at: ItemPath(section: 0, item: rank))
      #expect(row.isPlaceholder || row == .item(song), "\(random), rank \(rank)")
    }
    try world.recorder.check(against: world.source)
  }
}
