import SectileCore
import SectileFeed
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Synchronization
import Testing

/// Clients that are asked about again, while their streams are open.
@Suite(.timeLimit(.minutes(60))) struct FeedAuthorizationTests {
  private typealias SongFeed = Feed<SectionedResults<Song>, String>

  /// Who is allowed, and how often that was asked.
  private final class Rights: Sendable {
    struct Unknown: Error {}

    private let state = Mutex<(isAllowed: Bool?, questions: Int)>((true, 0))

    var questions: Int { state.withLock { $0.questions } }

    /// Nil where nobody can say.
    func set(_ isAllowed: Bool?) { state.withLock { $0.isAllowed = isAllowed } }

    func ask() throws -> Bool {
      let answer = state.withLock { state in
        state.questions += 1
        return state.isAllowed
      }
      guard let answer else { throw Unknown() }
      return answer
    }
  }

  private static func feed(of results: SectionedResults<Song>) -> SongFeed {
    let shape = FeedShape<Int64, Song>()
    return SongFeed(of: results) { _ in shape }
  }

  private static func write(_ title: String, to store: Store) async throws {
    try await store.write { try $0.execute("UPDATE song SET title = ? WHERE id = 0", title) }
  }

  private static let refused =
    "event: refused\ndata: {\"format\":2,\"reason\":\"unauthorized\"}\n\n"

  @Test func aClientIsAskedAboutWithAnEventAndNotTooOften() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let (feed, rights, clock) = (Self.feed(of: results), Rights(), ManualClock())
      let client = AnswerReader(
        try await feed.response(for: "ada", options: FeedResponseTests.options(clock)) {
          try rights.ask()
        })
      #expect(try await comesTrue { client.names.last == "complete" })
      try await Self.write("first", to: store)
      #expect(try await comesTrue { client.text.contains("first") })
      #expect(rights.questions == 0)
      // Time alone is no reason to ask.
      clock.advance(by: .seconds(31))
      #expect(rights.questions == 0)
      try await Self.write("second", to: store)
      #expect(try await comesTrue { client.text.contains("second") })
      #expect(rights.questions == 1)
      try await Self.write("third", to: store)
      #expect(try await comesTrue { client.text.contains("third") })
      #expect(rights.questions == 1)
      feed.finish()
    }
  }

  @Test func whoIsNotAllowedAnyMoreIsToldThatAndNothingElse() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let (feed, rights, clock) = (Self.feed(of: results), Rights(), ManualClock())
      let client = AnswerReader(
        try await feed.response(for: "ada", options: FeedResponseTests.options(clock)) {
          try rights.ask()
        })
      #expect(try await comesTrue { client.names.last == "complete" })
      let position = client.messages.last?.lastEventID
      rights.set(false)
      clock.advance(by: .seconds(30))
      try await Self.write("secret", to: store)
      #expect(try await comesTrue { client.hasEnded })
      #expect(client.text.hasSuffix(Self.refused))
      #expect(!client.text.contains("secret"))
      #expect(client.messages.last?.lastEventID == position)
      #expect(
        try await comesTrue {
          feed.streamStatistics.refusedStreams == 1 && feed.streamStatistics.openStreams == 0
        })
    }
  }

  @Test func aRecheckAsksAtOnceAboutThoseItConcerns() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let feed = Self.feed(of: results)
      let (ada, eve) = (Rights(), Rights())
      let options = FeedResponseTests.options(ManualClock())
      let first = AnswerReader(
        try await feed.response(for: "ada", options: options) { try ada.ask() })
      let second = AnswerReader(
        try await feed.response(for: "eve", options: options) { try eve.ask() })
      for client in [first, second] {
        #expect(try await comesTrue { client.names.last == "complete" })
      }
      feed.recheckAuthorization(of: "ada")
      #expect(try await comesTrue { ada.questions == 1 })
      eve.set(false)
      feed.recheckAuthorization { $0 == "eve" }
      try await Self.write("news", to: store)
      #expect(try await comesTrue { second.hasEnded })
      #expect(second.text.hasSuffix(Self.refused) && !second.text.contains("news"))
      #expect(try await comesTrue { first.text.contains("news") })
      #expect(ada.questions == 1 && eve.questions == 1)
      feed.recheckAuthorization()
      #expect(try await comesTrue { ada.questions == 2 })
      feed.finish()
    }
  }

  /// Between the moment in which a client is let in and its stream, too.
  @Test func aRecheckIsNotMissedByAStreamThatBeginsLater() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let (feed, rights) = (Self.feed(of: results), Rights())
      let answer = try await feed.response(
        for: "ada", options: FeedResponseTests.options(ManualClock())
      ) { try rights.ask() }
      rights.set(false)
      feed.recheckAuthorization()
      let client = AnswerReader(answer)
      #expect(try await comesTrue { client.hasEnded })
      #expect(client.text == Self.refused)
    }
  }

  @Test func whereNobodyCanSayTheStreamEndsWithoutAWord() async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let (feed, rights) = (Self.feed(of: results), Rights())
      let client = AnswerReader(
        try await feed.response(
          for: "ada", options: FeedResponseTests.options(ManualClock())
        ) { try rights.ask() })
      #expect(try await comesTrue { client.names.last == "complete" })
      rights.set(nil)
      feed.recheckAuthorization()
      try await Self.write("secret", to: store)
      #expect(try await comesTrue { client.hasEnded })
      #expect(client.names.last == "complete")
      #expect(feed.streamStatistics.refusedStreams == 0)
    }
  }

  /// A client that does not read cannot hold up the end of its answer.
  @Test func whereNobodyCanSayTheEndIsWaitedForAsAnyWrite() async throws {
    try await StorageKind.memory.withSongs(3) { _, results in
      let (feed, rights, clock) = (Self.feed(of: results), Rights(), ManualClock())
      let answer = try await feed.response(
        for: "ada", options: FeedResponseTests.options(clock, writeTimeout: .seconds(30))
      ) { try rights.ask() }
      let (chunks, ends) = (Counter(), Counter())
      let writing = Task {
        try await answer.write { _ in
          chunks.increment()
        } finishing: {
          ends.increment()
          // It ends when its task is cancelled.
          try await clock.sleep(for: .seconds(1_000_000_000))
        }
      }
      #expect(try await comesTrue { chunks.value > 0 })
      rights.set(nil)
      feed.recheckAuthorization()
      #expect(try await comesTrue { ends.value == 1 })
      #expect(
        try await comesTrue {
          clock.advance(by: .seconds(1))
          return feed.streamStatistics.stalledStreams == 1
        })
      await #expect(throws: CancellationError.self) { try await writing.value }
    }
  }

  /// Without a closure the feed's own is asked again: what it throws, or a shape of another name,
  /// ends the stream, and the client has to be let in anew.
  @Test(arguments: [false, true])
  func theFeedAsksItselfAgain(isShapeOther: Bool) async throws {
    try await StorageKind.memory.withSongs(3) { store, results in
      let rights = Rights()
      let (whole, guest) = (FeedShape<Int64, Song>("whole"), FeedShape<Int64, Song>("guest"))
      let feed = SongFeed(of: results) { _ in try rights.ask() ? whole : guest }
      let client = AnswerReader(
        try await feed.response(for: "ada", options: FeedResponseTests.options(ManualClock())))
      #expect(try await comesTrue { client.names.last == "complete" })
      feed.recheckAuthorization()
      #expect(try await comesTrue { rights.questions == 2 })
      try await Self.write("news", to: store)
      #expect(try await comesTrue { client.text.contains("news") })
      rights.set(isShapeOther ? false : nil)
      feed.recheckAuthorization()
      try await Self.write("secret", to: store)
      #expect(try await comesTrue { client.hasEnded })
      #expect(client.names.last == "changes" && !client.text.contains("secret"))
    }
  }
}
