import SectileHub
import SectileTestSupport
import Synchronization
import Testing

/// When a snapshot is closed: the hub lets others use the replica's name from then on.
@Suite(.timeLimit(.minutes(60))) struct SnapshotClosingTests {
  @Test func snapshotIsOpenUntilTheRowsWereCompared() async throws {
    let bench = try ReplicaBench()
    try bench.hub.commit((1...10).map { Parcel.new($0) })
    let hub = WatchedHub(bench.hub.link(for: "a")) { bench.resyncs.count }
    let replica = try await Replica.open(
      at: bench.path, following: hub, tables: ["parcel"], configuration: bench.configuration)
    #expect(hub.closings == [1])
    try await replica.resync()
    try await eventually("the snapshot is closed") { hub.closings.count == 2 }
    #expect(hub.closings == [1, 2])
    try await replica.close()
  }
}

/// A hub in memory that asks how many comparisons have ended when a snapshot is closed.
private final class WatchedHub: ReplicationFeed, MutationSink {
  private let link: InMemoryHubConnection
  private let resyncCount: @Sendable () -> Int

  // MARK: - Mutable state
  //
  // - `counts`: guarded by its mutex.
  private let counts = Mutex<[Int]>([])

  init(_ link: InMemoryHubConnection, _ resyncCount: @escaping @Sendable () -> Int) {
    (self.link, self.resyncCount) = (link, resyncCount)
  }

  /// How many there were each time.
  var closings: [Int] { counts.withLock { $0 } }

  fileprivate func noteClosing() {
    let count = resyncCount()
    counts.withLock { $0.append(count) }
  }

  func describe(_ subscriptions: [TableSubscription]) async throws -> [SyncedTable] {
    try await link.describe(subscriptions)
  }

  func validate(_ token: HubToken) async throws -> ResumeDecision {
    try await link.validate(token)
  }

  func snapshot(of tables: [SyncedTable]) async throws -> any HubSnapshot {
    WatchedSnapshot(try await link.snapshot(of: tables), of: self)
  }

  func stream(after token: HubToken, of tables: [SyncedTable]) async throws -> any HubStream {
    try await link.stream(after: token, of: tables)
  }

  func heartbeat() async throws { try await link.heartbeat() }

  func state(of tables: [SyncedTable]) async throws -> HubState {
    try await link.state(of: tables)
  }

  func perform(_ mutation: Mutation) async throws -> MutationResult {
    try await link.perform(mutation)
  }
}

private final class WatchedSnapshot: HubSnapshot {
  private let snapshot: any HubSnapshot
  private let hub: WatchedHub

  init(_ snapshot: any HubSnapshot, of hub: WatchedHub) {
    (self.snapshot, self.hub) = (snapshot, hub)
  }

  var token: HubToken { snapshot.token }
  var controlRecords: HubControlRecords { snapshot.controlRecords }
  var rowCountEstimate: Int? { snapshot.rowCountEstimate }

  func next() async throws -> HubRowBatch? { try await snapshot.next() }

  func close() async {
    hub.noteClosing()
    await snapshot.close()
  }
}
