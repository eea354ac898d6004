#if Service
  import InMemoryLogging
  import Logging
  import MetricsTestKit
  import SectileHub
  import SectileService
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Testing

  /// What happens to a replica reaches logs and metrics, and it is closed when its service ends.
  @Suite(.timeLimit(.minutes(60))) struct ReplicaServiceTests {
    private static let parcel = SyncedTable(
      name: "parcel", columns: [.init("id", .integer), .init("state", .text, isNullable: true)],
      key: ["id"])
    private static let dimensions = [("replica", "a")]

    private let folder: TemporaryFolder
    private let hub = InMemoryHub(tables: [Self.parcel])
    private let handler = InMemoryLogHandler()
    private let metrics = TestMetrics()

    init() throws { folder = try TemporaryFolder() }

    private var logger: Logger {
      var logger = Logger(label: "replica") { _ in handler }
      logger.logLevel = .trace
      return logger
    }

    private func open() async throws -> Replica {
      var configuration = ReplicaConfiguration()
      configuration.retryDelays = .milliseconds(1)...Duration.milliseconds(20)
      configuration.heartbeatInterval = nil
      configuration.offlineTables = ["parcel"]
      configuration.report(to: logger, metrics: metrics, dimensions: Self.dimensions)
      return try await Replica.open(
        at: folder.file("replica.sqlite"), following: hub.link(for: "a"), tables: ["parcel"],
        configuration: configuration)
    }

    /// Waits until something is so; the suite's time limit is what fails where it never is.
    private func wait(until condition: () throws -> Bool) async throws {
      while try !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func levels(_ message: String) -> [Logger.Level] {
      handler.entries.filter { "\($0.message)" == message }.map(\.level)
    }

    /// What a gauge has last shown; nil where there is none yet.
    private func last(_ label: String) -> Double? {
      try? metrics.expectGauge("sectile.replica.\(label)", Self.dimensions).lastValue
    }

    private func total(_ label: String) throws -> Int64 {
      try metrics.expectCounter("sectile.replica.\(label)", Self.dimensions).totalValue
    }

    @Test func eventsAreLoggedAndCounted() async throws {
      try hub.commit([.insert(table: "parcel", values: ["id": 1, "state": "s3cr3t"])])
      let replica = try await open()
      try await wait { levels("this process follows the hub") == [.info] }
      hub.isReachable = false
      try await wait { try total("interruptions") > 0 }
      try await replica.enqueue { changes in
        try changes.update("parcel", key: 1, set: ["state": "mine"], ifRevision: .any)
      }
      try hub.commit([.delete(table: "parcel", key: [1], revision: nil)])
      hub.isReachable = true
      try await wait { levels("the hub has refused a change of the outbox") == [.warning] }
      #expect(try total("parked") == 1)
      #expect(levels("has the hub's rows").first == .info)
      #expect(levels("the hub is tried again after a while").first == .warning)
      #expect(!handler.entries.contains { "\($0)".contains("s3cr3t") })
      try await replica.close()
    }

    @Test func serviceMeasuresAndClosesTheReplica() async throws {
      hub.beat()
      let replica = try await open()
      let service = ReplicaService(
        replica, logger: logger, metrics: metrics, dimensions: Self.dimensions,
        every: .milliseconds(5), lagLimit: .seconds(3600))
      let group = ServiceGroup(services: [service], logger: logger)
      let ended = try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup(of: Void.self) { tasks in
          tasks.addTask { try await group.run() }
          try hub.commit([
            .insert(table: "parcel", values: ["id": 1]),
            .insert(table: "parcel", values: ["id": 2]),
          ])
          hub.beat()
          try await wait { last("rows") == 2 && last("lag") != nil && last("health") == 0 }
          hub.isReachable = false
          try await replica.enqueue { changes in
            try changes.insert(into: "parcel", values: ["id": 3])
          }
          try await wait { last("waiting") == 1 }
          trigger.triggerGracefulShutdown()
          try await tasks.waitForAll()
          return true
        }
      }
      #expect(ended)
      guard case .closed = replica.status.phase else {
        Issue.record("it is \(replica.status.phase)")
        return
      }
      #expect(replica.status.health() == .stopped("the replica is closed"))
      #expect(levels("the replica is closed") == [.info])
    }
  }
#endif
