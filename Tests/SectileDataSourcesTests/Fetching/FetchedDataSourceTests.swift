import SectileCore
import SectileDataSources
import SectileTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(60))) struct FetchedDataSourceTests {
  typealias Word = ManualFetcher.Word
  typealias Recorder = ChangeRecorder<String, Word>

  /// A source whose fetches a test conducts, and what its listeners hear.
  final class World {
    let fetcher = ManualFetcher()
    let source: FetchedDataSource<ManualFetcher>
    let recorder = Recorder()

    init(
      mode: FetchMode = .replacing, limit: FetchLimit = .failing(), keepsEmptySection: Bool = false
    ) {
      source = FetchedDataSource(
        name: "words", fetcher: fetcher, mode: mode, limit: limit,
        keepsEmptySection: keepsEmptySection)
      source.delegate = recorder
    }

    /// Begins a load, and waits until it fetches.
    func load() async throws -> ManualFetcher.Fetch {
      recorder.reset()
      source.load()
      return try #require(await fetcher.next())
    }

    /// Loads words in one batch.
    func load(_ words: String) async throws {
      let fetch = try await load()
      await fetch.send(words)
      fetch.finish()
      try await end()
    }

    func end() async throws {
      #expect(await recorder.waitForEnds(1))
      try recorder.check(against: source)
    }

    var shown: String {
      source.items.map { $0.grade == 0 ? $0.id : "\($0.id)=\($0.grade)" }.joined(separator: " ")
    }

    /// What was heard since the load began.
    var heard: [String] {
      recorder.events.map { event in
        switch event {
        case .willLoad: "will"
        case .didPartiallyLoad(let changes):
          "+\(changes.inserts.count) -\(changes.deletes.count) >\(changes.moves.count)"
            + " ~\(changes.updates.count)"
        case .didFinishLoading: "finished"
        case .didFail: "failed"
        }
      }
    }
  }

  @Test func sourceKeepsThePromisesOfDataSource() async {
    for batches in [[], [["a"]], [["a", "b"], ["c"], [], ["b"]]] {
      let fetcher = ClosureFetcher<Word> { receive in
        for batch in batches { try await receive(batch.map { Word($0[...]) }) }
      }
      for mode in [FetchMode.replacing, .adding] {
        let source = FetchedDataSource(name: "words", fetcher: fetcher, mode: mode)
        #expect(await checkDataSource(source) == [])
        let kept = FetchedDataSource(
          name: "words", fetcher: fetcher, mode: mode, keepsEmptySection: true)
        #expect(await checkDataSource(kept) == [])
      }
    }
  }

  // MARK: - Arriving

  @Test func batchesAreShownWhenTheyArrive() async throws {
    let world = World()
    let fetch = try await world.load()
    #expect(world.heard == ["will"])
    await fetch.send("a b")
    #expect(world.shown == "a b")
    await fetch.send("c")
    #expect(world.heard == ["will", "+2 -0 >0 ~0", "+1 -0 >0 ~0"])
    fetch.finish()
    try await world.end()
    #expect(world.heard.last == "finished")
  }

  @Test func itemThatArrivesAgainIsUpdatedWhereItIs() async throws {
    let world = World()
    let fetch = try await world.load()
    await fetch.send("a b c")
    await fetch.send("a=1 d b a=2")
    fetch.finish()
    try await world.end()
    #expect(world.shown == "a=2 b c d")
    #expect(world.heard[2] == "+1 -0 >0 ~1")
  }

  @Test func batchesOfSeveralTasksAreAllTaken() async throws {
    let fetcher = ClosureFetcher<Word> { receive in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask { for n in 0..<10 { try await receive([Word("\(task)-\(n)"[...])]) } }
        }
        try await group.waitForAll()
      }
    }
    let source = FetchedDataSource(name: "words", fetcher: fetcher)
    let recorder = Recorder()
    source.delegate = recorder
    source.load()
    #expect(await recorder.waitForEnds(1))
    try recorder.check(against: source)
    #expect(source.numberOfItems == 80)
  }

  // MARK: - Loading again

  @Test func reloadShowsTheDifferenceInTheEnd() async throws {
    let world = World()
    try await world.load("a b c")
    let fetch = try await world.load()
    await fetch.send("c a=1")
    await fetch.send("d")
    #expect(world.heard == ["will"])
    #expect(world.shown == "a b c")
    fetch.finish()
    try await world.end()
    #expect(world.shown == "c a=1 d")
    #expect(world.heard == ["will", "+1 -1 >1 ~0", "finished"])
  }

  @Test func reloadOfTheSameDeliversNoChange() async throws {
    let world = World()
    try await world.load("a b c")
    try await world.load("a b c")
    #expect(world.heard == ["will", "finished"])
  }

  @Test func addingUpdatesAndAppends() async throws {
    let world = World(mode: .adding)
    try await world.load("a b")
    let fetch = try await world.load()
    await fetch.send("c a=1")
    #expect(world.shown == "a=1 b c")
    fetch.finish()
    try await world.end()
  }

  @Test func callThatComesWhileLoadingJoins() async throws {
    let world = World()
    let fetch = try await world.load()
    world.source.load()
    await fetch.send("a")
    fetch.finish()
    try await world.end()
    #expect(world.heard == ["will", "+1 -0 >0 ~0", "finished"])
  }

  // MARK: - Failing

  @Test func failureIsDeliveredOnceAndWhatArrivedStays() async throws {
    let world = World()
    let fetch = try await world.load()
    await fetch.send("a b")
    world.recorder.allowFailures()
    fetch.fail()
    try await world.end()
    #expect(world.heard == ["will", "+2 -0 >0 ~0", "failed"])
    #expect(world.recorder.errors.first is ManualFetcher.Broken)
    // No load was complete: batches are shown at once, and what is gone goes in the end.
    let next = try await world.load()
    await next.send("c b")
    #expect(world.shown == "a b c")
    next.finish()
    try await world.end()
    #expect(world.shown == "c b")
  }

  @Test func reloadThatFailsLeavesWhatWasThere() async throws {
    let world = World()
    try await world.load("a b")
    let fetch = try await world.load()
    await fetch.send("c")
    world.recorder.allowFailures()
    fetch.fail()
    try await world.end()
    #expect(world.shown == "a b")
    #expect(world.heard == ["will", "failed"])
  }

  // MARK: - Cancelling

  @Test func nothingIsHeardAfterCancelling() async throws {
    let world = World()
    let fetch = try await world.load()
    await fetch.send("a")
    world.source.cancel()
    world.recorder.sourceWasCancelled()
    #expect(await fetch.send("b") is CancellationError)
    await world.fetcher.waitForEnd()
    #expect(world.heard == ["will", "+1 -0 >0 ~0"])
    #expect(world.shown == "a")
    try await world.load("b c")
    #expect(world.shown == "b c")
  }

  @Test func cancellingInACallbackEndsTheLoad() async throws {
    let world = World()
    let token = world.source.observe { [weak source = world.source] event in
      if case .didPartiallyLoad = event { source?.cancel() }
    }
    let fetch = try await world.load()
    await fetch.send("a")
    world.recorder.sourceWasCancelled()
    await world.fetcher.waitForEnd()
    #expect(world.heard == ["will", "+1 -0 >0 ~0"])
    token.cancel()
  }

  @Test func releasedSourceCancelsTheFetch() async throws {
    let fetcher = ManualFetcher()
    do {
      let source = FetchedDataSource(name: "words", fetcher: fetcher)
      source.load()
      #expect(await fetcher.next() != nil)
    }
    await fetcher.waitForEnd()
  }

  // MARK: - Limits

  @Test func moreThanTheLimitIsAFailure() async throws {
    let world = World(limit: .failing(beyond: 2))
    world.recorder.allowFailures()
    let fetch = try await world.load()
    await fetch.send("a b a=1")
    let error = await fetch.send("c")
    #expect((error as? DataSourceError)?.code == .tooManyItems)
    try await world.end()
    #expect((world.recorder.errors.first as? DataSourceError)?.code == .tooManyItems)
    #expect(world.shown == "a=1 b")
  }

  @Test func firstItemsEndTheFetch() async throws {
    let world = World(limit: .prefix(2))
    let fetch = try await world.load()
    #expect(await fetch.send("a b c") != nil)
    try await world.end()
    #expect(world.shown == "a b")
    #expect(world.heard.last == "finished")
    let again = try await world.load()
    await again.send("c")
    await again.send("a d")
    try await world.end()
    #expect(world.shown == "c a")
  }

  @Test func latestItemsDriveTheFirstOut() async throws {
    let world = World(limit: .suffix(2))
    let fetch = try await world.load()
    await fetch.send("a b")
    await fetch.send("c")
    #expect(world.shown == "b c")
    await fetch.send("b=1 d e")
    #expect(world.shown == "d e")
    fetch.finish()
    try await world.end()
    #expect(world.heard == ["will", "+2 -0 >0 ~0", "+1 -1 >0 ~0", "+2 -2 >0 ~0", "finished"])
  }

  @Test func emptySectionIsKeptOnDemand() async throws {
    let world = World(keepsEmptySection: true)
    try await world.load("")
    #expect(world.source.numberOfSections == 1)
    try await world.load("a")
    try await world.load("")
    #expect(world.heard == ["will", "+0 -1 >0 ~0", "finished"])
    #expect(world.source.numberOfSections == 1)
  }

  // MARK: - Watching

  @Test func changeBeginsALoad() async throws {
    let world = World()
    try await world.load("a")
    world.recorder.reset()
    world.fetcher.change()
    let fetch = try #require(await world.fetcher.next())
    await fetch.send("b")
    fetch.finish()
    try await world.end()
    #expect(world.shown == "b")
  }

  @Test func changeWhileLoadingBeginsAnotherLoad() async throws {
    let world = World()
    try await world.load("a")
    let fetch = try await world.load()
    world.fetcher.change()
    // Heard of once the watcher came around; until then the first fetch goes on.
    await fetch.send("b")
    fetch.finish()
    let next = try #require(await world.fetcher.next())
    await next.send("c")
    next.finish()
    #expect(await world.recorder.waitForEnds(2))
    #expect(world.shown == "c")
    try world.recorder.check(against: world.source)
  }

  // MARK: - Against a model

  @Test func randomLoadsShowWhatTheModelSays() async throws {
    for seed in 0..<1_000 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      let script = Mutex<(batches: [[Word]], fails: Bool)>(([], false))
      let fetcher = ClosureFetcher<Word> { receive in
        let (batches, fails) = script.withLock { $0 }
        for batch in batches { try await receive(batch) }
        if fails { throw ManualFetcher.Broken() }
      }
      let isAdding = random.chance(0.3)
      let source = FetchedDataSource(
        name: "words", fetcher: fetcher, mode: isAdding ? .adding : .replacing)
      let recorder = Recorder()
      recorder.allowFailures()
      source.delegate = recorder
      var model: [Word] = []
      var hasCompleted = false
      for _ in 0..<5 {
        let batches = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            Word(
              "\(Int.random(in: 0..<7, using: &random))=\(Int.random(in: 1..<3, using: &random))")
          }
        }
        let fails = random.chance(0.25)
        script.withLock { $0 = (batches, fails) }
        let showsArrivals = isAdding || !hasCompleted || model.isEmpty
        var collected = isAdding || fails ? model : []
        for word in batches.joined() where !fails || showsArrivals {
          if let place = collected.firstIndex(where: { $0.id == word.id }) {
            collected[place] = word
          } else {
            collected.append(word)
          }
        }
        model = collected
        hasCompleted = hasCompleted || !fails
        recorder.reset()
        source.load()
        try #require(await recorder.waitForEnds(1), "\(random)")
        try #require(source.items == model, "\(random)")
        try #require(recorder.violations == [], "\(random)")
      }
      #expect(checkSnapshot(source.snapshot) == [], "\(random)")
      try recorder.check(against: source)
    }
  }
}
