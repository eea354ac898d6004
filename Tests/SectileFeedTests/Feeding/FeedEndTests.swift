import SectileCore
import SectileDataSources
import SectileFeed
import SectileStore
import SectileTestSupport
import Synchronization
import Testing

/// Refusals, shapes, failures, and ends.
@Suite(.timeLimit(.minutes(60))) struct FeedEndTests {
  private typealias SongFeed = Feed<SectionedResults<Song>, Void>

  private struct Refused: Error, Equatable {}

  @Test func whoMayNotReadIsRefused() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let shape = FeedShape<Int64, Song>()
      let feed = Feed(of: results) { (name: String) in
        guard name == "ada" else { throw Refused() }
        return shape
      }
      await #expect(throws: Refused.self) { try await feed.events(for: "eve") }
      var iterator = try await feed.events(for: "ada").makeAsyncIterator()
      #expect(await iterator.next()?.kind == .reset)
    }
  }

  /// A function that makes results and their feed, and returns the feed.
  @Test func aClientIsToldThatNobodyHasKeptTheSource() async throws {
    try await StorageKind.memory.withSongs(3) { store, _ in
      func makeFeed() async throws -> SongFeed {
        let results = try store.results(of: Song.request)
        try await results.load()
        return SongFeed(of: results)
      }
      let feed = try await makeFeed()
      var iterator = try await feed.events().makeAsyncIterator()
      let event = try #require(await iterator.next())
      #expect(event.kind == .failed)
      #expect((event.error as? DataSourceError)?.code == .sourceReleased)
      #expect(String(decoding: event.json, as: UTF8.self).contains("\"code\":\"sourceReleased\""))
      #expect(await iterator.next() == nil)
    }
  }

  private struct Title: Codable, Hashable {
    let title: String?
  }

  @Test(arguments: StorageKind.allCases)
  func everyClientSeesItsShape(kind: StorageKind) async throws {
    try await kind.withSongs(30) { store, results in
      let whole = FeedShape<Int64, Song>("whole")
      let titles = FeedShape<Int64, Song>("title") { Title(title: $0.title) }
      let feed = Feed(of: results) { (isGuest: Bool) in isGuest ? titles : whole }
      var (owner, ownerIterator) = (
        SongClient(), try await feed.events(for: false).makeAsyncIterator()
      )
      var (guest, iterator) = (
        FeedClient<Int64, Title>(), try await feed.events(for: true).makeAsyncIterator()
      )
      for number in 0..<3 {
        try await store.write {
          try $0.execute("UPDATE song SET title = ?, artist = 'secret' WHERE id = 3", "\(number)")
        }
        try await owner.take(&ownerIterator, to: results.version)
        while guest.contents?.version != results.version {
          let event = try #require(await iterator.next())
          #expect(!String(decoding: event.json, as: UTF8.self).contains("\"artist\""))
          try guest.take(event)
        }
        let contents = try await results.snapshot.materialized()
        #expect(owner.contents == contents)
        let shown = guest.contents?.sections.map { $0.rows.map(\.item.title) }
        #expect(shown == contents.sections.map { $0.rows.map(\.item.title) })
      }
    }
  }

  @Test func shapesOfOneNameShareNothing() async throws {
    try await StorageKind.memory.withSongs(5) { store, results in
      let feed = Feed(of: results) { (name: String) in
        FeedShape<Int64, Song>("mine") { "\(name) sees \($0.title ?? "")" }
      }
      var iterators = [
        try await feed.events(for: "ada").makeAsyncIterator(),
        try await feed.events(for: "eve").makeAsyncIterator(),
      ]
      try await store.write { try $0.execute("UPDATE song SET title = 'new'") }
      for (number, name) in ["ada", "eve"].enumerated() {
        var client = FeedClient<Int64, String>()
        try await client.take(&iterators[number], to: results.version)
        let items = client.contents?.sections.flatMap { $0.rows.map(\.item) } ?? []
        #expect(items == Array(repeating: "\(name) sees new", count: 5))
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func cancellingTheSourceEndsAllAfterWhatWasTold(kind: StorageKind) async throws {
    try await kind.withSongs(10) { store, results in
      let feed = SongFeed(of: results)
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      try await store.write { try $0.execute("DELETE FROM song WHERE id = 2") }
      results.cancel()
      while let event = await iterator.next() { try client.take(event) }
      #expect(try await client.contents == results.snapshot.materialized())
      // Who comes later sees the contents, and the end.
      var late = SongClient()
      try await late.take(all: feed.events())
      #expect(try await late.contents == results.snapshot.materialized())
    }
  }

  @Test func releasingTheSourceEndsAll() async throws {
    let store = try Store.inMemory()
    try await store.write { try $0.execute(Song.table) }
    var results: SectionedResults<Song>? = try store.results(of: Song.request)
    try await results?.load()
    let feed = SongFeed(of: try #require(results))
    var iterator = try await feed.events().makeAsyncIterator()
    #expect(await iterator.next()?.kind == .reset)
    #expect(await iterator.next()?.kind == .complete)
    results = nil
    #expect(await iterator.next() == nil)
    // Who comes later is told why there is nothing.
    var late = try await feed.events().makeAsyncIterator()
    #expect(await late.next()?.kind == .failed)
    #expect(await late.next() == nil)
    try await store.close()
  }

  @Test(arguments: StorageKind.allCases)
  func closingTheStoreEndsAll(kind: StorageKind) async throws {
    try await kind.withSongs(300) { store, results in
      let feed = SongFeed(of: results, configuration: FeedConfiguration(rowsPerPart: 10))
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      // Another one is in the middle of a reset: nothing more can be read for it.
      var (other, otherIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      for _ in 0..<3 { try other.take(try #require(await otherIterator.next())) }
      try await store.close()
      #expect(await iterator.next() == nil)
      while let event = await otherIterator.next() { try other.take(event) }
      #expect(other.contents == nil || other.contents == client.contents)
    }
  }

  /// Of results that were loaded, and of others; a feed that is made afterwards, too.
  @Test(arguments: StorageKind.allCases, [true, false])
  func feedsOfAClosedStoreEnd(kind: StorageKind, isLoaded: Bool) async throws {
    try await kind.withSongs(3) { store, loaded in
      let results = isLoaded ? loaded : try store.results(of: Song.request)
      let early = SongFeed(of: results)
      var iterator = try await early.events().makeAsyncIterator()
      try await store.close()
      let late = SongFeed(of: results)
      for feed in [early, late] {
        for await event in try await feed.events() { #expect(event.kind != .dropped) }
      }
      while await iterator.next() != nil {}
    }
  }

  @Test func finishingAndReleasingTheFeedEndAll() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      var feed: SongFeed? = SongFeed(of: results)
      var (client, iterator) = (
        SongClient(), try #require(try await feed?.events()).makeAsyncIterator()
      )
      try await client.take(&iterator, to: results.version)
      feed = nil
      #expect(await iterator.next() == nil)
      let other = SongFeed(of: results)
      iterator = try await other.events().makeAsyncIterator()
      other.finish()
      var late = SongClient()
      while let event = await iterator.next() { try late.take(event) }
      #expect(late.contents == client.contents)
    }
  }

  @Test func cancellingATaskEndsItsSequence() async throws {
    try await StorageKind.memory.withSongs(100) { store, results in
      let feed = SongFeed(of: results, configuration: FeedConfiguration(rowsPerPart: 5))
      let events = try await feed.events()
      let seen = Atomic<Int>(0)
      // In the middle of a reset.
      let reset = Task {
        for await _ in events where seen.wrappingAdd(1, ordering: .relaxed).newValue == 3 {
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await reset.value
      #expect(seen.load(ordering: .relaxed) == 3)
      // Waiting for changes.
      let waits = Atomic<Bool>(false)
      let waiting = Task {
        for await event in events where event.kind == .complete {
          waits.store(true, ordering: .relaxed)
        }
      }
      while !waits.load(ordering: .relaxed) { await Task.yield() }
      waiting.cancel()
      await waiting.value
      // The others go on.
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await store.write { try $0.execute("DELETE FROM song WHERE id < 50") }
      try await client.take(&iterator, to: results.version)
      #expect(client.contents?.count == 50)
    }
  }

  private func failToLoad(_ results: SectionedResults<Song>, in store: Store) async throws {
    try await store.write { try $0.execute("ALTER TABLE song RENAME TO gone") }
    await #expect(throws: StoreError.self) { try await results.load() }
  }

  @Test func failuresAreToldAndTheFeedGoesOn() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let feed = SongFeed(of: results)
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      try await failToLoad(results, in: store)
      let event = try #require(await iterator.next())
      try client.take(event)
      #expect(event.kind == .failed)
      #expect(event.error != nil)
      #expect(client.codes.count == 1)
      // The text of an error names tables and files.
      #expect(!String(decoding: event.json, as: UTF8.self).contains("song"))
      try await store.write { transaction in
        try transaction.execute("ALTER TABLE gone RENAME TO song")
        try transaction.execute("DELETE FROM song WHERE id = 1")
      }
      try await results.load()
      try await client.take(&iterator, to: results.version)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(client.reasons == ["joined"])
      #expect(client.kinds.suffix(3) == [.failed, .recovered, .changes])
    }
  }

  /// A client learns that a failure is over also where nothing changed meanwhile; one that comes
  /// while the source fails is told so, and one that comes later is not.
  @Test func theEndOfAFailureIsTold() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let feed = SongFeed(of: results)
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      try await failToLoad(results, in: store)
      try client.take(#require(await iterator.next()))
      var late = try await feed.events(after: client.position).makeAsyncIterator()
      #expect(await late.next()?.kind == .failed)
      var new = try await feed.events().makeAsyncIterator()
      // Its rows cannot be read, either.
      for kind in [FeedEvent.Kind.reset, .failed, .failed] {
        #expect(await new.next()?.kind == kind)
      }
      try await store.write { try $0.execute("ALTER TABLE gone RENAME TO song") }
      try await results.load()
      let event = try #require(await iterator.next())
      try client.take(event)
      #expect(event.kind == .recovered)
      #expect(event.position == client.position)
      #expect(await late.next()?.kind == .recovered)
      for kind in [FeedEvent.Kind.reset, .rows, .complete] {
        #expect(await new.next()?.kind == kind)
      }
      // One that is over when somebody reads of it is told with its end, or not at all.
      try await failToLoad(results, in: store)
      try await store.write { try $0.execute("ALTER TABLE gone RENAME TO song") }
      try await results.load()
      try await store.write { try $0.execute("DELETE FROM song WHERE id = 1") }
      var kinds: [FeedEvent.Kind] = []
      while kinds.last != .changes { kinds.append(try #require(await iterator.next()).kind) }
      #expect(kinds == [.changes] || kinds == [.failed, .recovered, .changes])
    }
  }

  /// By results and by what is composed of them, by a commit and by a load, with changes and
  /// without; what one of two inputs has got over is not over where the other one fails.
  @Test func theEndOfAFailureIsToldThroughACompositionToo() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let other = try store.results(of: Song.request.limit(100))
      let list = results.filter { $0.id > 1 }.concatenated(with: other.filter { $0.id == 1 })
      let recorder = ChangeRecorder<AnyItemID, Song>()
      list.delegate = recorder
      list.load()
      for (sql, count) in [("", 0), ("UPDATE song SET title = 'x' WHERE id = 2", 1)] {
        try await store.write { try $0.execute("ALTER TABLE song RENAME TO gone") }
        #expect(!recorder.errors.isEmpty)
        recorder.reset()
        try await store.write { try $0.execute("ALTER TABLE gone RENAME TO song; \(sql)") }
        // What the commit changes in both inputs, and that they are well again, is one load.
        #expect(recorder.events.count == 2 + count)
        #expect(recorder.changesets.count == count && recorder.errors.isEmpty)
      }
      // Of two that fail one has got over it.
      results.cancel()
      other.cancel()
      try await store.write { try $0.execute("ALTER TABLE song RENAME TO gone") }
      list.load()
      #expect(recorder.errors.count == 1)
      try await store.write { try $0.execute("ALTER TABLE gone RENAME TO song") }
      recorder.reset()
      try await results.load()
      #expect(recorder.events.isEmpty)
      try await other.load()
      #expect(recorder.events.count == 2 && recorder.errors.isEmpty)
      try recorder.check(against: list)
    }
  }

  @Test func whatCannotBeEncodedIsToldAndAnsweredByAReset() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let isBroken = Atomic<Bool>(false)
      let shape = FeedShape<Int64, Song>("fragile") { song in
        if isBroken.load(ordering: .relaxed) { throw Refused() }
        return song
      }
      let feed = Feed(of: results) { (_: Int) in shape }
      var (client, iterator) = (SongClient(), try await feed.events(for: 1).makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      isBroken.store(true, ordering: .relaxed)
      try await store.write { try $0.execute("UPDATE song SET title = 'x'") }
      // The changeset, and then the contents.
      try client.take(try #require(await iterator.next()))
      #expect(client.codes == ["unknown"])
      try client.take(try #require(await iterator.next()))
      try client.take(try #require(await iterator.next()))
      #expect(client.kinds.suffix(2) == [.reset, .failed])
      isBroken.store(false, ordering: .relaxed)
      try await store.write { try $0.execute("UPDATE song SET title = 'y'") }
      try await client.take(&iterator, to: results.version)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(client.reasons == ["joined", "unreadable", "unreadable"])
    }
  }

  @Test func clientsShareWhatComesAfterWhatCannotBeEncoded() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let isBroken = Atomic(false)
      let encoded = Atomic(0)
      let shape = FeedShape<Int64, Song>("fragile") { song in
        if isBroken.exchange(false, ordering: .relaxed) { throw Refused() }
        encoded.wrappingAdd(1, ordering: .relaxed)
        return song
      }
      let feed = Feed(of: results) { (_: Int) in shape }
      var clients: [(client: SongClient, iterator: FeedEvents.Iterator)] = []
      for number in 0..<5 {
        var client = SongClient()
        var iterator = try await feed.events(for: number).makeAsyncIterator()
        try await client.take(&iterator, to: results.version)
        clients.append((client, iterator))
      }
      isBroken.store(true, ordering: .relaxed)
      try await store.write { try $0.execute("UPDATE song SET title = 'x'") }
      encoded.store(0, ordering: .relaxed)
      // In step, as clients are that come together: the failure, the reset, its rows and its end.
      for kind in [FeedEvent.Kind.failed, .reset, .rows, .complete] {
        for number in clients.indices {
          let event = try #require(await clients[number].iterator.next())
          #expect(event.kind == kind)
          try clients[number].client.take(event)
        }
      }
      #expect(encoded.load(ordering: .relaxed) == 3)
      let contents = try await results.snapshot.materialized()
      for (client, _) in clients { #expect(client.contents == contents) }
    }
  }
}
