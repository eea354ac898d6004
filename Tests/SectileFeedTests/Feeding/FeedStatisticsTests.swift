import SectileCore
import SectileFeed
import SectileStore
import SectileTestHelpers
import Testing

/// Who reads a feed is counted.
@Suite(.timeLimit(.minutes(60))) struct FeedStatisticsTests {
  private typealias SongFeed = Feed<SectionedResults<Song>, Void>

  private static func write(_ number: Int, to store: Store) async throws {
    try await store.write {
      try $0.execute("INSERT OR REPLACE INTO song VALUES (?, 'z', ?)", number, "\(number)")
    }
  }

  @Test func clientsCountUntilTheyAreReleased() async throws {
    try await StorageKind.file.withSongs(20) { store, results in
      let feed = SongFeed(of: results)
      #expect(feed.statistics.clientCount == 0)
      let events = try await feed.events()
      // Nobody reads it yet.
      #expect(feed.statistics.clientCount == 0)
      let client = Task { for await _ in events {} }
      #expect(
        try await comesTrue {
          feed.statistics.clientCount == 1 && feed.statistics.behindCount == 0
        })
      do {
        let idle = events.makeAsyncIterator()
        #expect(feed.statistics.clientCount == 2)
        // It has not got the contents yet.
        #expect(feed.statistics.behindCount == 1)
        withExtendedLifetime(idle) {}
      }
      #expect(try await comesTrue { feed.statistics.clientCount == 1 })
      try await Self.write(1, to: store)
      #expect(
        try await comesTrue {
          feed.statistics.keptByteCount > 0 && feed.statistics.behindCount == 0
        })
      #expect(feed.statistics.keptByteCount == feed.keptBytes)
      client.cancel()
      await client.value
      #expect(try await comesTrue { feed.statistics.clientCount == 0 })
    }
  }

  @Test func clientsThatAreDroppedAreCounted() async throws {
    try await StorageKind.file.withSongs(20) { store, results in
      let feed = SongFeed(of: results)
      // A second client, which is fast, so that everything was appended when the first one asks.
      var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
      var iterator = try await feed.events(buffering: .dropping(beyond: 2)).makeAsyncIterator()
      var client = SongClient()
      try await client.take(&iterator, to: results.version)
      // It catches up once: what happened before that is not its slowness.
      try await Self.write(0, to: store)
      try await client.take(&iterator, to: results.version)
      for number in 1..<10 { try await Self.write(number, to: store) }
      try await fast.take(&fastIterator, to: results.version)
      while let event = await iterator.next(), event.kind != .dropped {}
      #expect(feed.statistics.droppedCount == 1)
      #expect(await iterator.next() == nil)
    }
  }
}
