import Foundation
import SectileCore
import SectileDataSources
import SectileRemote
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct PersistentRemoteListTests {
  struct Song: Entity, Equatable {
    var id: Int64
    var title: String

    static let schema = EntitySchema<Song>(
      "song", primaryKey: "id", attributes: .init("id", \.id), .init("title", \.title))

    init(id: Int64, title: String) {
      (self.id, self.title) = (id, title)
    }

    init(row: inout RowReader) throws {
      (id, title) = try (row.next(), row.next())
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
      try row.append(title)
    }
  }

  struct Unreachable: Error {}

  /// A server with a list of songs, in pages of two, that fails when told so.
  final class Server: PageLoader {
    struct State {
      var songs: [Song] = []
      var requests = 0
      var failing: Set<Int> = []
      var total: Int?
      /// Whether answers say how many songs there are at that moment.
      var countsSongs = false
      /// Runs after a page was sent.
      var afterPage: (@Sendable (Int, inout [Song]) -> Void)?
      /// Where pages lead, if not to the one that follows.
      var leads: [Int: Int] = [:]
    }

    let firstPage = 0
    let state: Mutex<State>

    init(_ titles: String...) {
      let songs = titles.enumerated().map { Song(id: Int64($0.offset), title: $0.element) }
      state = Mutex(State(songs: songs))
    }

    func loadPage(_ page: Int) async throws -> LoadedPage<Song, Int> {
      try state.withLock { state in
        state.requests += 1
        if state.failing.contains(page) { throw Unreachable() }
        let start = min(page * 2, state.songs.count)
        let end = min(start + 2, state.songs.count)
        let next = state.leads[page] ?? (end < state.songs.count ? page + 1 : nil)
        let loaded = LoadedPage(
          items: Array(state.songs[start..<end]), nextPage: next,
          total: state.countsSongs ? state.songs.count : state.total)
        state.afterPage?(page, &state.songs)
        return loaded
      }
    }
  }

  static let configuration = RemoteConfiguration(retry: .never)

  static func store(at path: String? = nil) throws -> Store {
    let store = try path.map { try Store.open(at: $0) } ?? Store.inMemory()
    try store.write {
      try $0.execute(
        "CREATE TABLE IF NOT EXISTS song (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    }
    return store
  }

  static func remoteList(
    _ server: Server, _ store: Store, name: String = "songs"
  ) -> PersistentRemoteList<Song, Int> {
    PersistentRemoteList(name: name, store: store, loader: server, configuration: configuration)
  }

  static func titles(_ store: Store) throws -> [String] {
    try store.read { try $0.query("SELECT title FROM song ORDER BY id") }.map {
      guard case .text(let title) = $0.values[0] else { return "?" }
      return title
    }
  }

  @Test func refreshingStoresAllPages() async throws {
    let (server, store) = (Server("a", "b", "c", "d", "e"), try Self.store())
    let remoteList = Self.remoteList(server, store)
    #expect(try remoteList.state == nil)
    let state = try await remoteList.refresh()
    #expect(state.isComplete && state.pageCount == 3 && state.itemCount == 5)
    #expect(state.completedAt != nil)
    #expect(try Self.titles(store) == ["a", "b", "c", "d", "e"])
  }

  /// A row whose key compares otherwise than its column.
  struct Tag: Entity, Equatable {
    var id: String

    static let schema = EntitySchema<Tag>("tag", primaryKey: "id", attributes: .init("id", \.id))

    init(id: String) {
      self.id = id
    }

    init(row: inout RowReader) throws {
      id = try row.next()
    }

    func write(to row: inout RowWriter) throws {
      try row.append(id)
    }
  }

  /// A server whose tags are on one page.
  final class TagServer: PageLoader {
    let firstPage = 0
    let tags: Mutex<[String]>

    init(_ tags: String...) { self.tags = Mutex(tags) }

    func loadPage(_ page: Int) async throws -> LoadedPage<Tag, Int> {
      LoadedPage(items: tags.withLock { $0 }.map(Tag.init), nextPage: nil)
    }
  }

  @Test func aRowThatIsGoneTakesNoneWithItWhoseKeyDiffersByCase() async throws {
    let (server, store) = (TagServer("a", "A", "c"), try Store.inMemory())
    try await store.write {
      try $0.execute(
        "CREATE TABLE tag (id TEXT COLLATE NOCASE NOT NULL, PRIMARY KEY (id COLLATE BINARY))")
    }
    let remoteList = PersistentRemoteList(
      name: "tags", store: store, loader: server, configuration: Self.configuration)
    try await remoteList.refresh()
    server.tags.withLock { $0 = ["A", "c"] }
    try await remoteList.refresh()
    let rows = try await store.read {
      try $0.query("SELECT id FROM tag ORDER BY id COLLATE BINARY")
    }
    #expect(rows.map(\.values) == [[.text("A")], [.text("c")]])
  }

  @Test func whatDelegatesSeeAreTheStoresOwnDiffs() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    let remoteList = Self.remoteList(server, store)
    let source = try remoteList.source(of: FetchRequest<Song>().sort(by: \.title))
    let recorder = ChangeRecorder<Int64, Song>()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.errors.isEmpty)
    #expect(recorder.changesets.map(\.inserts.count) == [2, 1])  // One part for each page.
    recorder.reset()
    server.state.withLock { $0.songs[1].title = "z" }
    source.load()
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.changesets.map(\.moves.count) == [1])
    try recorder.check(against: source)
  }

  @Test func withoutANetworkTheLastKnownContentsAreShown() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("songs.sqlite")
    let server = Server("a", "b", "c")
    do {
      let store = try Self.store(at: path)
      try await Self.remoteList(server, store).refresh()
    }
    server.state.withLock { $0.failing = [0] }
    let store = try Self.store(at: path)
    let source = try Self.remoteList(server, store).source(of: FetchRequest<Song>())
    let recorder = ChangeRecorder<Int64, Song>()
    source.delegate = recorder
    source.load()
    #expect(source.numberOfItems == 3)
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.errors.count == 1)
    let error = recorder.errors.first as? RemoteError
    #expect(error?.code == .loaderFailed && error?.cause is Unreachable)
    try recorder.check(against: source)
  }

  @Test func aListGoesOnWhereItStoppedAfterARestart() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("songs.sqlite")
    let server = Server("a", "b", "c", "d", "e")
    server.state.withLock { $0.failing = [1] }
    do {
      let remoteList = Self.remoteList(server, try Self.store(at: path))
      await #expect(throws: RemoteError.self) { try await remoteList.refresh() }
    }
    server.state.withLock { ($0.failing, $0.requests) = ([], 0) }
    let store = try Self.store(at: path)
    #expect(try Self.titles(store) == ["a", "b"])
    let state = try await Self.remoteList(server, store).loadMore(pages: nil)
    #expect(state.isComplete)
    #expect(server.state.withLock { $0.requests } == 2)
    #expect(try Self.titles(store) == ["a", "b", "c", "d", "e"])
  }

  @Test func onlyACompleteCrawlDeletes() async throws {
    let (server, store) = (Server("a", "b", "c", "d"), try Self.store())
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh()
    server.state.withLock { state in
      state.songs.removeFirst()
      state.failing = [1]
    }
    await #expect(throws: RemoteError.self) { try await remoteList.refresh() }
    #expect(try Self.titles(store) == ["a", "b", "c", "d"])
    try await remoteList.refresh(pages: 1)
    #expect(try Self.titles(store) == ["a", "b", "c", "d"])
    server.state.withLock { $0.failing = [] }
    try await remoteList.loadMore()
    #expect(try Self.titles(store) == ["b", "c", "d"])
  }

  @Test func rowsFromElsewhereAndFromOtherListsStay() async throws {
    let (server, store) = (Server("a", "b"), try Self.store())
    let other = Server("a")
    _ = try await store.write { try $0.insert(Song(id: 100, title: "mine")) }
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh()
    try await Self.remoteList(other, store, name: "others").refresh()
    server.state.withLock { $0.songs = [] }
    try await remoteList.refresh()
    #expect(try Self.titles(store) == ["a", "mine"])
  }

  @Test func aCrawlThatSawFewerThanThereAreProvesNothing() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh()
    server.state.withLock { state in
      state.songs.removeFirst()
      state.total = 3
    }
    let state = try await remoteList.refresh()
    #expect(state.isComplete)
    #expect(try Self.titles(store) == ["a", "b", "c"])
  }

  @Test func aListThatShrinksDuringTheCrawlProvesNothing() async throws {
    let (server, store) = (Server("a", "b", "c", "d"), try Self.store())
    server.state.withLock { $0.countsSongs = true }
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh()
    // While the first page is on its way, its first song goes: the second page begins with "d".
    server.state.withLock { $0.afterPage = { page, songs in if page == 0 { songs.removeFirst() } } }
    let state = try await remoteList.refresh()
    #expect(state.isComplete)
    #expect(try Self.titles(store) == ["a", "b", "c", "d"])
    server.state.withLock { $0.afterPage = nil }
    try await remoteList.refresh()
    #expect(try Self.titles(store) == ["b", "c", "d"])
  }

  @Test func aCircleOfPagesIsNoticedPageByPage() async throws {
    let (server, store) = (Server("a", "b", "c", "d", "e"), try Self.store())
    server.state.withLock { $0.leads = [1: 0] }
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh(pages: 1)
    let error = await #expect(throws: RemoteError.self) { try await remoteList.loadMore() }
    #expect(error?.code == .tokenLoop)
    #expect(try remoteList.state?.isComplete == false)
  }

  @Test func aRowThatOthersReferToStays() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    try await store.write {
      try $0.execute("CREATE TABLE favourite (song INTEGER NOT NULL REFERENCES song (id))")
    }
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh()
    try await store.write { try $0.execute("INSERT INTO favourite VALUES (0)") }
    server.state.withLock { $0.songs.removeFirst(2) }
    let state = try await remoteList.refresh()
    #expect(state.isComplete)
    #expect(try Self.titles(store) == ["a", "c"])
    try await store.write { try $0.execute("DELETE FROM favourite") }
    try await remoteList.refresh()
    #expect(try Self.titles(store) == ["c"])
  }

  @Test func loadingRightAfterCancellingBeginsAnew() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    let source = try Self.remoteList(server, store).source(of: FetchRequest<Song>())
    for _ in 0..<20 {
      source.load()
      source.cancel()
    }
    try await source.loadAndWait()
    #expect(source.numberOfItems == 3)
  }

  @Test func cancellingOneSourceLeavesTheOthersRefresh() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    let remoteList = Self.remoteList(server, store)
    let first = try remoteList.source(of: FetchRequest<Song>())
    let second = try remoteList.source(of: FetchRequest<Song>())
    let recorder = ChangeRecorder<Int64, Song>()
    second.delegate = recorder
    first.load()
    second.load()
    first.cancel()
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.errors.isEmpty)
    #expect(second.numberOfItems == 3)
  }

  @Test func aPageThatCannotBeStoredChangesNothing() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    try await store.write {
      try $0.execute("CREATE UNIQUE INDEX song_on_title ON song (title)")
    }
    server.state.withLock { $0.songs[2].title = "a" }
    let remoteList = Self.remoteList(server, store)
    let error = await #expect(throws: StoreError.self) { try await remoteList.refresh() }
    #expect(error?.code == .uniqueConstraint)
    #expect(try remoteList.state?.pageCount == 1)
    #expect(try Self.titles(store) == ["a", "b"])
  }

  @Test func callsAtTheSameTimeJoin() async throws {
    let (server, store) = (Server("a", "b", "c"), try Self.store())
    let remoteList = Self.remoteList(server, store)
    async let first = remoteList.refresh()
    async let second = remoteList.refresh()
    _ = try await (first, second)
    let requests = server.state.withLock { $0.requests }
    #expect(requests == 2 || requests == 4)  // Joined, or one after the other.
    #expect(try Self.titles(store) == ["a", "b", "c"])
  }

  @Test(arguments: 0..<4) func randomFaultsLoseNothing(_ batch: Int) async throws {
    for seed in UInt64(batch * 50)..<UInt64(batch * 50 + 50) {
      var random = SeededRandom(seed: seed)
      let (server, store) = (Server(), try Self.store())
      let remoteList = Self.remoteList(server, store)
      let source = try store.results(of: FetchRequest<Song>().sort(by: \.title))
      let recorder = ChangeRecorder<Int64, Song>()
      source.delegate = recorder
      try await source.load()
      var known: Set<Int64> = []
      for _ in 0..<6 {
        let songs = (0..<Int.random(in: 0..<9, using: &random)).map { _ in
          Song(
            id: Int64.random(in: 0..<12, using: &random),
            title: "\(Int.random(in: 0..<99, using: &random))")
        }
        let unique = Dictionary(songs.map { ($0.id, $0) }) { first, _ in first }
        let truth = unique.values.sorted { $0.id < $1.id }
        let failing = random.chance(0.4) ? Set([Int.random(in: 0..<4, using: &random)]) : []
        server.state.withLock { ($0.songs, $0.failing) = (truth, failing) }
        let state = try? await remoteList.refresh()
        let stored = try await store.read { try $0.query("SELECT id FROM song") }.count
        if state?.isComplete == true {
          #expect(try Self.titles(store) == truth.map(\.title), "\(random)")
          known = Set(truth.map(\.id))
        } else {
          known.formUnion(source.snapshot.ids)
          #expect(stored >= known.count, "nothing is deleted, \(random)")
        }
        try recorder.check(against: source)
      }
    }
  }
}

extension ResultsSnapshot {
  fileprivate var ids: [ItemID] {
    (0..<numberOfItems).map { id(at: path(atRank: $0)) }
  }
}
