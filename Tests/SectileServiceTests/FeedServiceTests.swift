#if Service
  import InMemoryLogging
  import Logging
  import MetricsTestKit
  import SectileCore
  import SectileFeed
  import SectileService
  import SectileStore
  import SectileTestHelpers
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Testing

  private struct Item: Entity, Equatable, Codable {
    var id: Int64

    static let schema = EntitySchema<Item>(
      "item", primaryKey: "id", attributes: .init("id", \.id))

    init(id: Int64) { self.id = id }

    init(row: inout RowReader) throws { id = try row.next() }

    func write(to row: inout RowWriter) throws { try row.append(id) }
  }

  /// A feed is measured, and ended with its service.
  @Suite(.timeLimit(.minutes(60))) struct FeedServiceTests {
    private static let dimensions = [("feed", "items")]

    private let handler = InMemoryLogHandler()
    private let metrics = TestMetrics()

    /// What a gauge has last shown; nil where there is none yet.
    private func last(_ label: String) -> Double? {
      try? metrics.expectGauge("sectile.feed.\(label)", Self.dimensions).lastValue
    }

    @Test func clientsAreCountedAndEndWithTheService() async throws {
      let store = try Store.inMemory()
      try await store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      let results = try store.results(of: FetchRequest<Item>())
      try await results.load()
      let feed = Feed<SectionedResults<Item>, Void>(of: results)
      let service = FeedService(
        feed, logger: Logger(label: "test") { _ in handler }, metrics: metrics,
        dimensions: Self.dimensions, every: .milliseconds(2))
      let events = try await feed.events()
      let client = Task { for await _ in events {} }
      try await testGracefulShutdown { trigger in
        async let end: Void = service.run()
        #expect(try await comesTrue { last("clients") == 1 && last("behind") == 0 })
        // Another one, so that everything was appended when the slow one asks.
        var fast = try await feed.events().makeAsyncIterator()
        while let event = await fast.next(), event.kind != .complete {}
        var slow = try await feed.events(buffering: .dropping(beyond: 1)).makeAsyncIterator()
        while let event = await slow.next(), event.kind != .complete {}
        // It has caught up once.
        try await store.write { try $0.insert(Item(id: 1)) }
        while let event = await slow.next(), event.kind != .changes {}
        for id in Int64(2)...9 { try await store.write { try $0.insert(Item(id: id)) } }
        for _ in 1...9 { #expect(await fast.next()?.kind == .changes) }
        // The fast one has not asked for more, either.
        #expect(try await comesTrue { last("clients") == 3 && last("behind") == 2 })
        while let event = await slow.next(), event.kind != .dropped {}
        #expect(try await comesTrue { last("dropped") == 1 })
        #expect(try await comesTrue { handler.entries.map(\.level) == [.notice] })
        trigger.triggerGracefulShutdown()
        await end
      }
      await client.value
      try await store.close()
    }
  }
#endif
