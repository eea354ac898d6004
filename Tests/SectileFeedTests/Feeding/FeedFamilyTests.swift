import SectileCore
import SectileFeed
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

/// Feeds that come and go with their clients.
@Suite(.timeLimit(.minutes(60))) struct FeedFamilyTests {
  private typealias SongFeeds = FeedFamily<String, SectionedResults<Song>, Void>

  private struct Refused: Error {}

  /// Something that a member keeps, and how many of them there are.
  private final class Lease: Sendable {
    private let count: LeaseCount

    init(_ count: LeaseCount) {
      self.count = count
      count.add(1)
    }

    deinit { count.add(-1) }
  }

  private final class LeaseCount: Sendable {
    private let count = Atomic(0)
    private let total = Atomic(0)

    var now: Int { count.load(ordering: .relaxed) }
    var made: Int { total.load(ordering: .relaxed) }

    func add(_ number: Int) {
      count.add(number, ordering: .relaxed)
      if number > 0 { total.add(number, ordering: .relaxed) }
    }
  }

  /// The source that was made last.
  private final class Latest: Sendable {
    let results = Mutex<SectionedResults<Song>?>(nil)
  }

  /// Makes feeds of the songs of each artist.
  private func makeFeeds(
    of store: Store, _ clock: ManualClock, _ leases: LeaseCount = LeaseCount()
  ) throws -> SongFeeds {
    makeFeeds(of: try store.family(of: Song.request, by: \.artist), clock, leases)
  }

  private func makeFeeds(
    of songs: ResultsFamily<String, Song>, _ clock: ManualClock, _ leases: LeaseCount
  ) -> SongFeeds {
    SongFeeds(lingering: .seconds(30), clock: clock) { artist in
      let mine = try songs.results(for: artist)
      try await mine.load()
      return .init(of: mine, keeping: Lease(leases))
    }
  }

  private func fresh(_ artist: String, in store: Store) async throws -> [Song] {
    let request = Song.request.filter { $0.artist == artist }
    return try await store.read { try $0.fetchAll(request) }
  }

  private func songs(of client: SongClient) -> [Song]? {
    client.contents?.sections.flatMap { $0.rows.map(\.item) }
  }

  @Test func aFeedIsMadeWithTheFirstClientAndLetGoOfAfterTheLast() async throws {
    try await StorageKind.memory.withSongs(30) { store, _ in
      let (clock, leases) = (ManualClock(), LeaseCount())
      let feeds = try makeFeeds(of: store, clock, leases)
      #expect(feeds.values.isEmpty)
      var position: FeedPosition?
      do {
        var (client, iterator) = (
          SongClient(), try await feeds.events(of: "1").makeAsyncIterator()
        )
        let other = try await feeds.events(of: "1")
        #expect(feeds.clientCount(of: "1") == 2)
        #expect(leases.made == 1)
        while client.contents == nil { try client.take(#require(await iterator.next())) }
        let expected = try await fresh("1", in: store)
        #expect(songs(of: client) == expected)
        position = client.position?.handedBack
        withExtendedLifetime(other) {}
      }
      #expect(feeds.clientCount(of: "1") == 0)
      #expect(feeds.values == ["1"])
      // Who comes back in time finds the feed that was there.
      #expect(try await comesTrue { clock.sleeperCount == 1 })
      clock.advance(by: .seconds(29))
      do {
        var iterator = try await feeds.events(of: "1", after: position).makeAsyncIterator()
        try await store.write { try $0.execute("UPDATE song SET title = 'x' WHERE artist = '1'") }
        #expect(await iterator.next()?.kind == .changes)
        #expect(try await comesTrue { clock.sleeperCount == 0 })
        clock.advance(by: .seconds(60))
        #expect(feeds.values == ["1"])
        withExtendedLifetime(iterator) {}
      }
      #expect(try await comesTrue { clock.sleeperCount == 1 })
      clock.advance(by: .seconds(30))
      #expect(try await comesTrue { feeds.values.isEmpty && leases.now == 0 })
      // And who comes too late gets another one.
      var iterator = try await feeds.events(of: "1", after: position).makeAsyncIterator()
      #expect(await iterator.next()?.kind == .reset)
      #expect(leases.made == 2)
    }
  }

  @Test func withoutLingeringAFeedGoesWithItsLastClient() async throws {
    try await StorageKind.memory.withSongs(3) { store, _ in
      let songs = try store.family(of: Song.request, by: \.artist)
      let feeds = SongFeeds(lingering: .zero, clock: ManualClock()) { artist in
        let mine = try songs.results(for: artist)
        try await mine.load()
        return .init(of: mine)
      }
      do {
        let events = try await feeds.events(of: "1")
        #expect(feeds.values == ["1"])
        withExtendedLifetime(events) {}
      }
      #expect(feeds.values.isEmpty)
      #expect(try await comesTrue { songs.values.isEmpty })
    }
  }

  @Test func clientsThatComeTogetherShareWhatIsMade() async throws {
    try await StorageKind.file.withSongs(20) { store, _ in
      let (clock, leases) = (ManualClock(), LeaseCount())
      let feeds = try makeFeeds(of: store, clock, leases)
      let all = try await withThrowingTaskGroup(of: FeedEvents.self) { group in
        for _ in 0..<20 { group.addTask { try await feeds.events(of: "2") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(all.count == 20)
      #expect(leases.made == 1)
      #expect(feeds.clientCount(of: "2") == 20)
    }
  }

  @Test func whoIsRefusedMakesNothingAndErrorsDoNotStay() async throws {
    try await StorageKind.memory.withSongs(10) { store, _ in
      let attempts = LeaseCount()
      let songs = try store.family(of: Song.request, by: \.artist)
      let shape = FeedShape<Int64, Song>()
      let feeds = FeedFamily<String, SectionedResults<Song>, String>(
        clock: ManualClock(),
        authorize: { name, artist in
          guard name == "ada", artist != "5" else { throw Refused() }
          return shape
        },
        member: { artist in
          attempts.add(1)
          if attempts.made == 1 { throw StoreError(.busy, message: "a lock") }
          let mine = try songs.results(for: artist)
          try await mine.load()
          return .init(of: mine)
        })
      await #expect(throws: Refused.self) { _ = try await feeds.events(of: "1", for: "eve") }
      await #expect(throws: Refused.self) { _ = try await feeds.events(of: "5", for: "ada") }
      #expect(attempts.made == 0)
      await #expect(throws: StoreError.self) { _ = try await feeds.events(of: "1", for: "ada") }
      #expect(feeds.values.isEmpty)
      var iterator = try await feeds.events(of: "1", for: "ada").makeAsyncIterator()
      #expect(await iterator.next()?.kind == .reset)
      #expect(attempts.made == 2)
    }
  }

  /// As of a pool whose places are all taken: cancelling is all that ends it.
  private func waitingForEver(_ waits: LeaseCount, _ clock: ManualClock) -> SongFeeds {
    SongFeeds(lingering: .seconds(30), clock: clock) { _ in
      let wait = Lease(waits)
      let (nothing, continuation) = AsyncStream<Int>.makeStream()
      for await _ in nothing {}
      withExtendedLifetime((wait, continuation)) {}
      throw CancellationError()
    }
  }

  @Test func whoIsCancelledWaitsNoLongerAndThenNothingIsMade() async throws {
    let (clock, waits) = (ManualClock(), LeaseCount())
    let feeds = waitingForEver(waits, clock)
    let clients = (0..<3).map { _ in Task { _ = try await feeds.events(of: "1") } }
    #expect(try await comesTrue { feeds.clientCount(of: "1") == 3 && waits.now == 1 })
    for client in clients {
      client.cancel()
      await #expect(throws: CancellationError.self) { try await client.value }
    }
    #expect(try await comesTrue { feeds.clientCount(of: "1") == 0 && clock.sleeperCount == 1 })
    // Who comes back in time finds it under way.
    #expect(waits.now == 1)
    clock.advance(by: .seconds(30))
    #expect(try await comesTrue { feeds.values.isEmpty && waits.now == 0 })
    #expect(waits.made == 1)
  }

  @Test func finishingAndReleasingEndWhatIsBeingMade() async throws {
    let (clock, waits) = (ManualClock(), LeaseCount())
    let feeds = waitingForEver(waits, clock)
    let client = Task { _ = try await feeds.events(of: "1") }
    #expect(try await comesTrue { waits.now == 1 })
    feeds.finish()
    await #expect(throws: DataSourceError.self) { try await client.value }
    #expect(try await comesTrue { waits.now == 0 })
    do {
      let others = waitingForEver(waits, clock)
      let impatient = Task { _ = try await others.events(of: "1") }
      #expect(try await comesTrue { waits.now == 1 })
      impatient.cancel()
      await #expect(throws: CancellationError.self) { try await impatient.value }
    }
    #expect(try await comesTrue { waits.now == 0 })
  }

  /// Swift takes the two texts for equal, and SQLite does not.
  @Test func valuesThatLookTheSameHaveFeedsOfTheirOwn() async throws {
    try await StorageKind.memory.withSongs { store, _ in
      let artists = ["\u{E9}", "e\u{301}"]
      try await store.write { transaction in
        for (id, artist) in artists.enumerated() {
          try transaction.execute("INSERT INTO song VALUES (?, ?, 'x')", 500 + id, artist)
        }
      }
      let leases = LeaseCount()
      let feeds = try makeFeeds(of: store, ManualClock(), leases)
      for artist in artists {
        var (client, iterator) = (
          SongClient(), try await feeds.events(of: artist).makeAsyncIterator()
        )
        while client.contents == nil { try client.take(#require(await iterator.next())) }
        let expected = try await fresh(artist, in: store)
        #expect(expected.count == 1 && songs(of: client) == expected)
      }
      #expect(leases.made == 2)
      #expect(feeds.values.count == 2)
    }
  }

  @Test func aFeedThatEndedWithItsSourceIsMadeAnew() async throws {
    try await StorageKind.memory.withSongs(10) { store, _ in
      let family = try store.family(of: Song.request, by: \.artist)
      let latest = Latest()
      let feeds = SongFeeds(clock: ManualClock()) { artist in
        let mine = try family.results(for: artist)
        try await mine.load()
        latest.results.withLock { $0 = mine }
        return .init(of: mine)
      }
      var former = try await feeds.events(of: "2").makeAsyncIterator()
      latest.results.withLock { $0 }?.cancel()
      while await former.next() != nil {}
      var later = SongClient()
      var laterIterator = try await feeds.events(of: "2").makeAsyncIterator()
      try await store.write { try $0.execute("UPDATE song SET title = 'x'") }
      let version = try #require(latest.results.withLock { $0 }).version
      try await later.take(&laterIterator, to: version)
      let expected = try await fresh("2", in: store)
      #expect(songs(of: later) == expected)
    }
  }

  @Test func finishingEndsAllAndRefusesWhoComes() async throws {
    try await StorageKind.memory.withSongs(10) { store, _ in
      let leases = LeaseCount()
      let feeds = try makeFeeds(of: store, ManualClock(), leases)
      do {
        var clients = [SongClient(), SongClient()]
        let events = [try await feeds.events(of: "1"), try await feeds.events(of: "2")]
        feeds.finish()
        // They read what there is, and then the end.
        for (number, artist) in ["1", "2"].enumerated() {
          try await clients[number].take(all: events[number])
          let expected = try await fresh(artist, in: store)
          #expect(songs(of: clients[number]) == expected)
        }
      }
      #expect(try await comesTrue { leases.now == 0 })
      await #expect(throws: DataSourceError.self) { _ = try await feeds.events(of: "1") }
      #expect(leases.made == 2)
    }
  }

  /// Clients come, go and come back at random while random transactions are committed and time
  /// passes: what each of them has put together is a fresh fetch.
  @Test(arguments: SeededRandom.batches(debug: 40, release: 200, of: 10))
  func everyClientHasTheRowsOfItsValue(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      var random = SeededRandom(seed: seed)
      let kind: StorageKind = random.chance(0.2) ? .file : .memory
      try await kind.withSongs { store, _ in
        let (clock, leases) = (ManualClock(), LeaseCount())
        let family = try store.family(of: Song.request, by: \.artist)
        let feeds = makeFeeds(of: family, clock, leases)
        var transactions = Song.transactions(random.fork())
        var clients: [(artist: String, client: SongClient, iterator: FeedEvents.Iterator)] = []
        for _ in 0..<40 {
          switch Int.random(in: 0..<8, using: &random) {
          case 0, 1:
            let artist = ["a", "b", "c", "é"].randomElement(using: &random) ?? "a"
            clients.append(
              (artist, SongClient(), try await feeds.events(of: artist).makeAsyncIterator()))
          case 2:
            guard let number = clients.indices.randomElement(using: &random) else { continue }
            let gone = clients.remove(at: number)
            guard random.chance(0.5) else { continue }
            let position = gone.client.position?.handedBack
            let events = try await feeds.events(of: gone.artist, after: position)
            clients.append((gone.artist, gone.client, events.makeAsyncIterator()))
          case 3: clock.advance(by: .seconds(Int.random(in: 1...40, using: &random)))
          case 4:
            guard let number = clients.indices.randomElement(using: &random) else { continue }
            let artist = clients[number].artist
            var (client, iterator) = (clients[number].client, clients[number].iterator)
            let version = try family.results(for: artist).version
            try await client.take(&iterator, to: version)
            clients[number] = (artist, client, iterator)
          default:
            let steps = transactions.next()
            try await store.write { try RandomTransactions.run(steps, in: $0) }
          }
        }
        // A last change, which reaches everybody who is there.
        try await store.write { transaction in
          for (id, artist) in [(101, "a"), (102, "b"), (103, "c"), (104, "é")] {
            try transaction.execute("INSERT INTO song VALUES (?, ?, 'last')", id, artist)
          }
        }
        for entry in clients {
          var (client, iterator) = (entry.client, entry.iterator)
          let expected = try await fresh(entry.artist, in: store)
          while songs(of: client)?.contains(where: { $0.title == "last" }) != true {
            guard let event = await iterator.next() else {
              Issue.record("seed \(seed): the events of \(entry.artist) end")
              return
            }
            try client.take(event)
          }
          #expect(songs(of: client) == expected, "seed \(seed): \(entry.artist)")
        }
        clients = []
        while !feeds.values.isEmpty {
          clock.advance(by: .seconds(30))
          await Task.yield()
        }
        #expect(try await comesTrue { leases.now == 0 }, "seed \(seed)")
      }
    }
  }
}
