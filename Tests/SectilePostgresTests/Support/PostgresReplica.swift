#if Postgres
  import Foundation
  import SectileCore
  import SectileHub
  import SectilePostgres
  import SectileStore
  import SectileTestHelpers
  import Synchronization
  import Testing

  /// A replica of a database for tests, and what it told.
  final class PostgresReplica: Sendable {
    let database: TestDatabase
    let hub: PostgresHub
    let subscriptions: [TableSubscription]
    let folder: TemporaryFolder
    private let told = Mutex<[ReplicaEvent]>([])

    init(
      of database: TestDatabase, _ subscriptions: [TableSubscription] = ["parcel"],
      named name: String? = nil, options: PostgresHubOptions = .impatient
    ) async throws {
      (self.database, self.subscriptions) = (database, subscriptions)
      hub = try await database.hub(
        name, options: options, installing: subscriptions.map(\.name))
      folder = try TemporaryFolder()
    }

    /// The same replica by another way to the hub, such as one that names two servers.
    init(_ other: PostgresReplica, following hub: PostgresHub) {
      (database, subscriptions, folder) = (other.database, other.subscriptions, other.folder)
      self.hub = hub
    }

    var path: String { folder.file("replica.sqlite") }

    /// What was told so far.
    var events: [ReplicaEvent] { told.withLock { $0 } }

    /// The comparisons of all rows so far.
    var resyncs: [ReplicaResync] {
      events.compactMap(\.resync)
    }

    func open(_ change: (inout ReplicaConfiguration) -> Void = { _ in }) async throws -> Replica {
      var configuration = ReplicaConfiguration()
      configuration.store.synchronous = .off
      configuration.retryDelays = .milliseconds(5)...Duration.milliseconds(100)
      configuration.idleInterval = .milliseconds(50)
      configuration.heartbeatInterval = nil
      configuration.onEvent = { [weak self] event in self?.told.withLock { $0.append(event) } }
      change(&configuration)
      return try await Replica.open(
        at: path, following: hub, tables: subscriptions, configuration: configuration)
    }

    /// Waits until a replica follows.
    func follows(_ replica: Replica) async throws {
      try await soon("the replica follows") {
        if case .following(elsewhere: false) = replica.status.phase { true } else { false }
      }
    }

    /// Waits until a replica has all that was committed.
    func catchUp(_ replica: Replica) async throws {
      try await hub.heartbeat()
      let position = try await hub.position()
      try await soon("the replica is at \(position)") {
        (replica.status.token?.position ?? .zero) >= position
      }
    }

    /// Fails where a replica does not have the rows of the hub.
    func expectEqual(
      _ replica: Replica, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let tables = try await hub.describe(subscriptions)
      let contents = try await hub.contents(of: tables, as: "\(hub.name)_x")
      for table in tables {
        let columns = table.columns.map { SQLName.quote($0.name) }.joined(separator: ", ")
        let rows = try await replica.store.read { transaction in
          try transaction.query("SELECT \(columns) FROM \(SQLName.quote(table.name))").map(\.values)
        }
        let expected = contents[table.name, default: [:]]
        #expect(rows.count == expected.count, sourceLocation: sourceLocation)
        #expect(
          rows.allSatisfy { expected[table.key(of: $0)] == $0 }, "\(table.name) has other rows",
          sourceLocation: sourceLocation)
      }
    }
  }

  /// Waits until something is so; fails where that takes four minutes.
  func soon(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
  ) async throws {
    let end = ContinuousClock.now + .seconds(240)
    while try await !condition() {
      guard ContinuousClock.now < end else {
        Issue.record("it never came about that \(what)", sourceLocation: sourceLocation)
        throw CancellationError()
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }
#endif
