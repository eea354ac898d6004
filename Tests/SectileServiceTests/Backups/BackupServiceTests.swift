#if Service
  import Foundation
  import InMemoryLogging
  import Logging
  import MetricsTestKit
  import SectileCore
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Testing

  @testable import SectileService

  /// Copies that are made by a schedule, and what becomes of those that are too many.
  @Suite(.timeLimit(.minutes(60))) struct BackupServiceTests {
    /// 2026-11-21T00:00:00Z.
    private static let begin = Date(timeIntervalSince1970: 1_795_219_200)

    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let handler = InMemoryLogHandler()
    private let metrics = TestMetrics()

    init() throws { folder = try TemporaryFolder() }

    private func makeStore() async throws -> Store {
      let store = try await Store.open(at: folder.file("store.sqlite"))
      try await store.write { try $0.execute("CREATE TABLE item (id INTEGER PRIMARY KEY)") }
      return store
    }

    private func makeService(
      of store: Store, _ change: (inout BackupService.Configuration) -> Void = { _ in }
    ) -> BackupService {
      let clock = clock
      var configuration = BackupService.Configuration()
      configuration.name = "parcels"
      configuration.clock = clock
      configuration.now = { Self.begin.addingTimeInterval(clock.now.offset / .seconds(1)) }
      configuration.jitterSeed = 1
      change(&configuration)
      return BackupService(
        of: store, to: folder.file("backups"), configuration,
        logger: Logger(label: "test") { _ in handler }, metrics: metrics)
    }

    /// What is in the folder of backups.
    private var names: [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file("backups"))
      return (names ?? []).sorted()
    }

    private var isAsleep: Bool { clock.sleeperCount == 1 }

    private func count(of level: Logger.Level) -> Int {
      handler.entries.count { $0.level == level }
    }

    @Test func theFirstCopyIsMadeAtOnceAndTheNextInTime() async throws {
      let store = try await makeStore()
      let service = makeService(of: store) { $0.schedule = .every(.seconds(3_600)) }
      let running = Task { await service.run() }
      #expect(
        try await comesTrue { names == ["parcels-20261121T000000Z.sqlite"] && isAsleep })
      clock.advance(by: .seconds(3_599))
      #expect(try await comesTrue { isAsleep })
      #expect(names.count == 1)
      #expect(try metrics.expectGauge("sectile.backup.age").lastValue == 3_599)
      clock.advance(by: .seconds(1))
      #expect(
        try await comesTrue { names.last == "parcels-20261121T010000Z.sqlite" && isAsleep })
      #expect(try metrics.expectGauge("sectile.backup.copies").lastValue == 2)
      #expect(try metrics.expectGauge("sectile.backup.age").lastValue == 0)
      running.cancel()
      await running.value
      try await store.close()
    }

    @Test func aServiceThatIsStartedAnewGoesOnWithTheSchedule() async throws {
      let store = try await makeStore()
      try folder.makeFolder("backups")
      try folder.write("", to: "backups/parcels-20261120T233000Z.sqlite")
      let service = makeService(of: store) { $0.schedule = .every(.seconds(3_600)) }
      let running = Task { await service.run() }
      #expect(try await comesTrue { isAsleep })
      #expect(names.count == 1)
      clock.advance(by: .seconds(1_800))
      #expect(try await comesTrue { names.last == "parcels-20261121T003000Z.sqlite" && isAsleep })
      running.cancel()
      await running.value
      try await store.close()
    }

    /// Two services share a folder and a schedule, as while one takes over from the other.
    @Test func aCopyWhoseSecondIsTakenIsNotDueAgainAtOnce() async throws {
      let store = try await makeStore()
      let service = makeService(of: store) { $0.schedule = .every(.seconds(3_600)) }
      let running = Task { await service.run() }
      #expect(try await comesTrue { names.count == 1 && isAsleep })
      try folder.write("", to: "backups/parcels-20261121T010000Z.sqlite")
      clock.advance(by: .seconds(3_600))
      #expect(try await comesTrue { isAsleep })
      #expect(names.count == 3)
      #expect(names.last == "parcels-20261121T010001Z.sqlite")
      #expect(try metrics.expectGauge("sectile.backup.age").lastValue == 0)
      running.cancel()
      await running.value
      try await store.close()
    }

    @Test func theLatestCopiesAreKeptAndCanBeOpened() async throws {
      let store = try await makeStore()
      let service = makeService(of: store) {
        $0.retention = .init(latest: 2, days: 0, weeks: 0)
      }
      try folder.makeFolder("backups")
      try folder.write("", to: "backups/other-20260101T000000Z.sqlite")
      try folder.write("", to: "backups/parcels-20260101.sqlite")
      var paths: [String] = []
      for number in 1...4 {
        try await store.write { try $0.execute("INSERT INTO item VALUES (?)", number) }
        paths.append(try await service.backUp())
      }
      let left = names.filter { $0.hasPrefix("parcels-20261121") }
      #expect(left.map { folder.file("backups/\($0)") } == Array(paths.suffix(2)))
      // What the service has not made is not its own to remove.
      #expect(names.count == 4)
      let copy = try await Store.open(at: paths[3])
      #expect(try await copy.read { try $0.query("SELECT * FROM item").count } == 4)
      try await copy.close()
      try await store.close()
    }

    @Test func aFailureIsToldAndTriedAgainAfterWaitsThatGrow() async throws {
      let store = try await makeStore()
      // Nobody can make a folder where there is a file.
      let obstacle = try folder.write("", to: "backups")
      let service = makeService(of: store) {
        $0.retryDelays = Duration.seconds(20)...Duration.seconds(50)
      }
      let running = Task { await service.run() }
      #expect(try await comesTrue { count(of: .error) == 1 && isAsleep })
      let first = try #require(clock.untilNextWake)
      #expect(first >= .seconds(10) && first <= .seconds(20))
      clock.advance(by: .seconds(20))
      #expect(try await comesTrue { count(of: .error) == 2 && isAsleep })
      let second = try #require(clock.untilNextWake)
      #expect(second >= .seconds(20) && second <= .seconds(40))
      try FileManager.default.removeItem(atPath: obstacle)
      clock.advance(by: .seconds(40))
      #expect(try await comesTrue { names.count == 1 && isAsleep })
      #expect(try metrics.expectCounter("sectile.backup.failures").totalValue == 2)
      #expect(count(of: .info) == 1)
      running.cancel()
      await running.value
      try await store.close()
    }

    @Test func aFailureHasACodeAndRemovesNothing() async throws {
      let store = try await makeStore()
      let service = makeService(of: store) { $0.retention = .init(latest: 1, days: 0, weeks: 0) }
      let path = try await service.backUp()
      try await store.close()
      await #expect {
        try await service.backUp()
      } throws: {
        ($0 as? StoreError)?.code == .storeClosed
      }
      #expect(FileManager.default.fileExists(atPath: path))
      #expect(names.count == 1)
    }

    @Test func whatKilledProcessesHaveLeftIsRemoved() async throws {
      let store = try await makeStore()
      try folder.makeFolder("backups")
      // In a container, the process before this one had its number.
      let own = ProcessInfo.processInfo.processIdentifier
      let target = "backups/parcels-20261101T000000Z.sqlite"
      try folder.write("half", to: "\(target).partial-1-abc")
      try folder.write("half", to: "\(target).partial-1-abc-journal")
      try folder.write("half", to: "\(target).partial-\(own)-abc")
      try folder.write("half", to: "backups/other.sqlite.partial-1-abc")
      try await makeService(of: store).backUp()
      #expect(names == ["other.sqlite.partial-1-abc", "parcels-20261121T000000Z.sqlite"])
      try await store.close()
    }

    @Test func aClockThatWasWrongTakesNoPlaces() async throws {
      let store = try await makeStore()
      try folder.makeFolder("backups")
      for year in 2_040...2_043 {
        try folder.write("", to: "backups/parcels-\(year)0101T000000Z.sqlite")
      }
      let service = makeService(of: store) { $0.retention = .init(latest: 2, days: 0, weeks: 0) }
      for _ in 0..<3 { try await service.backUp() }
      #expect(
        names.prefix(2) == [
          "parcels-20261121T000001Z.sqlite", "parcels-20261121T000002Z.sqlite",
        ])
      #expect(names.count == 6)
      try await store.close()
    }

    @Test func aShutdownEndsTheWait() async throws {
      let store = try await makeStore()
      let service = makeService(of: store)
      try await testGracefulShutdown { trigger in
        async let end: Void = service.run()
        let isWaiting = try await comesTrue { names.count == 1 && isAsleep }
        #expect(isWaiting)
        trigger.triggerGracefulShutdown()
        await end
      }
      #expect(names.count == 1)
      try await store.close()
    }
  }
#endif
