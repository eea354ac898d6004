import SectileCore
import SectileFeed
import SectileFeedClient
import SectileTestSupport
import Testing

/// What a client shows, and what its listeners hear.
@Suite(.timeLimit(.minutes(60))) struct FeedClientTests {
  @Test func aLoadEndsWhenTheContentsAreWhole() async throws {
    let recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    #expect(world.client.state == .ended(nil))
    world.load()
    #expect(world.client.state == .connecting)
    #expect(try world.connection.position == "")
    try world.answer()
    for told in recording.told.dropLast() { try world.say(told.bytes) }
    #expect(world.client.state == .connecting)
    #expect(world.recorder.isLoading && world.client.numberOfItems == 0)
    try world.say(recording.told.last?.bytes ?? [])
    #expect(world.client.state == .live)
    #expect(world.sections == recording.sections)
    #expect(world.recorder.changesets.count == 1 && !world.recorder.isLoading)
    try world.recorder.check(against: world.client)
  }

  @Test func whatIsToldIsDeliveredAsItIs() async throws {
    var recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    world.load()
    try world.answer(recording.bytes)
    world.recorder.reset()
    let count = recording.told.count
    var fewer = Array(Plum.plums.dropFirst())
    try await recording.replace(with: fewer)
    fewer[0].weight = 1
    try await recording.replace(with: fewer)
    for told in recording.told[count...] {
      try world.say(told.bytes)
      #expect(world.sections == told.sections)
    }
    #expect(world.recorder.changesets.map(\.deletes.count) == [1, 0])
    #expect(world.recorder.changesets.map(\.sourceVersion) == [1, 2])
    try world.recorder.check(against: world.client)
    // A client that is live has nothing to load.
    world.recorder.reset()
    world.load()
    #expect(world.recorder.events.count == 2 && world.recorder.changesets.isEmpty)
    #expect(world.transport.connections.count == 1)
  }

  @Test(arguments: SeededRandom.batches(debug: 40, release: 200, of: 10))
  func randomCoursesEndEqual(seeds: Range<UInt64>) async throws {
    for seed in seeds {
      let recording = try await Recording(seed: seed, steps: 10)
      var random = SeededRandom(seed: seed &+ 1_000_000)
      let world = ClientWorld()
      world.recorder.allowFailures()
      world.load()
      var interruptions = Int.random(in: 0...5, using: &random)
      connecting: while true {
        try world.answer()
        for told in try recording.answer(after: world.connection.position) {
          let cut = Int.random(in: 0...told.bytes.count, using: &random)
          try world.say(Array(told.bytes[..<cut]))
          if interruptions > 0, random.chance(0.15) {
            interruptions -= 1
            try interrupt(world, &random)
            try world.recorder.check(against: world.client)
            continue connecting
          }
          try world.say(Array(told.bytes[cut...]))
          guard told.isWhole else { continue }
          #expect(world.client.state == .live, "seed \(seed)")
          #expect(world.sections == told.sections, "seed \(seed)")
        }
        break
      }
      #expect(world.sections == recording.sections, "seed \(seed)")
      #expect(world.client.snapshot.sections.map(\.title) == recording.sections.map(\.header.title))
      try world.recorder.check(against: world.client)
    }
  }

  /// The connection breaks, or the client is cancelled and loaded again.
  private func interrupt(_ world: ClientWorld, _ random: inout SeededRandom) throws {
    if random.chance(0.5) {
      try world.cut(ClientWorld.Broken())
      if random.chance(0.5) { return try world.waitForNextAttempt() }
      world.load()
    } else {
      world.client.cancel()
      world.recorder.sourceWasCancelled()
      #expect(world.client.state == .ended(nil))
      world.load()
    }
  }

  @Test func aConnectionMayBreakAtEveryByte() async throws {
    var recording = try await Recording(of: Plum.source(Plum.plums))
    try await recording.replace(with: Array(Plum.plums.dropFirst()))
    try await recording.replace(with: Plum.plums)
    let bytes = recording.bytes
    for cut in 0...bytes.count {
      let world = ClientWorld()
      world.recorder.allowFailures()
      world.load()
      try world.answer(Array(bytes[..<cut]))
      try world.cut(ClientWorld.Broken())
      try world.waitForNextAttempt()
      let position = try world.connection.position
      let rest = recording.answer(after: position)
      try world.answer(rest.isEmpty ? ServerSentEvents.heartbeat : rest.flatMap(\.bytes))
      #expect(world.client.state == .live, "cut at \(cut)")
      #expect(world.sections == recording.sections, "cut at \(cut)")
      try world.recorder.check(against: world.client)
    }
  }

  @Test func contentsThatAreToldAnewAreTheDifference() async throws {
    let first = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    world.load()
    try world.answer(first.bytes)
    world.recorder.allowFailures()
    try world.cut()
    try world.waitForNextAttempt()
    // Another process, which knows nothing of the position.
    let second = try await Recording(of: Plum.source(Array(Plum.plums.dropLast())))
    world.recorder.reset()
    try world.answer()
    for told in second.told.dropLast() { try world.say(told.bytes) }
    #expect(world.client.state == .stale(since: ClientWorld.date(.zero)))
    #expect(world.sections == first.sections)
    try world.say(second.told.last?.bytes ?? [])
    #expect(world.client.state == .live)
    #expect(world.recorder.changesets.map(\.deletes.count) == [1])
    #expect(world.recorder.changesets.first?.inserts.isEmpty == true)
    try world.recorder.check(against: world.client)
  }

  /// Whoever comes back is live at the first line, and no more when contents follow; those that
  /// come at once are no failure.
  @Test func contentsThatComeAtOnceAreNoFailure() async throws {
    let (world, recording) = try await FeedClientLivenessTests.live()
    try world.say(recording.bytes)
    #expect(world.client.state == .live && world.recorder.events.isEmpty)
    try world.cut()
    try world.waitForNextAttempt()
    try world.answer(ServerSentEvents.retry(after: .seconds(1)))
    #expect(world.client.state == .live && world.recorder.errors.count == 1)
    try world.say(try #require(recording.told.first).bytes)
    #expect(world.client.state != .live && world.recorder.errors.count == 2)
    try world.say(recording.told.dropFirst().flatMap(\.bytes))
    #expect(world.client.state == .live && world.recorder.errors.count == 2)
    #expect(world.recorder.changesets.isEmpty && !world.recorder.isLoading)
  }

  @Test func whatCameWhileNobodyListenedIsDeliveredByTheNextLoad() async throws {
    var recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    world.load()
    try world.answer(recording.bytes)
    let id = recording.told.last?.id
    world.client.cancel()
    world.recorder.sourceWasCancelled()
    world.run()
    #expect(world.client.state == .ended(nil))
    #expect(world.sections == recording.sections)
    try await recording.replace(with: Array(Plum.plums.dropFirst()))
    world.load()
    let position = try world.connection.position
    #expect(position == id)
    #expect(world.client.state == .stale(since: ClientWorld.date(.zero)))
    try world.answer(recording.answer(after: position).flatMap(\.bytes))
    #expect(world.sections == recording.sections)
    try world.recorder.check(against: world.client)
  }

  @Test func partsOfAConnectionThatWasGivenUpChangeNothing() async throws {
    var recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    world.recorder.allowFailures()
    world.load()
    try world.answer(recording.bytes)
    let old = try world.connection
    try world.cut()
    try world.waitForNextAttempt()
    let count = recording.told.count
    try await recording.replace(with: [])
    let late = recording.told[count...].flatMap(\.bytes)
    await #expect(throws: CancellationError.self) { try await old.receive(.bytes(late)) }
    #expect(world.client.numberOfItems == 3)
    try world.answer(late)
    #expect(world.client.numberOfItems == 0)
    try world.recorder.check(against: world.client)
  }

  @Test func aClientThatIsReleasedEnds() async throws {
    let (clock, executor, transport) = (ManualClock(), ManualExecutor(), ScriptedTransport())
    weak var released: FeedClient<Int, Plum>?
    var states: AsyncStream<FeedClientState>.Iterator?
    do {
      let client = FeedClient<Int, Plum>(
        name: "plums", transport: transport,
        configuration: FeedClientConfiguration(clock: clock, executor: executor))
      released = client
      client.load()
      executor.runUntilIdle()
      states = client.states.makeAsyncIterator()
    }
    executor.runUntilIdle()
    #expect(released == nil)
    #expect(clock.sleeperCount == 0)
    #expect(await states?.next() == .connecting)
    #expect(await states?.next() == .ended(nil))
    #expect(await states?.next() == nil)
  }
}
