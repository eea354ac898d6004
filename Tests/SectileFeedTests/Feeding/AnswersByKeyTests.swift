import SectileCore
import SectileDataSources
import SectileFeed
import SectileTestSupport
import Synchronization
import Testing

/// Clients that come back to another process, with a place in the log of changes.
@Suite(.timeLimit(.minutes(60))) struct AnswersByKeyTests {
  private typealias SongFeed = Feed<LoggedSource, Void>

  private static func feed(
    of source: LoggedSource,
    _ configuration: FeedConfiguration = FeedConfiguration(answersByKey: true)
  ) -> SongFeed { SongFeed(of: source, configuration: configuration) }

  /// Returns a log of some songs, and a client that was told of them by a process that ended.
  private static func clientOfAnotherProcess() async throws -> (LoggedSongs, SongClient) {
    let log = LoggedSongs()
    var random = SeededRandom(seed: 3)
    for _ in 0..<20 { log.commit(&random) }
    let source = LoggedSource(log)
    var client = SongClient()
    var iterator = try await feed(of: source).events().makeAsyncIterator()
    try await client.take(&iterator, to: source.version)
    log.detach()
    return (log, client)
  }

  /// Has a client come back, and take in what it is told up to what the source shows.
  private static func take(
    _ client: inout SongClient, from source: LoggedSource,
    _ configuration: FeedConfiguration = FeedConfiguration(answersByKey: true)
  ) async throws {
    let feed = feed(of: source, configuration)
    var iterator = try await feed.events(after: client.position?.handedBack).makeAsyncIterator()
    repeat {
      try client.take(#require(await iterator.next()))
    } while client.contents?.sections != source.snapshot.contents.sections
  }

  @Test func aClientOfAnotherProcessIsToldWhatBecameOfRows() async throws {
    var (log, client) = try await Self.clientOfAnotherProcess()
    log.commit([1: nil, 2: Song(id: 2, artist: "new"), 77: nil])
    log.commit([3: Song(id: 3, artist: "b", title: "other")])
    let source = LoggedSource(log)
    let feed = Self.feed(of: source)
    var iterator = try await feed.events(after: client.position?.handedBack).makeAsyncIterator()
    let event = try #require(await iterator.next())
    try client.take(event)
    #expect(event.kind == .keyed)
    #expect(client.contents == source.snapshot.contents)
    #expect(client.reasons == ["joined"])
    // It goes on with changesets.
    log.commit([4: Song(id: 4, artist: "b")])
    try client.take(#require(await iterator.next()))
    #expect(client.kinds.last == .changes)
    #expect(client.contents == source.snapshot.contents)
    // And comes back to this process, and to a third one.
    let again = try await feed.events(after: client.position?.handedBack)
    log.commit([4: nil])
    iterator = again.makeAsyncIterator()
    try client.take(#require(await iterator.next()))
    #expect(client.kinds.last == .changes)
    log.detach()
    log.commit([5: nil])
    let third = LoggedSource(log)
    try await Self.take(&client, from: third)
    #expect(client.kinds.last == .keyed)
    #expect(client.reasons == ["joined"])
  }

  @Test func nothingThatHappenedIsAnAnswerToo() async throws {
    var (log, client) = try await Self.clientOfAnotherProcess()
    let source = LoggedSource(log)
    var iterator = try await Self.feed(of: source).events(after: client.position?.handedBack)
      .makeAsyncIterator()
    try client.take(#require(await iterator.next()))
    #expect(client.kinds.last == .keyed)
    #expect(client.contents == source.snapshot.contents)
  }

  @Test func byDefaultAClientOfAnotherProcessGetsAReset() async throws {
    var (log, client) = try await Self.clientOfAnotherProcess()
    let source = LoggedSource(log)
    try await Self.take(&client, from: source, FeedConfiguration())
    // What it had is what there is: it is told all the same that it stands nowhere.
    #expect(client.reasons == ["joined", "restarted"])
    #expect(!client.kinds.contains(.keyed))
    #expect(source.asked.value == 0)
    #expect(!FeedConfiguration().answersByKey)
  }

  /// What becomes of the log, or of the request, and why the client gets all contents.
  @Test(arguments: [
    ResetReason.otherStore, .otherEpoch, .pruned, .ahead, .rewritten, .otherRequest, .notByKey,
    .tooMany, .noLog,
  ])
  func whatCannotBeToldIsAResetWithItsReason(reason: ResetReason) async throws {
    var (log, client) = try await Self.clientOfAnotherProcess()
    var configuration = FeedConfiguration(answersByKey: true)
    var source: LoggedSource?
    switch reason {
    case .otherStore:
      log = LoggedSongs(store: 2)
      log.commit([1: Song(id: 1)])
    case .otherEpoch: log.renewLog()
    case .pruned:
      log.commit([1: Song(id: 1)])
      log.prune()
    case .ahead: log.restore()
    case .rewritten:
      log.restore()
      log.commit([9: Song(id: 9, artist: "z")])
    case .otherRequest: source = LoggedSource(log, request: 2)
    case .notByKey: source = LoggedSource(log, refusing: .notByKey("It has a limit."))
    case .tooMany:
      configuration.rowsPerPart = 1
      log.commit(Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, Song(id: $0)) }))
    default: source = LoggedSource(log, hasLog: false)
    }
    let shown = source ?? LoggedSource(log)
    try await Self.take(&client, from: shown, configuration)
    #expect(client.reasons.last == reason.name)
    #expect(client.reasons.count == 2)
    #expect(!client.kinds.contains(.keyed))
    #expect(client.contents == shown.snapshot.contents)
  }

  @Test func aSourceThatKnowsNoLogAnswersByAReset() async throws {
    let client = try await Self.clientOfAnotherProcess().1
    let array = ArrayDataSource(name: "songs", items: [Song(id: 1)]) { song in
      SourceSection(identity: .text(song.artist), title: song.artist)
    }
    array.load()
    let feed = Feed<_, Void>(of: array, configuration: FeedConfiguration(answersByKey: true))
    var (other, iterator) = (
      SongClient(), try await feed.events(after: client.position).makeAsyncIterator()
    )
    try await other.take(&iterator, to: array.version)
    #expect(other.reasons == ["noLog"])
    #expect(other.position?.log == nil)
  }

  @Test func aLogThatCannotBeReadIsToldAndAnsweredByAReset() async throws {
    var (log, client) = try await Self.clientOfAnotherProcess()
    let had = client.position
    let source = LoggedSource(log, isBroken: true)
    var iterator = try await Self.feed(of: source).events(after: had).makeAsyncIterator()
    let event = try #require(await iterator.next())
    try client.take(event)
    #expect(event.kind == .failed)
    #expect(event.position == had)
    #expect(event.error is LoggedSource.Unreadable)
    while client.kinds.last != .complete { try client.take(#require(await iterator.next())) }
    #expect(client.reasons == ["joined", "unreadable"])
    #expect(client.contents == source.snapshot.contents)
  }

  @Test func aPositionOfAnotherShapeIsForeign() async throws {
    var (log, client) = try await Self.clientOfAnotherProcess()
    let source = LoggedSource(log)
    let shape = FeedShape<Int64, Song>("other")
    let feed = Feed(of: source, configuration: FeedConfiguration(answersByKey: true)) { (_: Int) in
      shape
    }
    var iterator = try await feed.events(for: 1, after: client.position).makeAsyncIterator()
    client = SongClient()
    try await client.take(&iterator, to: source.version)
    #expect(client.reasons == ["foreign"])
    #expect(source.asked.value == 0)
  }

  /// A position says which request it is of, and never that of contents that were shown before.
  @Test func anotherRequestIsInPositionsFromItsContentsOn() async throws {
    let log = LoggedSongs()
    log.commit([1: Song(id: 1)])
    let source = LoggedSource(log)
    let feed = Self.feed(of: source)
    var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
    try await client.take(&iterator, to: source.version)
    let first = try #require(client.position)
    #expect(first.log?.request == 1)
    // Clients are told the versions before after the request has changed.
    log.commit([1: nil])
    log.commit([2: Song(id: 2)])
    source.change(request: 2)
    try client.take(#require(await iterator.next()))
    #expect(client.position?.log == nil)
    try client.take(#require(await iterator.next()))
    #expect(client.position?.log?.request == 2)
    // In this process, positions from before are good.
    iterator = try await feed.events(after: first.handedBack).makeAsyncIterator()
    #expect(await iterator.next()?.kind == .changes)
    // In another one of the first request, those from after are not.
    log.detach()
    let other = LoggedSource(log)
    try await Self.take(&client, from: other)
    #expect(client.reasons == ["joined", "otherRequest"])
  }

  /// All that were connected when a process ended come back with one position.
  @Test func clientsThatComeBackTogetherShareTheAnswer() async throws {
    let (log, client) = try await Self.clientOfAnotherProcess()
    log.commit([1: Song(id: 1, artist: "one"), 2: nil])
    let source = LoggedSource(log)
    let encoded = Counter()
    let shape = FeedShape<Int64, Song>("whole") { song in
      encoded.increment()
      return song
    }
    let feed = Feed(of: source, configuration: FeedConfiguration(answersByKey: true)) { (_: Int) in
      shape
    }
    let clients = try await withThrowingTaskGroup(of: SongClient.self) { group in
      for number in 0..<50 {
        group.addTask {
          var client = client
          var iterator = try await feed.events(for: number, after: client.position)
            .makeAsyncIterator()
          try client.take(#require(await iterator.next()))
          return client
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for client in clients { #expect(client.contents == source.snapshot.contents) }
    #expect(source.asked.value == 1)
    #expect(encoded.value == 1)
  }

  /// What a slow client missed is not kept: with a log it is no reset either.
  @Test(arguments: [true, false])
  func aClientFarBehindIsToldByKeyWhereItMay(answersByKey: Bool) async throws {
    let log = LoggedSongs()
    let source = LoggedSource(log)
    let feed = Self.feed(
      of: source, FeedConfiguration(keptChangesets: 4, answersByKey: answersByKey))
    var (fast, fastIterator) = (SongClient(), try await feed.events().makeAsyncIterator())
    // It follows the changesets: once it has them, the feed keeps them.
    try await fast.take(&fastIterator, to: source.version)
    var (client, iterator) = (SongClient(), try await feed.events().makeAsyncIterator())
    try await client.take(&iterator, to: source.version)
    // One more, so that the client holds no contents any more.
    log.commit([1: Song(id: 1)])
    try await client.take(&iterator, to: source.version)
    let position = client.position
    for number in 2..<30 {
      log.commit([Int64(number): Song(id: Int64(number))])
      // One by one: commits that the feed is told of together are one changeset of its ring.
      try await fast.take(&fastIterator, to: source.version)
    }
    let before = client.kinds.count
    try await client.take(&iterator, to: source.version)
    #expect(client.contents == source.snapshot.contents)
    #expect(client.kinds[before] == (answersByKey ? .keyed : .reset))
    #expect(client.reasons == (answersByKey ? ["joined"] : ["joined", "tooOld"]))
    // The same for one that comes back too late.
    iterator = try await feed.events(after: position?.handedBack).makeAsyncIterator()
    #expect(await iterator.next()?.kind == (answersByKey ? .keyed : .reset))
  }

  /// Clients of several processes, one after the other, with commits at any time: what a client
  /// shows is always what was there after some commit, and in the end what is there.
  @Test(arguments: 1...6)
  func clientsOfSeveralProcessesEndEqual(seed: UInt64) async throws {
    let log = LoggedSongs()
    var random = SeededRandom(seed: seed)
    var clients = Array(repeating: SongClient(), count: 8)
    for process in 0..<5 {
      for _ in 0..<Int.random(in: 0..<8, using: &random) { log.commit(&random) }
      let source = LoggedSource(log)
      let feed = Self.feed(
        of: source,
        FeedConfiguration(keptChangesets: 6, rowsPerPart: 40, answersByKey: true))
      clients = try await withThrowingTaskGroup(of: SongClient.self) { group in
        for (number, client) in clients.enumerated() {
          let seed = seed * 1000 + UInt64(process * 10 + number)
          group.addTask { try await Self.follow(feed, log, client, seed) }
        }
        for _ in 0..<40 {
          log.commit(&random)
          for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
        }
        log.detach()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for client in clients {
        #expect(client.contents == source.snapshot.contents, "seed \(seed)")
        // The places of the last versions are noted only: who is told of an older one, and falls
        // further behind, gets everything.
        #expect(client.reasons.allSatisfy { ["joined", "tooOld"].contains($0) }, "seed \(seed)")
      }
    }
    #expect(clients.contains { $0.kinds.contains(.keyed) })
  }

  /// Follows to the end, cut off now and then.
  private static func follow(
    _ feed: SongFeed, _ log: LoggedSongs, _ client: SongClient, _ seed: UInt64
  ) async throws -> SongClient {
    var (client, random) = (client, SeededRandom(seed: seed))
    let limit = Int.random(in: 1...4, using: &random)
    for turn in 0..<4 {
      let events = try await feed.events(
        after: client.position?.handedBack, buffering: .coalescing(beyond: limit))
      var rest = turn == 3 ? Int.max : Int.random(in: 1..<8, using: &random)
      for await event in events {
        let isJoining = client.contents == nil
        try client.take(event)
        if let contents = client.contents {
          let sequence = try #require(contents.logSequence)
          #expect(contents.sections == log.sections(after: sequence), "seed \(seed)")
          // A place never promises more than what the client has.
          if let place = client.position?.log?.place { #expect(place.sequence <= sequence) }
        }
        rest -= 1
        if rest <= 0, !isJoining { break }
        if random.chance(0.3) { await Task.yield() }
      }
    }
    return client
  }
}
