import SectileCore
import SectileFeed
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// Answers for any HTTP server: their beginning, their chunks, heartbeats, and their end.
@Suite(.timeLimit(.minutes(60))) struct FeedResponseTests {
  private typealias SongFeed = Feed<SectionedResults<Song>, Void>

  /// Options of a test that moves the time; only those that it sets cut anybody off.
  static func options(
    _ clock: ManualClock, writeTimeout: Duration = .seconds(1_000_000)
  ) -> FeedResponse.Options {
    var options = FeedResponse.Options(writeTimeout: writeTimeout)
    options.clock = clock
    return options
  }

  private static func write(_ title: String, to store: Store) async throws {
    try await store.write { try $0.execute("UPDATE song SET title = ? WHERE id = 0", title) }
  }

  @Test func anAnswerSaysWhatItIsAndBeginsWithTheHeartbeat() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let feed = SongFeed(of: results)
      let answer = try await feed.response(options: Self.options(ManualClock()))
      #expect(answer.status == 200)
      #expect(
        answer.headers.map { "\($0.name): \($0.value)" } == [
          "Content-Type: text/event-stream", "Cache-Control: no-store", "X-Accel-Buffering: no",
        ])
      #expect(feed.streamStatistics.openStreams == 0)
      let client = AnswerReader(answer)
      #expect(try await comesTrue { client.names.contains("complete") })
      #expect(
        client.text.hasPrefix(
          "retry: 2000\nevent: stream\ndata: {\"format\":2,\"heartbeat\":15.0}\n\nid: \n"))
      #expect(client.names == ["stream", "reset", "rows", "complete"])
      #expect(feed.streamStatistics.openStreams == 1)
      feed.finish()
      #expect(try await comesTrue { client.hasEnded && feed.streamStatistics.openStreams == 0 })
      #expect(feed.streamStatistics.stalledStreams == 0)
    }
  }

  @Test func aClientThatComesBackGoesOnWhereItWas() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let feed = SongFeed(of: results)
      let options = Self.options(ManualClock())
      let first = AnswerReader(try await feed.response(options: options))
      #expect(try await comesTrue { first.names.last == "complete" })
      let position = try #require(first.messages.last?.lastEventID)
      try await Self.write("missed", to: store)
      let second = AnswerReader(
        try await feed.response(lastEventID: position, options: options))
      #expect(try await comesTrue { second.names.count == 2 })
      #expect(second.names == ["stream", "changes"])
      #expect(second.text.contains("missed"))
      for nothing in ["", "nonsense", "\0", String(repeating: "A", count: 100_000)] {
        let third = AnswerReader(
          try await feed.response(lastEventID: nothing, options: options))
        #expect(try await comesTrue { third.names.last == "complete" })
        #expect(third.names.contains("reset"))
      }
      feed.finish()
    }
  }

  /// Neither a browser's `onmessage` nor a client that takes each empty line for a message reads
  /// anything else, and a heartbeat changes no position.
  @Test func heartbeatsAreEventsOfTheirOwn() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let feed = SongFeed(of: results)
      let clock = ManualClock()
      let client = AnswerReader(try await feed.response(options: Self.options(clock)))
      #expect(try await comesTrue { client.names.last == "complete" })
      #expect(
        try await comesTrue {
          clock.advance(by: .seconds(1))
          return client.names.count(where: { $0 == "heartbeat" }) >= 3
        })
      #expect(!client.names.contains("message"))
      #expect(client.messages.last?.lastEventID == client.messages[3].lastEventID)
      var decoder = LineByLineEventDecoder()
      decoder.read(client.text)
      #expect(decoder.messages.allSatisfy { !$0.event.isEmpty && !$0.data.isEmpty })
      // Not more often than it says: the clock stood at zero when it began.
      let count = client.names.count(where: { $0 == "heartbeat" })
      #expect(clock.now.offset >= .seconds(15) * count)
      feed.finish()
    }
  }

  @Test func aClientThatDoesNotReadIsCutOffAndCounted() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let feed = SongFeed(of: results)
      let clock = ManualClock()
      let answer = try await feed.response(
        options: Self.options(clock, writeTimeout: .seconds(30)))
      var iterator = answer.body.makeAsyncIterator()
      #expect(await iterator.next() != nil)
      clock.advance(by: .seconds(29))
      #expect(feed.streamStatistics.stalledStreams == 0)
      #expect(
        try await comesTrue {
          clock.advance(by: .seconds(1))
          return feed.streamStatistics.stalledStreams == 1
        })
      #expect(feed.streamStatistics.openStreams == 0)
      try await Self.write("late", to: store)
      #expect(await iterator.next() == nil)
      #expect(try await comesTrue { clock.sleeperCount == 0 })
    }
  }

  @Test func whoWritesToAClientThatDoesNotReadIsCancelled() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let feed = SongFeed(of: results)
      let clock = ManualClock()
      let answer = try await feed.response(
        options: Self.options(clock, writeTimeout: .seconds(30)))
      let begun = Counter()
      let writing = Task {
        try await answer.write { _ in
          begun.increment()
          // It ends when its task is cancelled.
          try await clock.sleep(for: .seconds(1_000_000_000))
        }
      }
      #expect(try await comesTrue { begun.value == 1 })
      #expect(
        try await comesTrue {
          clock.advance(by: .seconds(1))
          return feed.streamStatistics.stalledStreams == 1
        })
      await #expect(throws: CancellationError.self) { try await writing.value }
      #expect(begun.value == 1)
    }
  }

  /// A service that ends does not wait for half a minute.
  @Test func aFeedThatEndsWaitsForNobody() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let feed = SongFeed(of: results)
      let clock = ManualClock()
      let answer = try await feed.response(options: Self.options(clock))
      var iterator = answer.body.makeAsyncIterator()
      #expect(await iterator.next() != nil)
      feed.finish()
      #expect(
        try await comesTrue {
          clock.advance(by: .milliseconds(10))
          return feed.streamStatistics.stalledStreams == 1
        })
      #expect(await iterator.next() == nil)
      // And one that comes now is told what there is.
      let late = AnswerReader(try await feed.response(options: Self.options(clock)))
      #expect(try await comesTrue { late.hasEnded })
      #expect(late.names.last == "complete")
    }
  }

  @Test func whoeverWritesEndsTheAnswerAndWhoIsCancelledDoesNot() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let feed = SongFeed(of: results)
      let options = Self.options(ManualClock())
      let (chunks, ends) = (Counter(), Counter())
      func writing(_ answer: FeedResponse) -> Task<Void, any Error> {
        Task {
          try await answer.write { _ in
            chunks.increment()
          } finishing: {
            ends.increment()
          }
        }
      }
      let cancelled = writing(try await feed.response(options: options))
      #expect(try await comesTrue { chunks.value > 0 })
      cancelled.cancel()
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(ends.value == 0)
      #expect(feed.streamStatistics.openStreams == 0)
      let whole = writing(try await feed.response(options: options))
      #expect(try await comesTrue { feed.streamStatistics.openStreams == 1 })
      feed.finish()
      try await whole.value
      #expect(ends.value == 1)
      let statistics = feed.streamStatistics
      #expect(statistics.openStreams == 0 && statistics.stalledStreams == 0)
    }
  }

  @Test func aStreamThatWasReadToItsEndIsNotOpen() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let feed = SongFeed(of: results)
      let answer = try await feed.response(options: Self.options(ManualClock()))
      var iterator = answer.body.makeAsyncIterator()
      #expect(await iterator.next() != nil)
      feed.finish()
      while await iterator.next() != nil {}
      // Although somebody has the iterator still.
      #expect(feed.streamStatistics.openStreams == 0)
      #expect(await iterator.next() == nil)
    }
  }

  @Test func aFamilyAnswersForEachValue() async throws {
    try await StorageKind.memory.withSongs(30) { store, _ in
      let songs = try store.family(of: Song.request, by: \.artist)
      let feeds = FeedFamily<String, SectionedResults<Song>, Void>(lingering: .zero) { artist in
        let mine = try songs.results(for: artist)
        try await mine.load()
        return .init(of: mine)
      }
      let options = Self.options(ManualClock())
      let client = AnswerReader(try await feeds.response(of: "1", options: options))
      #expect(try await comesTrue { client.names.last == "complete" })
      #expect(feeds.clientCount(of: "1") == 1 && feeds.streamStatistics.openStreams == 1)
      try await store.write { try $0.execute("UPDATE song SET title = 'x' WHERE artist = '1'") }
      #expect(try await comesTrue { client.names.last == "changes" })
      feeds.finish()
      #expect(try await comesTrue { client.hasEnded && feeds.streamStatistics.openStreams == 0 })
    }
  }
}
