import SectileCore
import SectileFeed
import SectileStore
import Synchronization
import Testing

/// Clients that are slower than the source.
@Suite(.timeLimit(.minutes(60))) struct SlowClientTests {
  private typealias SongFeed = Feed<SectionedResults<Song>, Void>

  /// Each row is one transaction.
  private static func write(_ range: Range<Int>, _ word: String = "", to store: Store) throws {
    for number in range {
      try store.write {
        try $0.execute(
          "INSERT OR REPLACE INTO song VALUES (?, 'z', ?)", number % 50, "\(number)\(word)")
      }
    }
  }

  @Test(arguments: StorageKind.allCases)
  func whatASlowClientMissedIsMergedIntoOne(kind: StorageKind) async throws {
    try await kind.withSongs(20) { store, results in
      let feed = SongFeed(of: results)
      // A second client, which is fast, so that everything was appended when the first one asks.
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await fast.take(&fastIterator, to: results.version)
      var (client, iterator) = (
        SongClient(), try await feed.events(buffering: .coalescing(beyond: 5)).makeAsyncIterator()
      )
      try await client.take(&iterator, to: results.version)
      let count = client.kinds.count
      try Self.write(0..<100, to: store)
      try await fast.take(&fastIterator, to: results.version)
      try await client.take(&iterator, to: results.version)
      #expect(client.kinds.count == count + 1)
      #expect(client.kinds.last == .changes)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(fast.contents == client.contents)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aSlowClientIsDroppedWhereThatIsTheChoice(kind: StorageKind) async throws {
    try await kind.withSongs(20) { store, results in
      let feed = SongFeed(of: results)
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      var (client, iterator) = (
        SongClient(), try await feed.events(buffering: .dropping(beyond: 5)).makeAsyncIterator()
      )
      try await client.take(&iterator, to: results.version)
      try Self.write(0..<5, to: store)
      try await fast.take(&fastIterator, to: results.version)
      try await client.take(&iterator, to: results.version)
      #expect(!client.kinds.contains(.dropped))
      try Self.write(5..<11, to: store)
      try await fast.take(&fastIterator, to: results.version)
      let event = try #require(await iterator.next())
      #expect(event.kind == .dropped)
      #expect(event.position == client.position)
      #expect(await iterator.next() == nil)
      // It comes back with what it had.
      iterator = try await feed.events(after: event.position).makeAsyncIterator()
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["joined"])
      #expect(try await client.contents == results.snapshot.materialized())
    }
  }

  /// What it missed while it was away is not its slowness: it is told that, and dropped only when
  /// it falls behind again.
  @Test(arguments: StorageKind.allCases, [64, 5])
  func aClientThatWasDroppedComesBack(kind: StorageKind, kept: Int) async throws {
    try await kind.withSongs(20) { store, results in
      let feed = SongFeed(of: results, configuration: FeedConfiguration(keptChangesets: kept))
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      // It follows the changesets: once it has them, the feed keeps them.
      try await fast.take(&fastIterator, to: results.version)
      var client = SongClient()
      for round in 0..<3 {
        var iterator = try await feed.events(
          after: client.position, buffering: .dropping(beyond: 5)
        ).makeAsyncIterator()
        try await client.take(&iterator, to: results.version)
        #expect(await client.contents == (try results.snapshot.materialized()))
        // One at a time is no reason to drop it.
        try Self.write(0..<1, "first \(round)", to: store)
        try await client.take(&iterator, to: results.version)
        try Self.write(0..<20, "then \(round)", to: store)
        try await fast.take(&fastIterator, to: results.version)
        let event = try #require(await iterator.next())
        try #require(event.kind == .dropped)
        try client.take(event)
        #expect(await iterator.next() == nil)
      }
      #expect(client.kinds.count(where: { $0 == .dropped }) == 3)
      #expect(client.reasons == ["joined"] + (kept == 64 ? [] : ["tooOld", "tooOld"]))
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aClientThatTakesItsTimeOverAllContentsIsNotDropped(kind: StorageKind) async throws {
    try await kind.withSongs(60) { store, results in
      let feed = SongFeed(of: results, configuration: FeedConfiguration(rowsPerPart: 10))
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      var client = SongClient()
      var iterator = try await feed.events(buffering: .dropping(beyond: 2)).makeAsyncIterator()
      while client.contents == nil {
        try client.take(try #require(await iterator.next()))
        try Self.write(0..<5, to: store)
        try await fast.take(&fastIterator, to: results.version)
      }
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["joined"])
      #expect(!client.kinds.contains(.dropped))
      #expect(client.contents == fast.contents)
    }
  }

  @Test(arguments: StorageKind.allCases)
  func aClientFarBehindGetsAReset(kind: StorageKind) async throws {
    try await kind.withSongs(20) { store, results in
      let feed = SongFeed(of: results, configuration: FeedConfiguration(keptChangesets: 10))
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      // It follows the changesets: once it has them, the feed keeps them.
      try await fast.take(&fastIterator, to: results.version)
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await client.take(&iterator, to: results.version)
      // One more, so that the client holds no contents any more.
      try Self.write(0..<1, to: store)
      try await client.take(&iterator, to: results.version)
      for number in 1..<30 {
        try Self.write(number..<(number + 1), to: store)
        // One by one: commits that the feed is told of together are one changeset of its ring.
        try await fast.take(&fastIterator, to: results.version)
      }
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["joined", "tooOld"])
      #expect(try await client.contents == results.snapshot.materialized())
    }
  }

  /// More is committed while it reads the contents than is kept: it gets the difference, not
  /// another reset.
  @Test(arguments: StorageKind.allCases)
  func aClientThatReadsAResetSlowlyGetsTheDifference(kind: StorageKind) async throws {
    try await kind.withSongs(200) { store, results in
      let feed = SongFeed(
        of: results, configuration: FeedConfiguration(keptChangesets: 4, rowsPerPart: 10))
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      try await fast.take(&fastIterator, to: results.version)
      var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      var number = 0
      while client.contents == nil {
        try client.take(try #require(await iterator.next()))
        try Self.write(number..<(number + 3), to: store)
        number += 3
        try await fast.take(&fastIterator, to: results.version)
      }
      try await client.take(&iterator, to: results.version)
      #expect(client.reasons == ["joined"])
      #expect(client.kinds.last == .changes)
      #expect(try await client.contents == results.snapshot.materialized())
      #expect(fast.contents == client.contents)
      try Self.write(0..<1, to: store)
      try await client.take(&iterator, to: results.version)
      #expect(try await client.contents == results.snapshot.materialized())
    }
  }
}
