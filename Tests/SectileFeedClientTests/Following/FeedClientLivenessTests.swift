import Foundation
import SectileCore
import SectileFeed
import SectileFeedClient
import SectileTestSupport
import Synchronization
import Testing

/// Whether a client is live, and what it does where it is not.
@Suite(.timeLimit(.minutes(60))) struct FeedClientLivenessTests {
  /// A client that is live.
  static func live(
    _ prepare: (inout FeedClientConfiguration) -> Void = { _ in }
  ) async throws -> (ClientWorld, Recording) {
    let recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld(prepare)
    world.recorder.allowFailures()
    world.load()
    try world.answer(recording.bytes)
    #expect(world.client.state == .live)
    world.recorder.reset()
    world.recorder.allowFailures()
    return (world, recording)
  }

  // MARK: - Watching

  @Test func threeHeartbeatsThatAreMissedEndTheConnection() async throws {
    let (world, recording) = try await Self.live()
    for _ in 0..<10 {
      world.wait(.seconds(40))
      try world.say(ServerSentEvents.heartbeat)
      #expect(world.client.state == .live)
    }
    world.wait(.seconds(15))
    world.wait(.seconds(29))
    #expect(world.client.state == .live && world.recorder.events.isEmpty)
    world.wait(.seconds(1))
    #expect(world.client.state == .stale(since: ClientWorld.date(.seconds(400))))
    #expect(world.client.lastError?.code == .silent)
    #expect(world.sections == recording.sections)
    #expect(world.recorder.errors.count == 1)
    try world.waitForNextAttempt()
    #expect(try world.connection.position == recording.told.last?.id)
    try world.answer()
    #expect(world.client.state == .stale(since: ClientWorld.date(.seconds(400))))
    try world.say(ServerSentEvents.heartbeat)
    #expect(world.client.state == .live && world.client.lastError == nil)
    // Told as a load without changes.
    #expect(world.recorder.changesets.isEmpty && !world.recorder.isLoading)
    #expect(world.recorder.events.count == 4)
  }

  @Test func theServiceSaysHowLongItsHeartbeatsAre() async throws {
    let (world, _) = try await Self.live()
    try world.say(
      ServerSentEvents.message(
        event: "stream", data: Array(#"{"format":2,"heartbeat":2,"source":null}"#.utf8)))
    world.wait(.seconds(15))
    #expect(world.client.lastError?.code == .silent)
  }

  @Test func aClientThatIsBusyItselfDoesNotTakeTheServiceForSilent() async throws {
    var recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    world.load()
    try world.answer(recording.bytes)
    let count = recording.told.count
    try await recording.replace(with: [])
    // A listener takes its time.
    let token = world.client.observe { [clock = world.clock] event in
      if case .didPartiallyLoad = event { clock.advance(by: .seconds(60)) }
    }
    try world.say(recording.told[count...].flatMap(\.bytes))
    world.wait(.seconds(44))
    #expect(world.client.state == .live)
    world.wait(.seconds(1))
    #expect(world.client.lastError?.code == .silent)
    world.recorder.allowFailures()
    withExtendedLifetime(token) {}
  }

  @Test func aClientThatIsHeldUpForLongIsNotLiveMeanwhile() async throws {
    var recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld()
    world.load()
    try world.answer(recording.bytes)
    let count = recording.told.count
    try await recording.replace(with: [])
    // A listener takes its time; other threads go on.
    let seen = Mutex<[FeedClientState]>([])
    let token = world.client.observe { [clock = world.clock, executor = world.executor] event in
      guard case .didPartiallyLoad = event else { return }
      for seconds in [44, 1] {
        clock.advance(by: .seconds(seconds))
        executor.runUntilIdle()
        seen.withLock { $0.append(world.client.state) }
      }
    }
    try world.say(recording.told[count...].flatMap(\.bytes))
    #expect(seen.withLock { $0 } == [.live, .stale(since: ClientWorld.date(.zero))])
    #expect(world.transport.connections.count == 1 && world.client.lastError == nil)
    try world.say(ServerSentEvents.heartbeat)
    #expect(world.client.state == .live && world.sections == recording.sections)
    withExtendedLifetime(token) {}
  }

  @Test func aConnectionThatNobodyAnswersIsGivenUp() throws {
    let world = ClientWorld()
    world.load()
    world.wait(.seconds(45))
    #expect(world.client.state == .connecting)
    #expect(world.recorder.errors.count == 1 && !world.recorder.isLoading)
    try world.waitForNextAttempt()
  }

  // MARK: - Waiting

  @Test func waitsGrowAndArePartlyLeftToChance() throws {
    let world = ClientWorld()
    world.load()
    for seconds in [0.5, 1, 2, 4, 8, 16, 30, 30, 30] {
      try world.cut(ClientWorld.Broken())
      let wait = try #require(world.clock.untilNextWake)
      #expect(wait >= Duration.seconds(seconds / 2) && wait <= Duration.seconds(seconds))
      try world.waitForNextAttempt()
    }
    // Listeners hear of it once.
    #expect(world.recorder.errors.count == 1)
    #expect(world.client.lastError?.code == .unreachable)
  }

  @Test func aConnectionThatWasLiveForAWhileBeginsTheWaitsAnew() async throws {
    let (world, recording) = try await Self.live()
    var waits: [Duration] = []
    for _ in 0..<4 {
      try world.cut()
      waits.append(try #require(world.clock.untilNextWake))
      try world.waitForNextAttempt()
      try world.answer(recording.bytes)
    }
    #expect(waits[3] >= .seconds(2))
    world.wait(.seconds(15))
    try world.cut()
    let wait = try #require(world.clock.untilNextWake)
    #expect(wait <= .milliseconds(500))
  }

  @Test func theServiceMayAskForLongerWaits() async throws {
    let (world, _) = try await Self.live()
    try world.say("retry: 4000\n")
    try world.cut()
    let wait = try #require(world.clock.untilNextWake)
    #expect(wait >= .seconds(2) && wait <= .seconds(4))
    try world.waitForNextAttempt()
    try world.connection.send(.head(FeedStreamHead(status: 503, retryAfter: .seconds(90))))
    world.run()
    #expect(world.clock.untilNextWake == .seconds(90))
    #expect(world.client.lastError?.code == .unavailable)
    try world.waitForNextAttempt()
    try world.connection.send(.head(FeedStreamHead(status: 503, retryAfter: .seconds(90_000))))
    world.run()
    #expect(world.clock.untilNextWake == .seconds(300))
  }

  @Test func waitsGrowAlsoWhereTheServiceAsksForNone() async throws {
    let (world, _) = try await Self.live()
    try world.say("retry: 0\n")
    var waits: [Duration] = []
    for _ in 0..<18 {
      try world.cut(ClientWorld.Broken())
      waits.append(try #require(world.clock.untilNextWake))
      try world.waitForNextAttempt()
    }
    #expect(waits.allSatisfy { $0 > .zero })
    #expect(waits[0] <= .milliseconds(1) && waits[17] >= .seconds(15))
  }

  @Test func aLoadTriesAtOnce() async throws {
    let (world, _) = try await Self.live()
    try world.cut()
    #expect(world.transport.connections.count == 1)
    world.load()
    #expect(world.transport.connections.count == 2)
    #expect(world.clock.untilNextWake == .seconds(15))
    #expect(world.recorder.isLoading)
    try world.answer(ServerSentEvents.heartbeat)
    #expect(world.client.state == .live && !world.recorder.isLoading)
  }

  @Test func anAnswerThatIsNoStreamIsTriedAgain() throws {
    let world = ClientWorld()
    world.load()
    try world.connection.send(.head(FeedStreamHead(contentType: "text/html")))
    world.run()
    #expect(world.recorder.errors.count == 1)
    #expect(world.client.lastError?.code == .notAStream)
    try world.waitForNextAttempt()
    try world.connection.send(
      .head(FeedStreamHead(contentType: "Text/Event-Stream; charset=utf-8")))
    world.run()
    #expect(world.clock.untilNextWake == .seconds(15))
  }

  // MARK: - What the service says of itself

  @Test func aSourceThatFailsIsNotLiveUntilItIsReadAgain() async throws {
    let (world, first) = try await Self.live()
    var recording = first
    var count = recording.told.count
    try await recording.fail()
    try world.say(recording.told[count...].flatMap(\.bytes))
    #expect(world.client.state == .stale(since: ClientWorld.date(.zero)))
    #expect(world.client.lastError?.code == .sourceFailed)
    #expect(world.client.lastError?.serviceCode == "unknown")
    world.wait(.seconds(15))
    try world.say(ServerSentEvents.heartbeat)
    #expect(world.client.state == .stale(since: ClientWorld.date(.zero)))
    count = recording.told.count
    try await recording.recover()
    try world.say(recording.told[count...].flatMap(\.bytes))
    #expect(world.client.state == .live)
    #expect(world.recorder.errors.count == 1 && world.recorder.events.count == 4)
  }

  @Test func contentsThatAreToldAnewAreAFailureUntilTheyAreWhole() async throws {
    let (world, recording) = try await Self.live()
    for told in recording.told.dropLast() { try world.say(told.bytes) }
    #expect(world.client.state == .stale(since: ClientWorld.date(.zero)))
    #expect(world.client.lastError?.code == .toldAnew)
    #expect(world.recorder.errors.count == 1)
    try world.say(try #require(recording.told.last).bytes)
    #expect(world.client.state == .live && world.client.lastError == nil)
    #expect(world.recorder.errors.count == 1 && world.recorder.events.count == 4)
    #expect(world.recorder.changesets.isEmpty && !world.recorder.isLoading)
  }

  @Test func aClientThatIsDroppedComesBackWithItsPosition() async throws {
    let (world, recording) = try await Self.live()
    try world.say(
      ServerSentEvents.message(event: "dropped", data: Array(#"{"format":2,"reason":"slow"}"#.utf8))
    )
    #expect(world.client.lastError?.code == .dropped)
    try world.waitForNextAttempt()
    #expect(try world.connection.position == recording.told.last?.id)
  }

  @Test func changesThatDoNotFitBeginAnew() async throws {
    let (world, first) = try await Self.live()
    var recording = first
    try await recording.replace(with: [])
    let count = recording.told.count
    try await recording.replace(with: Plum.plums)
    try world.say(recording.told[count...].flatMap(\.bytes))
    #expect(world.client.lastError?.code == .inconsistent)
    #expect(world.client.numberOfItems == 3)
    try world.waitForNextAttempt()
    #expect(try world.connection.position == "")
    // Nothing but a reset makes it live again.
    try world.answer(ServerSentEvents.heartbeat)
    #expect(world.client.state != .live)
    try world.say(recording.bytes)
    #expect(world.client.state == .live && world.sections == recording.sections)
    try world.recorder.check(against: world.client)
  }

  @Test func statesAreToldInOrder() async throws {
    let world = ClientWorld()
    world.recorder.allowFailures()
    var states = world.client.states.makeAsyncIterator()
    let recording = try await Recording(of: Plum.source(Plum.plums))
    world.load()
    try world.answer(recording.bytes)
    world.wait(.seconds(5))
    try world.cut()
    world.client.cancel()
    var told: [FeedClientState] = []
    for _ in 0..<5 { told.append(try #require(await states.next())) }
    #expect(
      told == [
        .ended(nil), .connecting, .live, .stale(since: ClientWorld.date(.zero)), .ended(nil),
      ])
  }
}
