import SectileCore
import SectileDataSources
import SectileFeed
import SectileStore
import SectileTestSupport
import Testing

/// A source and its clients: what they are told adds up to its contents.
@Suite(.timeLimit(.minutes(60))) struct FeedTests {
  private static func write(_ number: Int, to store: Store) throws {
    try store.write {
      try $0.execute("INSERT OR REPLACE INTO song VALUES (?, 'z', ?)", number % 50, "\(number)")
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aClientThatJoinsGetsTheContentsAndWhatFollows(kind: StorageKind) async throws {
    try await kind.withSongs(1234) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(rowsPerPart: 100))
      var iterator = try await feed.events().makeAsyncIterator()
      var client = SongClient()
      try await client.take(&iterator, to: results.version)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(client.kinds.count { $0 == .rows } == 13)
      #expect(client.reasons == ["joined"])
      for number in 0..<5 {
        try Self.write(number, to: store)
        try await client.take(&iterator, to: results.version)
        #expect(try await client.contents == results.snapshot.materialized())
      }
      #expect(client.kinds.suffix(5).allSatisfy { $0 == .changes })
    }
  }

  /// It is told at once that there is nothing, and then what comes.
  @Test(arguments: StorageKind.allCases)
  func aClientOfASourceThatIsNotLoadedSeesItLoad(kind: StorageKind) async throws {
    try await kind.withSongs(30) { store, _ in
      let results = try store.results(of: Song.request)
      let feed = Feed<SectionedResults<Song>, Void>(of: results)
      var iterator = try await feed.events().makeAsyncIterator()
      var client = SongClient()
      try await client.take(&iterator, to: results.version)
      #expect(client.kinds == [.reset, .complete])
      #expect(client.contents?.count == 0)
      try await results.load()
      try await client.take(&iterator, to: results.version)
      #expect(client.contents?.count == 30)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(client.reasons == ["joined"])
    }
  }

  @Test(arguments: StorageKind.allCases, [1, 2, 3])
  func clientsThatComeAndGoBesideTransactionsEndEqual(kind: StorageKind, seed: UInt64) async throws
  {
    try await kind.withSongs { store, results in
      let configuration = FeedConfiguration(keptChangesets: 12, rowsPerPart: 3)
      let feed = Feed<SectionedResults<Song>, Void>(of: results, configuration: configuration)
      let clients = try await withThrowingTaskGroup(of: SongClient.self) { group in
        for number in 0..<20 {
          group.addTask {
            var random = SeededRandom(seed: seed * 100 + UInt64(number))
            var client = SongClient()
            let limit = Int.random(in: 1...20, using: &random)
            // It is cut off now and then, also in the middle of a reset, and comes back.
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
              var rest = Int.random(in: 1..<12, using: &random)
              for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
              let events = try await feed.events(
                after: client.position?.handedBack, buffering: .coalescing(beyond: limit))
              for await event in events {
                try client.take(event)
                rest -= 1
                if rest == 0 { break }
                if random.chance(0.3) { await Task.yield() }
              }
            }
            try await client.take(
              all: feed.events(
                after: client.position?.handedBack, buffering: .coalescing(beyond: limit)))
            return client
          }
        }
        var transactions = Song.transactions(SeededRandom(seed: seed))
        for _ in 0..<120 {
          let steps = transactions.next()
          try await store.write { try RandomTransactions.run(steps, in: $0) }
          await Task.yield()
        }
        results.cancel()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let contents = try await results.snapshot.materialized()
      let fresh = try await store.read { try $0.fetchAll(Song.request) }
      #expect(contents.sections.flatMap { $0.rows.map(\.item) } == fresh)
      for client in clients {
        #expect(client.contents?.sections == contents.sections, "seed \(seed)")
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aClientThatComesBackGetsWhatItMissed(kind: StorageKind) async throws {
    try await kind.withSongs(20) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(of: results)
      var client = SongClient()
      var iterator = try await feed.events().makeAsyncIterator()
      try await client.take(&iterator, to: results.version)
      for number in 0..<7 { try Self.write(number, to: store) }
      iterator = try await feed.events(after: client.position?.handedBack).makeAsyncIterator()
      try await client.take(&iterator, to: results.version)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(client.reasons == ["joined"])
      #expect(client.kinds.suffix(7).allSatisfy { $0 == .changes })
      // Nothing missed: nothing told, until there is something.
      iterator = try await feed.events(after: client.position?.handedBack).makeAsyncIterator()
      try Self.write(8, to: store)
      try client.take(try #require(await iterator.next()))
      #expect(client.kinds.last == .changes)
      #expect(try await client.contents == results.snapshot.materialized())
    }
  }

  @Test func positionsOfOthersAreAnsweredByAReset() async throws {
    try await StorageKind.memory.withSongs(20) { store, results in
      let shapes = ["whole", "title"].map { FeedShape<Int64, Song>($0) }
      let feed = Feed(of: results) { (number: Int) in shapes[number] }
      let other = Feed<SectionedResults<Song>, Void>(of: results)
      func first(_ events: FeedEvents) async throws -> SongClient {
        var (client, iterator) = (SongClient(), events.makeAsyncIterator())
        try await client.take(&iterator, to: results.version)
        return client
      }
      let position = try #require(try await first(feed.events(for: 0)).position)
      // Another feed has another epoch, as another process has; another shape shows something else.
      #expect(try await first(other.events(after: position)).reasons == ["foreign"])
      #expect(try await first(feed.events(for: 1, after: position)).reasons == ["foreign"])
      let nonsense = try await feed.events(for: 0, after: FeedPosition("nonsense"))
      #expect(try await first(nonsense).reasons == ["joined"])
      #expect(try await first(feed.events(for: 0)).contents == results.snapshot.materialized())
    }
  }

  @Test func aPositionThatIsTooOldIsAnsweredByAReset() async throws {
    try await StorageKind.memory.withSongs(20) { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(keptChangesets: 3))
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      let position = client.position?.handedBack
      for number in 0..<4 {
        try Self.write(number, to: store)
        // One by one: commits that the feed is told of together are one changeset of its ring.
        try await client.take(&iterator, to: results.version)
      }
      iterator = try await feed.events(after: position).makeAsyncIterator()
      client = SongClient()
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["tooOld"])
      #expect(try await client.contents == results.snapshot.materialized())
    }
  }

  @Test(arguments: StorageKind.allCases)
  func whatIsTheSameForAllIsEncodedOnce(kind: StorageKind) async throws {
    try await kind.withSongs(10) { store, results in
      let encoded = Counter()
      let shape = FeedShape<Int64, Song>("counted") { song in
        encoded.increment()
        return song
      }
      let feed = Feed(of: results) { (_: Int) in shape }
      let version = results.version
      let clientCount = 1000
      let joined = Counter()
      try await withThrowingTaskGroup(of: SongClient.self) { group in
        for number in 0..<clientCount {
          let events = try await feed.events(for: number)
          group.addTask {
            var (client, iterator) = (SongClient(), events.makeAsyncIterator())
            try await client.take(&iterator, to: version)
            joined.increment()
            try await client.take(&iterator, to: version + 20)
            return client
          }
        }
        while joined.value < clientCount { await Task.yield() }
        encoded.reset()
        for number in 0..<20 { try Self.write(number + 100, to: store) }
        let contents = try await results.snapshot.materialized()
        for try await client in group { #expect(client.contents == contents) }
      }
      // One row in each changeset. Those that were slow share what was merged for them.
      #expect(encoded.value >= 20)
      #expect(encoded.value <= 20 + 8 * 20 * 20)
      // None of the slow: exactly once.
      let (before, count) = (encoded.value, 1000)
      var iterators: [FeedEvents.Iterator] = []
      for number in 0..<count {
        var iterator = try await feed.events(for: number).makeAsyncIterator()
        var client = SongClient()
        if number == 0 {
          try await client.take(&iterator, to: results.version)
        } else {
          while let event = await iterator.next(), event.kind != .complete {}
        }
        iterators.append(iterator)
      }
      let resetCost = encoded.value - before
      try Self.write(7, to: store)
      for number in iterators.indices {
        let event = await iterators[number].next()
        #expect(event?.kind == .changes)
      }
      #expect(encoded.value - before - resetCost == 1)
    }
  }

  /// Whatever there is room for, all get the same; where there is room, it is encoded once.
  @Test(arguments: StorageKind.allCases, [1, 4_000, 1_000_000])
  func clientsThatJoinTogetherShareTheContents(kind: StorageKind, room: Int) async throws {
    try await kind.withSongs(300) { store, results in
      let encoded = Counter()
      let shape = FeedShape<Int64, Song>("counted") { song in
        encoded.increment()
        return song
      }
      let feed = Feed(
        of: results, configuration: FeedConfiguration(rowsPerPart: 10, resetBytes: room)
      ) { (_: Int) in shape }
      var iterators: [FeedEvents.Iterator] = []
      for number in 0..<50 {
        var iterator = try await feed.events(for: number).makeAsyncIterator()
        #expect(await iterator.next()?.kind == .reset)
        iterators.append(iterator)
      }
      let contents = try await results.snapshot.materialized()
      for number in iterators.indices {
        var client = SongClient()
        var last = try await feed.events(for: number).makeAsyncIterator()
        try await client.take(&last, to: results.version)
        #expect(client.contents == contents)
      }
      // Their readers are at the beginning yet, and hold what was read.
      var events: [[[UInt8]]] = []
      for number in iterators.indices {
        var told: [[UInt8]] = []
        while let event = await iterators[number].next(), event.kind == .rows {
          told.append(event.json)
        }
        events.append(told)
      }
      #expect(Set(events).count == 1)
      #expect(room < 1_000_000 ? encoded.value > 300 : encoded.value == 300)
    }
  }

  @Test func whatIsKeptIsWithinTheCap() async throws {
    try await StorageKind.memory.withSongs { store, results in
      let feed = Feed<SectionedResults<Song>, Void>(
        of: results, configuration: FeedConfiguration(keptBytes: 20_000))
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      let position = client.position
      for number in 0..<60 {
        try await store.write { transaction in
          for id in 0..<10 {
            let title = String(repeating: "\(number)", count: 20)
            try transaction.execute("INSERT OR REPLACE INTO song VALUES (?, 'a', ?)", id, title)
          }
        }
        try await client.take(&iterator, to: results.version)
        #expect(feed.keptBytes <= 20_000)
      }
      #expect(feed.keptBytes > 5_000)
      #expect(client.reasons == ["joined"])
      // The oldest went: who had that position begins anew.
      iterator = try await feed.events(after: position).makeAsyncIterator()
      let event = try #require(await iterator.next())
      #expect(event.kind == .reset)
      // What is larger than all is not kept; clients get the contents.
      try await store.write { transaction in
        try transaction.insert(contentsOf: (1000..<2000).map { Song(id: $0) })
      }
      iterator = try await feed.events(after: client.position).makeAsyncIterator()
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["joined", "tooOld"])
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(feed.keptBytes <= 20_000)
    }
  }

  @Test func sourcesWithoutADatabaseAreFed() async throws {
    let songs = (1...5).map { Song(id: $0, artist: $0 < 3 ? "a" : "b") }
    let array = ArrayDataSource(name: "songs", items: songs) { song in
      SourceSection(identity: .text(song.artist), title: song.artist)
    }
    let feed = Feed<_, Void>(of: array)
    var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
    for _ in 0..<2 { try client.take(try #require(await iterator.next())) }
    #expect(client.contents?.count == 0)
    array.load()
    try await client.take(&iterator, to: array.version)
    try array.remove(at: ItemPath(section: 0, item: 1))
    try await client.take(&iterator, to: array.version)
    #expect(try client.contents == array.snapshot.materialized())
    #expect(client.contents?.count == 4)
    #expect(client.reasons == ["joined"])
  }
}
