import SectileCore
import SectileDataSources
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

@testable import SectileRemote

/// Sources of a list in a store: which pages they load, and which they do not load again.
@Suite(.timeLimit(.minutes(60))) struct MediatedSourceTests {
  typealias Song = PersistentRemoteListTests.Song
  typealias SongList = PersistentRemoteList<Song, Int>

  struct Unreachable: Error {}

  /// A list of songs in pages of two, that holds pages back, or refuses them, when told so.
  final class Server: PageLoader {
    private struct State {
      var songs: [Song]
      var log: [Int] = []
      var errors: [Int: any Error] = [:]
      var held: Set<Int> = []
      var waiting: [CheckedContinuation<Void, Never>] = []
      var skipped: [Int: [Int]] = [:]
    }

    let firstPage = 0
    private let state: Mutex<State>

    init(_ count: Int) {
      let songs = (0..<count).map { Song(id: Int64($0), title: "song \($0)") }
      state = Mutex(State(songs: songs))
    }

    /// The pages that were asked for.
    var log: [Int] { state.withLock { $0.log } }

    var songs: [Song] {
      get { state.withLock { $0.songs } }
      set { state.withLock { $0.songs = newValue } }
    }

    func forgetLog() { state.withLock { $0.log = [] } }

    func refuse(_ page: Int, with error: (any Error)? = Unreachable()) {
      state.withLock { $0.errors[page] = error }
    }

    func expire(_ page: Int) {
      refuse(page, with: RemoteError(code: .pageExpired, message: "It has expired."))
    }

    func skip(_ offsets: [Int], ofPage page: Int) {
      state.withLock { $0.skipped[page] = offsets }
    }

    /// Holds a page back until ``release()``.
    func hold(_ page: Int) {
      state.withLock { _ = $0.held.insert(page) }
    }

    func release() {
      let waiting = state.withLock { state in
        defer { (state.held, state.waiting) = ([], []) }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    /// Waits until so many pages were asked for.
    func waitForRequests(_ count: Int) async {
      while log.count < count { await Task.yield() }
    }

    func loadPage(_ page: Int) async throws -> LoadedPage<Song, Int> {
      state.withLock { $0.log.append(page) }
      await withCheckedContinuation { continuation in
        let isHeld = state.withLock { state in
          guard state.held.contains(page) else { return false }
          state.waiting.append(continuation)
          return true
        }
        if !isHeld { continuation.resume() }
      }
      return try state.withLock { state in
        if let error = state.errors[page] { throw error }
        let start = min(page * 2, state.songs.count)
        let end = min(start + 2, state.songs.count)
        let skipped = state.skipped[page] ?? []
        let items = (start..<end).filter { !skipped.contains($0 - start) }.map { state.songs[$0] }
        return LoadedPage(
          items: items, nextPage: end < state.songs.count ? page + 1 : nil, skippedOffsets: skipped)
      }
    }
  }

  static func remoteList(_ server: Server, _ store: Store) -> SongList {
    SongList(
      name: "songs", store: store, loader: server, configuration: RemoteConfiguration(retry: .never)
    )
  }

  static func ids(_ store: Store) throws -> [Int64] {
    try store.read { try $0.query("SELECT id FROM song ORDER BY id") }.map {
      guard case .integer(let id) = $0.values[0] else { return -1 }
      return id
    }
  }

  // MARK: - Going on

  @Test func secondSourceGoesOnWhereTheFirstStopped() async throws {
    let (server, store) = (Server(7), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    let first = try remoteList.source(of: FetchRequest<Song>(), pages: 1)
    try await first.loadAndWait()
    #expect(server.log == [0])
    #expect(first.numberOfItems == 2)
    let second = try remoteList.source(of: FetchRequest<Song>(), pages: 2)
    let recorder = ChangeRecorder<Int64, Song>()
    second.delegate = recorder
    try await second.loadAndWait()
    #expect(server.log == [0, 1, 2])
    #expect(second.numberOfItems == 6)
    #expect(first.numberOfItems == 6, "both show what is stored")
    // What was stored came first, at once.
    #expect(recorder.changesets.map(\.inserts.count) == [2, 2, 2])
    try await first.loadAndWait()
    #expect(server.log == [0, 1, 2, 3])
    #expect(try remoteList.state?.isComplete == true)
    #expect(try remoteList.state?.crawl == 1)
    try recorder.check(against: second)
  }

  @Test func listGoesOnAfterARestartInTheMiddle() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("songs.sqlite")
    let server = Server(6)
    server.refuse(1)
    do {
      let store = try PersistentRemoteListTests.store(at: path)
      let source = try Self.remoteList(server, store).source(of: FetchRequest<Song>())
      await #expect(throws: RemoteError.self) { try await source.loadAndWait() }
      #expect(source.numberOfItems == 2)
    }
    server.refuse(1, with: nil)
    server.forgetLog()
    server.hold(1)
    let store = try PersistentRemoteListTests.store(at: path)
    let source = try Self.remoteList(server, store).source(of: FetchRequest<Song>())
    let recorder = ChangeRecorder<Int64, Song>()
    source.delegate = recorder
    source.load()
    #expect(source.numberOfItems == 2, "what was loaded is there without the network")
    server.release()
    #expect(await recorder.waitForEnds(1))
    #expect(recorder.errors.isEmpty)
    #expect(server.log == [1, 2], "the first page is not loaded again")
    #expect(source.numberOfItems == 6)
    try recorder.check(against: source)
  }

  @Test func finishedListIsBegunAnew() async throws {
    let (server, store) = (Server(5), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    let source = try remoteList.source(of: FetchRequest<Song>())
    try await source.loadAndWait()
    #expect(server.log == [0, 1, 2])
    let asItWas = try remoteList.state
    #expect(try await remoteList.loadMore() == asItWas)
    #expect(server.log == [0, 1, 2], "there is no more")
    server.songs.removeFirst()
    let other = try remoteList.source(of: FetchRequest<Song>())
    try await other.loadAndWait()
    #expect(server.log == [0, 1, 2, 0, 1])
    #expect(try Self.ids(store) == [1, 2, 3, 4])
    #expect(source.numberOfItems == 4)
    #expect(try remoteList.state?.crawl == 2)
  }

  // MARK: - At once

  @Test func twoSourcesAtOnceLoadEachPageOnce() async throws {
    let (server, store) = (Server(6), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    let sources = try (0..<2).map { _ in try remoteList.source(of: FetchRequest<Song>()) }
    server.hold(2)
    let loads = sources.map { source in Task { try await source.loadAndWait() } }
    await server.waitForRequests(3)
    while await remoteList.waiterCount < 2 { await Task.yield() }
    server.release()
    for load in loads { try await load.value }
    #expect(server.log == [0, 1, 2])
    #expect(sources.map(\.numberOfItems) == [6, 6])
    #expect(await remoteList.waiterCount == 0)
  }

  @Test func sourceThatWantsMoreThanTheOneItJoinsGoesOn() async throws {
    let (server, store) = (Server(8), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    server.hold(0)
    let few = Task { try await remoteList.resume(pages: 1) }
    await server.waitForRequests(1)
    let some = Task { try await remoteList.loadMore(pages: 3) }
    let all = Task { try await remoteList.resume() }
    while await remoteList.waiterCount < 3 { await Task.yield() }
    server.release()
    #expect(try await few.value.pageCount == 1)
    #expect(try await some.value.pageCount >= 3)
    #expect(try await all.value.isComplete)
    #expect(server.log == [0, 1, 2, 3])
  }

  @Test func beginningAnewDoesNotJoinWhatGoesOn() async throws {
    let (server, store) = (Server(6), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    try await remoteList.resume(pages: 1)
    server.hold(1)
    let onward = Task { try await remoteList.resume() }
    await server.waitForRequests(2)
    let anew = Task { try await remoteList.refresh() }
    while await remoteList.waiterCount < 2 { await Task.yield() }
    server.songs[0].title = "other"
    server.release()
    #expect(try await onward.value.crawl == 1)
    #expect(try await anew.value.crawl == 2)
    #expect(server.log == [0, 1, 2, 0, 1, 2])
    #expect(try PersistentRemoteListTests.titles(store).first == "other")
  }

  @Test func cancellingEndsWhatRunsAndWhatWaits() async throws {
    let (server, store) = (Server(6), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    server.hold(0)
    let onward = Task { try await remoteList.resume() }
    await server.waitForRequests(1)
    let anew = Task { try await remoteList.refresh() }
    while await remoteList.waiterCount < 2 { await Task.yield() }
    await remoteList.cancel()
    await #expect(throws: CancellationError.self) { try await onward.value }
    await #expect(throws: CancellationError.self) { try await anew.value }
    server.release()
    #expect(server.log == [0])
    #expect(try await remoteList.resume().isComplete)
  }

  // MARK: - From inside a delivery

  @Test(arguments: [1, 2]) func whoHearsOfAPageCanAskForTheNextOne(_ pages: Int) async throws {
    let (server, store) = (Server(9), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    let results = try store.results(of: FetchRequest<Song>())
    try await results.load()
    let token = results.observe { event in
      guard case .didPartiallyLoad = event else { return }
      Task { try await remoteList.loadMore(pages: pages) }
    }
    try await remoteList.loadMore(pages: 1)
    while try remoteList.state?.isComplete != true { await Task.yield() }
    #expect(server.log == [0, 1, 2, 3, 4])
    #expect(try Self.ids(store) == Array(0..<9))
    token.cancel()
  }

  // MARK: - What cannot be gone on with

  @Test func expiredPageLetsASourceBeginAnew() async throws {
    let (server, store) = (Server(6), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh(pages: 1)
    server.expire(1)
    let error = await #expect(throws: RemoteError.self) { try await remoteList.loadMore() }
    #expect(error?.code == .pageExpired)
    #expect(try remoteList.state?.pageCount == 1, "what is stored stands")
    server.forgetLog()
    let source = try remoteList.source(of: FetchRequest<Song>(), pages: 1)
    try await source.loadAndWait()
    #expect(server.log == [1, 0])
    #expect(try remoteList.state?.crawl == 2)
    server.refuse(1, with: nil)
    try await source.loadAndWait()
    try await source.loadAndWait()
    #expect(server.log == [1, 0, 1, 2])
    #expect(source.numberOfItems == 6)
  }

  @Test func pageThatExpiresOnTheWayIsAFailure() async throws {
    let (server, store) = (Server(6), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    let source = try remoteList.source(of: FetchRequest<Song>())
    server.expire(1)
    let error = await #expect(throws: RemoteError.self) { try await source.loadAndWait() }
    #expect(error?.code == .pageExpired)
    #expect(server.log == [0, 1])
    // It begins anew, once, and ends where that page has expired again.
    let again = await #expect(throws: RemoteError.self) { try await source.loadAndWait() }
    #expect(again?.code == .pageExpired)
    #expect(server.log == [0, 1, 1, 0, 1])
    #expect(source.numberOfItems == 2)
    server.refuse(1, with: nil)
    try await source.loadAndWait()
    #expect(source.numberOfItems == 6)
  }

  @Test func pageOfAnotherProgramLetsASourceBeginAnew() async throws {
    let (server, store) = (Server(4), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh(pages: 1)
    try await store.write {
      try $0.execute("UPDATE sectile_remote_list SET next_page = '\"after song 2\"'")
    }
    let error = await #expect(throws: StoreError.self) { try await remoteList.loadMore() }
    #expect(error?.code == .decodingFailed)
    let source = try remoteList.source(of: FetchRequest<Song>())
    try await source.loadAndWait()
    #expect(server.log == [0, 0, 1])
    #expect(source.numberOfItems == 4)
  }

  @Test func crawlThatLeftElementsOutDeletesNothing() async throws {
    let (server, store) = (Server(6), try PersistentRemoteListTests.store())
    let remoteList = Self.remoteList(server, store)
    try await remoteList.refresh()
    server.skip([1], ofPage: 1)
    server.songs.removeLast()
    #expect(try await remoteList.refresh().isComplete)
    #expect(try Self.ids(store) == [0, 1, 2, 3, 4, 5], "3 was left out, 5 may have been")
    server.skip([], ofPage: 1)
    try await remoteList.refresh()
    #expect(try Self.ids(store) == [0, 1, 2, 3, 4])
  }

  // MARK: - At random

  @Test(arguments: 0..<4)
  func randomStopsLoadNoPageTwiceInOneCrawl(_ batch: Int) async throws {
    for seed in UInt64(batch * 25)..<UInt64(batch * 25 + 25) {
      var random = SeededRandom(seed: seed)
      let folder = try TemporaryFolder()
      let path = folder.file("songs.sqlite")
      let server = Server(Int.random(in: 0..<15, using: &random))
      var store = try PersistentRemoteListTests.store(at: path)
      var remoteList = Self.remoteList(server, store)
      for _ in 0..<14 {
        let refused = random.chance(0.4) ? Int.random(in: 0..<8, using: &random) : nil
        if let refused { server.refuse(refused) }
        server.forgetLog()
        let before = try remoteList.state
        let pages = [1, 2, nil].randomElement(using: &random) ?? nil
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          store = try PersistentRemoteListTests.store(at: path)
          remoteList = Self.remoteList(server, store)
        case 1: _ = try? await remoteList.loadMore(pages: pages)
        default:
          let source = try remoteList.source(of: FetchRequest<Song>(), pages: pages)
          let recorder = ChangeRecorder<Int64, Song>()
          recorder.allowFailures()
          source.delegate = recorder
          _ = try? await source.loadAndWait()
          try recorder.check(against: source)
        }
        // Pages come in their order, from the one that follows what is stored.
        if let first = server.log.first {
          let isUnderWay = before.map { !$0.isComplete } ?? false
          #expect(first == (isUnderWay ? before?.pageCount : 0), "\(random)")
          #expect(server.log == Array(first..<first + server.log.count), "\(random)")
          if let pages { #expect(server.log.count <= pages, "\(random)") }
        }
        if let refused { server.refuse(refused, with: nil) }
      }
      if random.chance(0.5) { server.songs = server.songs.filter { $0.id % 3 != 0 } }
      try await remoteList.resume()
      try await remoteList.refresh()
      #expect(try Self.ids(store) == server.songs.map(\.id), "\(random)")
    }
  }
}
