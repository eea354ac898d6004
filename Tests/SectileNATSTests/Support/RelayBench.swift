#if NATS
  import Foundation
  import SectileCore
  import SectileHub
  import SectileNATS
  import SectileStore
  import SectileTestHelpers
  import SectileTestSupport
  import Synchronization
  import Testing

  /// A hub in memory, a server of NATS, a relay between them, and machines.
  final class RelayBench: Sendable {
    let hub: InMemoryHub
    let server: NATSServer
    let folder: TemporaryFolder
    let location: NATSLocation
    private let told = Mutex<[String: [ReplicaEvent]]>([:])
    private let made = Mutex<[Result<Int, any Error>]>([])

    init(seed: UInt64 = 0) throws {
      hub = InMemoryHub(tables: [Self.parcel, Self.note], seed: seed)
      server = try NATSServer()
      folder = try TemporaryFolder()
      var location = try NATSLocation(servers: [server.address], stream: "depots")
      location.silenceLimit = .milliseconds(200)
      self.location = location
    }

    static let parcel = SyncedTable(
      name: "parcel",
      columns: [
        .init("id", .integer), .init("depot", .integer), .init("state", .text, isNullable: true),
        .init("sectile_rev", .integer),
      ],
      key: ["id"])

    static let note = SyncedTable(
      name: "note", columns: [.init("id", .uuid), .init("body", .bytes)], key: ["id"])

    static func new(_ id: Int64, state: String? = nil) -> RowMutation {
      .insert(
        table: "parcel",
        values: [
          "id": .integer(id), "depot": .integer(id % 3),
          "state": state.map(StoredValue.text) ?? .null,
        ])
    }

    /// What a replica was told so far, by its name.
    func events(of name: String) -> [ReplicaEvent] { told.withLock { $0[name] ?? [] } }

    /// Why a replica's rows were compared so far.
    func reasons(of name: String) -> [ResyncReason] {
      events(of: name).compactMap(\.resync).map(\.reason)
    }

    /// How many snapshots were published so far.
    var snapshotCount: Int {
      made.withLock { results in
        results.count(where: { (try? $0.get()) != nil })
      }
    }

    private func configuration(of name: String) -> ReplicaConfiguration {
      var configuration = ReplicaConfiguration()
      configuration.store.synchronous = .off
      configuration.retryDelays = .milliseconds(5)...Duration.milliseconds(50)
      configuration.idleInterval = .milliseconds(20)
      configuration.heartbeatInterval = nil
      configuration.onEvent = { [weak self] event in
        self?.told.withLock { $0[name, default: []].append(event) }
      }
      return configuration
    }

    /// Runs a relay until the task is cancelled.
    func relay(
      _ name: String = "relay", _ change: (inout NATSRelay.Options) -> Void = { _ in }
    ) -> Task<Void, any Error> {
      var options = NATSRelay.Options()
      options.replica = configuration(of: name)
      options.checkInterval = .milliseconds(20)
      options.onSnapshot = { [weak self] result in self?.made.withLock { $0.append(result) } }
      change(&options)
      let relay = NATSRelay(
        of: hub.link(for: name), at: folder.file("\(name).sqlite"), tables: ["parcel", "note"],
        to: location, options: options)
      return Task { try await relay.run() }
    }

    /// Ends a relay, and waits for its end.
    func end(_ relay: Task<Void, any Error>) async throws {
      relay.cancel()
      do {
        try await relay.value
      } catch is CancellationError {
        // It had not opened its file yet.
      }
    }

    /// Opens a machine's replica, as soon as there is a snapshot.
    func machine(
      _ name: String = "machine", tables: [TableSubscription] = ["parcel", "note"],
      writing: Bool = false, _ change: (inout ReplicaConfiguration) -> Void = { _ in }
    ) async throws -> Replica {
      var configuration = configuration(of: name)
      change(&configuration)
      let feed = NATSFeed(
        location, name: name, writingTo: writing ? hub.link(for: name) : nil)
      let isThere = try await comesTrue { (try? await feed.describe(tables)) != nil }
      #expect(isThere, "a snapshot is published")
      return try await Replica.open(
        at: folder.file("\(name).sqlite"), following: feed, tables: tables,
        configuration: configuration)
    }

    /// The rows of a table in a replica.
    func rows(_ replica: Replica, _ table: String = "parcel") throws -> [[StoredValue]] {
      try replica.store.read { transaction in
        try transaction.query("SELECT * FROM \(table) ORDER BY 1").map(\.values)
      }
    }

    /// Waits until a replica's rows are the hub's.
    func equals(
      _ replica: Replica, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let areEqual = try await comesTrue {
        let (parcels, notes) = (try rows(replica), try rows(replica, "note"))
        return parcels == hub.rows(of: "parcel") && notes == hub.rows(of: "note")
      }
      #expect(areEqual, "the machine has the hub's rows", sourceLocation: sourceLocation)
    }
  }
#endif
