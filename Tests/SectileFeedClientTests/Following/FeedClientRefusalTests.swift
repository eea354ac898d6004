import SectileCore
import SectileDataSources
import SectileFeed
import SectileFeedClient
import SectileTestSupport
import Testing

/// What a client does not follow, and says so by name.
@Suite(.timeLimit(.minutes(60))) struct FeedClientRefusalTests {
  private static func stream(_ source: String) -> [UInt8] {
    let json = #"{"format":2,"stream":"s","view":"0","heartbeat":15,"source":"\#(source)"}"#
    return ServerSentEvents.message(event: "stream", data: Array(json.utf8))
  }

  /// A client that was live, and connects again.
  private static func returning(
    acceptsOtherSources: Bool = false, _ beginning: [UInt8] = []
  ) async throws -> (ClientWorld, Recording) {
    let recording = try await Recording(of: Plum.source(Plum.plums))
    let world = ClientWorld { $0.acceptsOtherSources = acceptsOtherSources }
    world.recorder.allowFailures()
    world.load()
    try world.answer(beginning + recording.bytes)
    #expect(world.client.state == .live)
    try world.cut()
    try world.waitForNextAttempt()
    return (world, recording)
  }

  private static func endCode(_ world: ClientWorld) -> FeedClientError.Code? {
    guard case .ended(let error) = world.client.state else { return nil }
    return error?.code
  }

  @Test func anotherSourceIsRefusedUntilItIsLoaded() async throws {
    let (world, recording) = try await Self.returning()
    let other = try await Recording(of: Plum.source([], name: "pears"))
    try world.answer(other.bytes)
    #expect(Self.endCode(world) == .otherSource)
    #expect(world.sections == recording.sections)
    #expect(world.clock.sleeperCount == 0)
    // Whoever loads it again wants what is there by now.
    world.load()
    #expect(try world.connection.position == "")
    try world.answer(other.bytes)
    #expect(world.client.state == .live && world.client.numberOfItems == 0)
    try world.recorder.check(against: world.client)
  }

  @Test func whoIsNotAllowedAnyMoreDoesNotComeBack() async throws {
    let (world, recording) = try await Self.returning()
    let json = #"{"format":2,"reason":"unauthorized"}"#
    try world.answer(ServerSentEvents.message(event: "refused", data: Array(json.utf8)))
    #expect(Self.endCode(world) == .refused)
    #expect(world.sections == recording.sections)
    #expect(world.clock.sleeperCount == 0)
    world.load()
    #expect(try world.connection.position == "")
    try world.answer(recording.bytes)
    #expect(world.client.state == .live)
  }

  @Test func anotherSourceMayBeAccepted() async throws {
    let (world, _) = try await Self.returning(acceptsOtherSources: true)
    try world.answer(try await Recording(of: Plum.source([], name: "pears")).bytes)
    #expect(world.client.state == .live && world.client.numberOfItems == 0)
    try world.recorder.check(against: world.client)
  }

  @Test func anotherFileIsRefused() async throws {
    let (world, recording) = try await Self.returning(Self.stream("a"))
    try world.answer(Self.stream("a"))
    #expect(world.client.state == .live)
    try world.cut()
    try world.waitForNextAttempt()
    try world.answer(Self.stream("b") + recording.bytes)
    #expect(Self.endCode(world) == .otherSource)
    // Two connections that broke, and then the end, which is told in any case.
    #expect(
      world.recorder.errors.map { ($0 as? FeedClientError)?.code }
        == [.streamEnded, .streamEnded, .otherSource])
  }

  @Test(arguments: [
    ("otherStore", FeedClientError.Code.otherSource), ("otherRequest", .otherRequest),
  ])
  func aResetThatSaysSoIsRefused(reason: String, code: FeedClientError.Code) async throws {
    let (world, _) = try await Self.returning()
    let json = #"{"format":2,"reason":"\#(reason)","version":1,"sections":0,"rows":0}"#
    try world.answer(ServerSentEvents.message(id: "", event: "reset", data: Array(json.utf8)))
    #expect(Self.endCode(world) == code)
  }

  @Test func aFormatThatIsNotKnownIsRefused() throws {
    let world = ClientWorld()
    world.load()
    try world.answer(
      ServerSentEvents.message(id: "", event: "reset", data: Array(#"{"format":3}"#.utf8)))
    #expect(Self.endCode(world) == .unknownFormat)
    #expect(world.recorder.errors.map { ($0 as? FeedClientError)?.code } == [.unknownFormat])
  }

  @Test func aFeedWithoutItemsIsRefused() async throws {
    let source = Plum.source(Plum.plums)
    let structure = FeedShape<Int, Plum>.structural()
    let feed = Feed<ArrayDataSource<Plum>, Void>(of: source) { _ in structure }
    var bytes: [UInt8] = []
    for await event in try await feed.events() {
      bytes += ServerSentEvents.bytes(of: event)
      if event.kind == .complete { break }
    }
    let world = ClientWorld()
    world.recorder.allowFailures()
    world.load()
    try world.answer(bytes)
    #expect(Self.endCode(world) == .noItems)
  }

  @Test(arguments: [401, 403, 404, 204, 302])
  func aServiceThatRefusesIsLeftAlone(status: Int) throws {
    let world = ClientWorld()
    world.recorder.allowFailures()
    world.load()
    try world.connection.send(.head(FeedStreamHead(status: status)))
    world.run()
    #expect(Self.endCode(world) == .refused)
    #expect(world.client.lastError?.status == status)
    #expect(world.clock.sleeperCount == 0)
  }

  @Test func eventsHaveALimit() throws {
    let world = ClientWorld { $0.eventSizeLimit = 100 }
    world.recorder.allowFailures()
    world.load()
    try world.answer(Array("data: ".utf8) + [UInt8](repeating: 0x20, count: 200))
    #expect(Self.endCode(world) == .eventTooLarge)
  }

  @Test func changesThatAreTooLargeBeginAnew() async throws {
    let (world, recording) = try await FeedClientLivenessTests.live { $0.eventSizeLimit = 4096 }
    try world.say("data: " + String(repeating: " ", count: 5000))
    #expect(world.client.lastError?.code == .inconsistent)
    try world.waitForNextAttempt()
    #expect(try world.connection.position == "")
    try world.answer(recording.bytes)
    #expect(world.client.state == .live && world.sections == recording.sections)
  }
}
