#if Service
  import Metrics
  import InMemoryLogging
  import InMemoryTracing
  import Logging
  import MetricsTestKit
  import SectileService
  import SectileStore
  import SectileTestHelpers
  import Synchronization
  import Testing
  import Tracing

  /// What a store does reaches logs, metrics and traces.
  @Suite(.timeLimit(.minutes(60))) struct StoreReporterTests {
    private final class Heard: Sendable {
      private let counts = Mutex(0)

      var count: Int { counts.withLock { $0 } }
      func add() { counts.withLock { $0 += 1 } }
    }

    /// Waits until so many events were heard; the suite's time limit is what fails where they never
    /// are.
    private func wait(for count: Int, _ heard: Heard) async throws {
      while heard.count < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func eventsAreLoggedAndMeasured() async throws {
      let (handler, metrics, heard) = (InMemoryLogHandler(), TestMetrics(), Heard())
      var configuration = StoreConfiguration()
      configuration.slowStatementThreshold = .zero
      var logger = Logger(label: "store") { _ in handler }
      logger.logLevel = .trace
      configuration.report(to: logger, metrics: metrics, dimensions: [("store", "test")])
      // Told after the reporter: what was heard was logged.
      let reporting = configuration.onEvent
      configuration.onEvent = { event in
        reporting?(event)
        heard.add()
      }
      let store = try Store.inMemory(configuration: configuration)
      let before = heard.count
      try await store.write {
        try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)")
        try $0.execute("INSERT INTO item (name) VALUES (?), (?)", "s3cr3t", "awk")
      }
      struct Refusal: Error {}
      try? await store.write { _ in throw Refusal() }
      try await store.checkpoint()
      try await store.close()
      while try metrics.expectTimer("sectile.rollback.duration", [("store", "test")]).values.isEmpty
      {
        try await Task.sleep(for: .milliseconds(1))
      }
      try await wait(for: before + 3, heard)

      let dimensions = [("store", "test")]
      #expect(try metrics.expectTimer("sectile.commit.duration", dimensions).values.count == 1)
      #expect(try metrics.expectRecorder("sectile.commit.rows", dimensions).values == [2])
      #expect(try !metrics.expectTimer("sectile.statement.slow", dimensions).values.isEmpty)
      let entries = handler.entries
      let commit = try #require(entries.first { $0.message.description.hasPrefix("committed") })
      #expect(commit.level == .trace && commit.metadata["rows"] == "2")
      #expect(entries.contains { $0.level == .debug && "\($0.message)".hasPrefix("rolled back") })
      #expect(
        entries.contains { entry in
          entry.level == .warning && "\(entry.metadata["sql"] ?? "")".hasPrefix("INSERT")
        })
      #expect(!entries.contains { "\($0)".contains("s3cr3t") })
    }

    @Test func writesAndReadsAreTraced() async throws {
      let tracer = InMemoryTracer()
      let folder = try TemporaryFolder()
      let store = try await Store.open(at: folder.file("store.sqlite"))
      try await tracer.withSpan("request") { _ in
        try await store.write(tracing: "make table", to: tracer) {
          try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
        }
        let count = try await store.read(tracing: "count", to: tracer) {
          try $0.query("SELECT * FROM item").count
        }
        #expect(count == 0)
      }
      struct Refusal: Error {}
      await #expect(throws: Refusal.self) {
        try await store.write(tracing: "refused", to: tracer) { _ in throw Refusal() }
      }
      let spans = tracer.finishedSpans
      #expect(spans.map(\.operationName) == ["make table", "count", "request", "refused"])
      #expect(spans[0].attributes.get("db.operation.name") == "write")
      #expect(spans[1].attributes.get("db.operation.name") == "read")
      #expect(spans[0].attributes.get("db.system.name") == "sqlite")
      #expect(spans[0].attributes.get("db.namespace") == .string(folder.file("store.sqlite")))
      #expect(spans[0].parentSpanID == spans[2].spanID && spans[1].parentSpanID == spans[2].spanID)
      #expect(spans[3].errors.count == 1)
      try await store.close()
    }

    @Test func theSpanOfAWriteHasTheNumberOfItsRows() async throws {
      let (store, tracer) = (try Store.inMemory(), InMemoryTracer())
      try await store.write(tracing: "two", to: tracer) {
        try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)")
        try $0.execute("INSERT INTO item VALUES (1), (2)")
      }
      try await store.write(tracing: "one", to: tracer) {
        try $0.execute("DELETE FROM item WHERE id = 1")
      }
      #expect(tracer.finishedSpans.map { $0.attributes.get("db.rows") } == [.int64(2), .int64(1)])
      try await store.close()
    }
  }
#endif
