import SectileCore
import SectileDataSources
import SectileFeed
import SectileStore
import SectileTestHelpers
import SectileTestSupport
import Testing

/// What clients without items keep, folded from what they are told, is the structure of the source
/// after each step, whenever they are cut off and come back.
@Suite(.timeLimit(.minutes(60))) struct StructuralReplayTests {
  private static let titles = Aggregate.count(\Song.title)

  /// Clients of one feed that are slow, cut off, and come back.
  private struct Followers<Source: DataSource> where Source.ItemID == Int64 {
    let source: Source
    let feed: Feed<Source, Void>
    var clients = Array(repeating: StructuralClient<Int64>(), count: 6)
    private var iterators: [FeedEvents.Iterator?] = Array(repeating: nil, count: 6)

    init(of source: Source) {
      self.source = source
      let shape = FeedShape<Int64, Source.Item>.structural()
      feed = Feed(
        of: source, configuration: FeedConfiguration(keptChangesets: 6, rowsPerPart: 2)
      ) { _ in shape }
    }

    private func connect(_ number: Int) async throws -> FeedEvents.Iterator {
      if let iterator = iterators[number] { return iterator }
      return try await feed.events(
        after: clients[number].position?.handedBack, buffering: .coalescing(beyond: 3)
      ).makeAsyncIterator()
    }

    mutating func step(_ random: inout SeededRandom, _ seed: UInt64) async throws {
      for number in clients.indices {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: break
        case 1: iterators[number] = nil
        case 2:
          // It is cut off anywhere, also in the middle of a reset.
          var iterator = try await connect(number)
          for _ in 0..<Int.random(in: 1...3, using: &random)
          where clients[number].version != source.version {
            try clients[number].take(#require(await iterator.next()))
          }
          iterators[number] = nil
        default: try await catchUp(number, seed)
        }
      }
    }

    mutating func catchUp(_ number: Int, _ seed: UInt64) async throws {
      var iterator = try await connect(number)
      try await clients[number].take(&iterator, to: source.version)
      iterators[number] = iterator
      let difference = clients[number].difference(from: source.snapshot)
      #expect(difference == nil, "seed \(seed), client \(number)")
    }
  }

  @Test(arguments: StorageKind.allCases, [1, 2, 3, 4])
  func whatClientsKeepIsTheStructure(kind: StorageKind, seed: UInt64) async throws {
    try await kind.withSongs(12) { store, _ in
      // Aggregates change of sections and of all rows.
      let results = try store.results(of: Song.request.aggregating(Self.titles))
      try await results.load()
      // Headers that tell counts change with the rows, and have to be told as well.
      let titled = results.mapSections(counting: { section, count in
        SourceSection(identity: section.identity, title: "\(section.title): \(count)")
      })
      titled.load()
      // The fullest first: sections move.
      let sorted = results.sortedSections(by: { _, count in count }, .descending)
      sorted.load()
      var random = SeededRandom(seed: seed)
      var transactions = Song.transactions(SeededRandom(seed: seed + 50))
      var (plain, counted) = (Followers(of: results), Followers(of: titled))
      var fullest = Followers(of: sorted)
      for _ in 0..<60 {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          let steps = transactions.next()
          try await store.write { try RandomTransactions.run(steps, in: $0) }
        }
        try await plain.step(&random, seed)
        try await counted.step(&random, seed)
        try await fullest.step(&random, seed)
      }
      for number in 0..<6 {
        try await plain.catchUp(number, seed)
        try await counted.catchUp(number, seed)
        try await fullest.catchUp(number, seed)
      }
      let clients = plain.clients + counted.clients + fullest.clients
      #expect(clients.contains { $0.knownCount > 0 })
      #expect(clients.contains { !$0.aggregates.isEmpty })
      #expect(fullest.clients.contains { $0.sectionMoveCount > 0 })
      #expect(clients.contains { $0.reasons.contains("tooOld") })
      #expect(clients.contains { $0.kinds.contains(.changes) })
      #expect(!clients.contains { $0.kinds.contains(.rows) })
    }
  }

  /// A process ends, and another one says what became of rows: without items, and without reading
  /// any.
  @Test func anotherProcessAnswersByKey() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let shape = FeedShape<Int64, Song>.structural()
    let configuration = FeedConfiguration(answersByKey: true)
    var client = StructuralClient<Int64>()
    var store = try await Store.open(at: path, migrations: .none)
    try await store.write { transaction in
      try transaction.execute(Song.table)
      try transaction.insert(contentsOf: (0..<500).map { Song(id: $0, artist: "\($0 % 7)") })
    }
    try store.changeLog.enable()
    var results = try store.results(of: Song.request)
    try await results.load()
    var feed = Feed<_, Void>(of: results, configuration: configuration) { _ in shape }
    var iterator = try await feed.events().makeAsyncIterator()
    try await client.take(&iterator, to: results.version)
    try await store.write { try $0.execute("DELETE FROM song WHERE id % 100 = 1") }
    try await store.write { try $0.execute("UPDATE song SET artist = 'new' WHERE id % 100 = 2") }
    try await store.close()

    let recorder = StatementRecorder()
    store = try await Store.open(at: path, configuration: recorder.configuration, migrations: .none)
    results = try store.results(of: Song.request)
    try await results.load()
    feed = Feed(of: results, configuration: configuration) { _ in shape }
    iterator = try await feed.events(after: client.position?.handedBack).makeAsyncIterator()
    let activity = try await recorder.activity(of: store, on: "song") {
      try client.take(#require(await iterator.next()))
    }
    #expect(client.kinds.last == .keyed)
    #expect(client.reasons == ["joined"])
    #expect(client.difference(from: results.snapshot) == nil)
    #expect(client.knownCount == 5)
    #expect(activity.itemCount == 0)
    // It goes on with changesets.
    try await store.write { try $0.execute("UPDATE song SET artist = 'z' WHERE id = 3") }
    try client.take(#require(await iterator.next()))
    #expect(client.kinds.last == .changes)
    #expect(client.difference(from: results.snapshot) == nil)
    try await store.close()
  }

  /// Clients of several processes, with commits at any time, by seed.
  @Test(arguments: 1...4) func clientsOfSeveralProcessesEndEqual(seed: UInt64) async throws {
    let log = LoggedSongs()
    var random = SeededRandom(seed: seed)
    var clients = Array(repeating: StructuralClient<Int64>(), count: 4)
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 0..<8, using: &random) { log.commit(&random) }
      let source = LoggedSource(log)
      let shape = FeedShape<Int64, Song>.structural()
      let feed = Feed<_, Void>(
        of: source,
        configuration: FeedConfiguration(keptChangesets: 6, rowsPerPart: 40, answersByKey: true)
      ) { _ in shape }
      for number in clients.indices {
        var iterator = try await feed.events(after: clients[number].position?.handedBack)
          .makeAsyncIterator()
        for _ in 0..<Int.random(in: 1..<8, using: &random) {
          repeat {
            try clients[number].take(#require(await iterator.next()))
          } while clients[number].version != source.version
          #expect(clients[number].difference(from: source.snapshot) == nil, "seed \(seed)")
          log.commit(&random)
        }
      }
      log.detach()
    }
    #expect(clients.allSatisfy { $0.kinds.contains(.keyed) })
  }
}
