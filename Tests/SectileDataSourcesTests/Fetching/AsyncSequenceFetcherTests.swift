import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct AsyncSequenceFetcherTests {
  typealias Word = ManualFetcher.Word
  typealias Elements = AsyncThrowingStream<Word, any Error>

  /// Streams that a test feeds: one for each iteration.
  final class Feed: Sendable {
    private let continuations = Mutex<[Elements.Continuation]>([])
    let opened = AsyncStream<Void>.makeStream()

    func make() -> Elements {
      let (stream, continuation) = Elements.makeStream()
      continuations.withLock { $0.append(continuation) }
      opened.continuation.yield()
      return stream
    }

    /// Waits for the next iteration to begin.
    func next() async throws -> Elements.Continuation {
      var iterator = opened.stream.makeAsyncIterator()
      await iterator.next()
      return try #require(continuations.withLock { $0.last })
    }
  }

  static func source(_ feed: Feed) -> AsyncSequenceDataSource<Elements> {
    AsyncSequenceDataSource(name: "words") { feed.make() }
  }

  @Test func sourceKeepsThePromisesOfDataSource() async {
    let source = AsyncSequenceDataSource(name: "words") {
      Elements { continuation in
        for text in ["a", "b", "a=1"] { continuation.yield(Word(text[...])) }
        continuation.finish()
      }
    }
    #expect(await checkDataSource(source) == [])
  }

  @Test func eachArrivalIsVisibleAtOnce() async throws {
    let feed = Feed()
    let source = Self.source(feed)
    var changes = source.changesets.makeAsyncIterator()
    source.load()
    let elements = try await feed.next()
    for (number, text) in ["a", "b", "c"].enumerated() {
      elements.yield(Word(text[...]))
      let change = await changes.next()
      #expect(change?.inserts.map(\.id) == [text])
      #expect(source.numberOfItems == number + 1)
    }
    elements.yield(Word("b=7"))
    #expect(await changes.next()?.updates.map(\.id) == ["b"])
  }

  @Test func theEndOfTheSequenceIsTheEndOfTheLoad() async throws {
    for error in [nil, ManualFetcher.Broken()] {
      let feed = Feed()
      let source = Self.source(feed)
      let recorder = ChangeRecorder<String, Word>()
      if error != nil { recorder.allowFailures() }
      source.delegate = recorder
      source.load()
      let elements = try await feed.next()
      elements.yield(Word("a"))
      elements.finish(throwing: error)
      #expect(await recorder.waitForEnds(1))
      try recorder.check(against: source)
      #expect(recorder.errors.count == (error == nil ? 0 : 1))
      #expect(recorder.events.count == 3)
    }
  }

  @Test func cancellingEndsTheIteration() async throws {
    let feed = Feed()
    let source = Self.source(feed)
    let recorder = ChangeRecorder<String, Word>()
    source.delegate = recorder
    source.load()
    let elements = try await feed.next()
    let terminated = AsyncStream<Void>.makeStream()
    elements.onTermination = { _ in terminated.continuation.finish() }
    source.cancel()
    for await _ in terminated.stream {}
    elements.yield(Word("a"))
    #expect(recorder.events.count <= 1)
    #expect(source.numberOfItems == 0)
  }

  @Test func loadingAgainIteratesAnew() async throws {
    let feed = Feed()
    let source = Self.source(feed)
    let recorder = ChangeRecorder<String, Word>()
    source.delegate = recorder
    for words in [["a", "b"], ["b", "c"]] {
      recorder.reset()
      source.load()
      let elements = try await feed.next()
      for word in words { elements.yield(Word(word[...])) }
      elements.finish()
      #expect(await recorder.waitForEnds(1))
      try recorder.check(against: source)
      #expect(source.items.map(\.id) == words)
    }
    #expect(recorder.changesets.count == 1)
    #expect(recorder.changesets.first?.deletes.map(\.id) == ["a"])
  }
}
