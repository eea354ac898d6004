import SectileCore
import SectileDataSources
import SectileFeed
import SectileFeedClient
import SectileTestHelpers
import SectileTestSupport
import Testing

/// A client beside its feed: it is a source like others.
@Suite(.timeLimit(.minutes(60))) struct FeedClientSourceTests {
  /// Brings what a feed of this process tells.
  struct FeedingTransport: FeedTransport {
    let feed: Feed<ArrayDataSource<Plum>, Void>

    func stream(
      after position: String, to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
    ) async throws {
      let events = try await feed.events(after: ServerSentEvents.position(position))
      try await receive(.head(FeedStreamHead()))
      try await receive(.bytes(ServerSentEvents.retry(after: .milliseconds(1))))
      for await event in events { try await receive(.bytes(ServerSentEvents.bytes(of: event))) }
    }
  }

  private static func client(
    of source: ArrayDataSource<Plum>
  ) -> FeedClient<Int, Plum> {
    FeedClient(
      name: "plums",
      transport: FeedingTransport(feed: Feed<ArrayDataSource<Plum>, Void>(of: source))
    )
  }

  @Test func clientKeepsThePromises() async {
    let source = Plum.source(Plum.plums)
    #expect(await checkDataSource(Self.client(of: source)) == [])
    withExtendedLifetime(source) {}
  }

  @Test func clientIsFilteredAndFedOn() async throws {
    let source = Plum.source(Plum.plums)
    let first = Self.client(of: source)
    let heavy = first.filter { $0.weight > 32 }
    let recorder = ChangeRecorder<Int, Plum>()
    heavy.delegate = recorder
    try await first.loadAndWait()
    try await heavy.loadAndWait()
    let second = FeedClient<Int, Plum>(
      name: "plums again", transport: Relay(feed: Feed<FeedClient<Int, Plum>, Void>(of: first)))
    try await second.loadAndWait()
    #expect(second.state == .live)
    for weight in 30..<36 {
      try source.replace(id: 1, with: Self.plum(weight), ifStill: nil)
      let sections = try source.snapshot.materialized().sections
      #expect(try await comesTrue { second.snapshot.contents.sections == sections })
    }
    let rows = try source.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
    #expect(
      try await comesTrue {
        let shown = try heavy.snapshot.materialized().sections.flatMap { $0.rows.map(\.item) }
        return shown == rows.filter { $0.weight > 32 }
      })
    #expect(recorder.violations == [])
  }

  private static func plum(_ weight: Int) -> Plum { Plum(id: 1, kind: "green", weight: weight) }

  /// Brings what a feed of a client tells.
  struct Relay: FeedTransport {
    let feed: Feed<FeedClient<Int, Plum>, Void>

    func stream(
      after position: String, to receive: @escaping @Sendable (FeedStreamPart) async throws -> Void
    ) async throws {
      try await receive(.head(FeedStreamHead()))
      for await event in try await feed.events(after: ServerSentEvents.position(position)) {
        try await receive(.bytes(ServerSentEvents.bytes(of: event)))
      }
    }
  }
}
